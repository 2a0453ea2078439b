package client

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Outcome is the result of an action.
type Outcome struct {
	Task        Task         // the task's current API record, which may lag slightly behind the chain
	Application *Application // the application that was accepted or rejected; nil for other actions
	// TxHash is the hash of the mined transaction. It is nil if no transaction was needed because
	// the chain already showed the action.
	TxHash *common.Hash
}

// Plan returns what the action would sign, send and cost, and its consequence. It reads, checks and simulates; it
// signs nothing and changes nothing. If the task to create has no record yet, the plan has no TaskID and no
// TermsHash, and contains the current fee from the chain.
func (c *Client) Plan(ctx context.Context, request ActionRequest) (_ Plan, err error) {
	defer wrap(&err, "plan to %s", request)
	if request.Task != nil {
		return c.planCreation(ctx, request)
	}
	return c.planAction(ctx, request)
}

// Execute performs the plan: it checks that nothing has changed, saves the operation in the journal, signs, sends,
// and waits until the transaction is mined and the API shows it. If the plan no longer holds, it signs nothing and
// returns ErrOtherPlan or ErrEnded.
//
// It can be repeated after any error and after a crash: an operation has one key, and takes effect only once. After
// an error, a new plan of the same request continues the operation; after a crash, Resume does. Expected errors from
// the chain are ErrNotMined, ErrUnderWay, ErrMovedOn, ErrFailed, ErrPermitExpired, ErrPermitUsed and a
// *chain.RevertError.
func (c *Client) Execute(ctx context.Context, plan Plan) (_ Outcome, err error) {
	defer wrap(&err, "%s", plan.Request)
	if plan.Request.Task != nil {
		return c.executeCreation(ctx, plan)
	}
	return c.executeAction(ctx, plan)
}

// do plans and executes the request.
func (c *Client) do(ctx context.Context, request ActionRequest) (Outcome, error) {
	plan, err := c.Plan(ctx, request)
	if err != nil {
		return Outcome{}, err
	}
	return c.Execute(ctx, plan)
}

// CreateTask plans and executes Fund.
func (c *Client) CreateTask(ctx context.Context, task TaskRequest) (Task, error) {
	outcome, err := c.do(ctx, Fund(task))
	return outcome.Task, err
}

// AcceptApplication plans and executes Accept.
func (c *Client) AcceptApplication(ctx context.Context, task, application uuid.UUID) (Outcome, error) {
	return c.do(ctx, Accept(task, application))
}

// RejectApplication plans and executes Reject.
func (c *Client) RejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (Outcome, error) {
	return c.do(ctx, Reject(task, application, reason))
}

// Approve plans and executes the function Approve.
func (c *Client) Approve(ctx context.Context, task uuid.UUID) (Outcome, error) {
	return c.do(ctx, Approve(task))
}

// Dispute plans and executes the function Dispute.
func (c *Client) Dispute(ctx context.Context, task uuid.UUID, reason string) (Outcome, error) {
	return c.do(ctx, Dispute(task, reason))
}

// Cancel plans and executes the function Cancel.
func (c *Client) Cancel(ctx context.Context, task uuid.UUID) (Outcome, error) {
	return c.do(ctx, Cancel(task))
}

// Confirm reports the mined transaction tx, which another program sent from this wallet for the request, to the API.
// It signs and sends nothing, and does nothing if the API finds such transactions itself. The creation of a task must
// already be in the journal from a call to Execute; otherwise the error is ErrEnded.
func (c *Client) Confirm(ctx context.Context, request ActionRequest, tx common.Hash) (err error) {
	defer wrap(&err, "confirm: %s", request)
	if request.Task != nil {
		return c.confirmCreation(ctx, *request.Task, tx)
	}
	if k, ok := kindOf(request.Action); ok && k.confirm != nil {
		_, err = k.confirm(c, ctx, request.TaskID, tx)
	}
	return err
}

// ConfirmAcceptance sends the hash of the transaction that accepted an application to the API.
// Execute does this itself. Call it for a transaction that another program sent.
func (c *Client) ConfirmAcceptance(ctx context.Context, task uuid.UUID, tx common.Hash) (_ Task, err error) {
	defer wrap(&err, "confirm acceptance %s for task %s", tx, task)
	return resultOf[Task](c.api.ConfirmApplicationWithResponse(idempotent(ctx), task, gen.ConfirmRequest{TxHash: tx.Hex()}))
}
