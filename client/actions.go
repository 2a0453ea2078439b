package client

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// AcceptApplication gives the task to the applicant: it sends the call, waits
// until it is mined and confirms it. The stake on the chain must be the
// applicant's and name this task.
//
// This and the other actions may be asked for again after any error and after a
// crash: what was signed goes on, and nothing is sent twice. Errors to expect
// are ErrNotMined, ErrMovedOn, ErrFailed and a *chain.RevertError.
func (c *Client) AcceptApplication(ctx context.Context, task, application uuid.UUID) (Outcome, error) {
	_, outcome, err := c.perform(ctx, order{kind: acceptance(), task: task, application: &application}, false)
	if err != nil {
		return Outcome{}, fmt.Errorf("accept application %s: %w", application, err)
	}
	return outcome, nil
}

// PlanAcceptApplication says what AcceptApplication would do.
func (c *Client) PlanAcceptApplication(ctx context.Context, task, application uuid.UUID) (Plan, error) {
	plan, err := c.planOf(ctx, order{kind: acceptance(), task: task, application: &application})
	if err != nil {
		return Plan{}, fmt.Errorf("plan to accept application %s: %w", application, err)
	}
	return plan, nil
}

// ConfirmAcceptance points the API at the mined transaction that accepted an
// application. AcceptApplication does it by itself; call it for a transaction
// that another wallet program sent.
func (c *Client) ConfirmAcceptance(ctx context.Context, task uuid.UUID, tx common.Hash) (Task, error) {
	confirmed, err := answer[Task](c.api.ConfirmApplicationWithResponse(harmless(ctx), task, gen.ConfirmRequest{TxHash: tx.Hex()}))
	if err != nil {
		return Task{}, fmt.Errorf("confirm acceptance %s for task %s: %w", tx, task, err)
	}
	return confirmed, nil
}

// RejectApplication turns the applicant down. If the application has a stake,
// this forfeits it to the treasury: to choose another applicant, accept that
// one instead. The answer is the application as the API shows it.
func (c *Client) RejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (Application, error) {
	a, _, err := c.perform(ctx, order{kind: rejection(), task: task, application: &application, reason: reason}, false)
	if err != nil {
		return Application{}, fmt.Errorf("reject application %s: %w", application, err)
	}
	return *a.applied, nil
}

// PlanRejectApplication says what RejectApplication would do.
func (c *Client) PlanRejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (Plan, error) {
	plan, err := c.planOf(ctx, order{kind: rejection(), task: task, application: &application, reason: reason})
	if err != nil {
		return Plan{}, fmt.Errorf("plan to reject application %s: %w", application, err)
	}
	return plan, nil
}

// Approve approves the submitted work. From then on the validators release the
// escrow, or anyone does after 72 hours; it cannot be taken back.
func (c *Client) Approve(ctx context.Context, task uuid.UUID) (Outcome, error) {
	_, outcome, err := c.perform(ctx, order{kind: approval(), task: task}, false)
	if err != nil {
		return Outcome{}, fmt.Errorf("approve task %s: %w", task, err)
	}
	return outcome, nil
}

// PlanApprove says what Approve would do.
func (c *Client) PlanApprove(ctx context.Context, task uuid.UUID) (Plan, error) {
	plan, err := c.planOf(ctx, order{kind: approval(), task: task})
	if err != nil {
		return Plan{}, fmt.Errorf("plan to approve task %s: %w", task, err)
	}
	return plan, nil
}

// Dispute disputes the submitted work, within 24 hours of the submission. The
// validators decide.
func (c *Client) Dispute(ctx context.Context, task uuid.UUID, reason string) (Outcome, error) {
	_, outcome, err := c.perform(ctx, order{kind: dispute(), task: task, reason: reason}, false)
	if err != nil {
		return Outcome{}, fmt.Errorf("dispute task %s: %w", task, err)
	}
	return outcome, nil
}

// PlanDispute says what Dispute would do.
func (c *Client) PlanDispute(ctx context.Context, task uuid.UUID, reason string) (Plan, error) {
	plan, err := c.planOf(ctx, order{kind: dispute(), task: task, reason: reason})
	if err != nil {
		return Plan{}, fmt.Errorf("plan to dispute task %s: %w", task, err)
	}
	return plan, nil
}

// Cancel ends a task without a submission and brings the amount back.
func (c *Client) Cancel(ctx context.Context, task uuid.UUID) (Outcome, error) {
	_, outcome, err := c.perform(ctx, order{kind: cancellation(), task: task}, false)
	if err != nil {
		return Outcome{}, fmt.Errorf("cancel task %s: %w", task, err)
	}
	return outcome, nil
}

// PlanCancel says what Cancel would do.
func (c *Client) PlanCancel(ctx context.Context, task uuid.UUID) (Plan, error) {
	plan, err := c.planOf(ctx, order{kind: cancellation(), task: task})
	if err != nil {
		return Plan{}, fmt.Errorf("plan to cancel task %s: %w", task, err)
	}
	return plan, nil
}
