package client

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// AcceptApplication assigns the task to the applicant: it sends the call, waits until it is mined
// and confirms it to the API. The stake on the chain must belong to the applicant and to this task.
//
// This and the other actions can be repeated after any error and after a crash: a repeated request
// resumes the signed transaction, and the action takes effect only once. Expected errors are
// ErrNotMined, ErrUnderWay, ErrMovedOn, ErrFailed and a *chain.RevertError.
func (c *Client) AcceptApplication(ctx context.Context, task, application uuid.UUID) (_ Outcome, err error) {
	defer wrap(&err, "accept application %s", application)
	_, outcome, err := c.perform(ctx, Accept(task, application), false)
	return outcome, err
}

// PlanAcceptApplication returns what AcceptApplication would sign and send.
func (c *Client) PlanAcceptApplication(ctx context.Context, task, application uuid.UUID) (_ Plan, err error) {
	defer wrap(&err, "plan to accept application %s", application)
	return c.planOf(ctx, Accept(task, application))
}

// ConfirmAcceptance sends the hash of the transaction that accepted an application to the API.
// AcceptApplication does this itself. Call it for a transaction that another program sent.
func (c *Client) ConfirmAcceptance(ctx context.Context, task uuid.UUID, tx common.Hash) (_ Task, err error) {
	defer wrap(&err, "confirm acceptance %s for task %s", tx, task)
	return answer[Task](c.api.ConfirmApplicationWithResponse(idempotent(ctx), task, gen.ConfirmRequest{TxHash: tx.Hex()}))
}

// RejectApplication rejects the applicant. If the application has a stake, the stake is forfeited
// to the treasury. To choose another applicant, accept that one instead. RejectApplication returns
// the application as the API shows it.
func (c *Client) RejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (Application, error) {
	a, _, err := c.perform(ctx, Reject(task, application, reason), false)
	if err != nil {
		return Application{}, fmt.Errorf("reject application %s: %w", application, err)
	}
	return *a.applied, nil
}

// PlanRejectApplication returns what RejectApplication would sign and send.
func (c *Client) PlanRejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (_ Plan, err error) {
	defer wrap(&err, "plan to reject application %s", application)
	return c.planOf(ctx, Reject(task, application, reason))
}

// Approve approves the submitted work. The validators then release the escrow, or anyone can after
// 72 hours. An approval cannot be undone.
func (c *Client) Approve(ctx context.Context, task uuid.UUID) (_ Outcome, err error) {
	defer wrap(&err, "approve task %s", task)
	_, outcome, err := c.perform(ctx, Approve(task), false)
	return outcome, err
}

// PlanApprove returns what Approve would sign and send.
func (c *Client) PlanApprove(ctx context.Context, task uuid.UUID) (_ Plan, err error) {
	defer wrap(&err, "plan to approve task %s", task)
	return c.planOf(ctx, Approve(task))
}

// Dispute disputes the submitted work, within 24 hours of the submission. The validators decide the
// dispute.
func (c *Client) Dispute(ctx context.Context, task uuid.UUID, reason string) (_ Outcome, err error) {
	defer wrap(&err, "dispute task %s", task)
	_, outcome, err := c.perform(ctx, Dispute(task, reason), false)
	return outcome, err
}

// PlanDispute returns what Dispute would sign and send.
func (c *Client) PlanDispute(ctx context.Context, task uuid.UUID, reason string) (_ Plan, err error) {
	defer wrap(&err, "plan to dispute task %s", task)
	return c.planOf(ctx, Dispute(task, reason))
}

// Cancel ends a task for which no work was submitted and returns the amount to the wallet.
func (c *Client) Cancel(ctx context.Context, task uuid.UUID) (_ Outcome, err error) {
	defer wrap(&err, "cancel task %s", task)
	_, outcome, err := c.perform(ctx, Cancel(task), false)
	return outcome, err
}

// PlanCancel returns what Cancel would sign and send.
func (c *Client) PlanCancel(ctx context.Context, task uuid.UUID) (_ Plan, err error) {
	defer wrap(&err, "plan to cancel task %s", task)
	return c.planOf(ctx, Cancel(task))
}
