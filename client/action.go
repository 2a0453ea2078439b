package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	gen "taskmarket/gen/client"
)

// Outcome is what an action came to.
type Outcome struct {
	Task Task // as the API shows it now; it may lag behind the chain a little
	// TxHash is of the transaction that was sent and mined; nil when none was
	// needed, because the chain shows the action already.
	TxHash *common.Hash
}

// awaitAPI is how long a mined action is waited for at the API.
const awaitAPI = 30 * time.Second

// AcceptApplication gives the task to the applicant: it sends the call, waits
// until it is mined and confirms it. The stake on the chain must be the
// applicant's and name this task.
func (c *Client) AcceptApplication(ctx context.Context, task, application uuid.UUID) (Outcome, error) {
	outcome, err := c.act(ctx, task, func(a *action) error { return a.accept(ctx, application) })
	if err != nil {
		return Outcome{}, fmt.Errorf("accept application %s: %w", application, err)
	}
	return outcome, nil
}

func (a *action) accept(ctx context.Context, id uuid.UUID) error {
	application, err := a.client.application(ctx, a.task.ID, id)
	if err != nil {
		return err
	}
	stake, err := a.stake(ctx, application)
	if err != nil {
		return err
	}
	got, err := answer[gen.AcceptCalldata](a.client.api.AcceptApplicationWithResponse(harmless(ctx), a.task.ID, id))
	if err != nil {
		return err
	}
	proposed := proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.AcceptApplicationCalldata}
	want := a.deployment.calls.AcceptApplication(a.deployment.Escrow, a.escrowID, stake)
	if err := a.carryOut(ctx, proposed, want, got.AlreadyDone); err != nil || a.txHash == nil {
		return err
	}
	return a.confirmed(ctx)
}

// confirmed tells the API of the acceptance until it has seen it.
func (a *action) confirmed(ctx context.Context) error {
	deadline := time.Now().Add(a.patient)
	for {
		body := gen.ConfirmRequest{TxHash: a.txHash.Hex()}
		_, err := answer[Task](a.client.api.ConfirmApplicationWithResponse(harmless(ctx), a.task.ID, body))
		if err == nil || !later(err) || time.Now().After(deadline) {
			return err
		}
		if err := pause(ctx, longPoll/2); err != nil {
			return err
		}
	}
}

// RejectApplication turns the applicant down. If the application has a stake,
// this forfeits it to the treasury: to choose another applicant, accept that
// one instead. The answer is the application as the API shows it.
func (c *Client) RejectApplication(ctx context.Context, task, application uuid.UUID, reason string) (Application, error) {
	var rejected Application
	_, err := c.act(ctx, task, func(a *action) (err error) {
		rejected, err = a.reject(ctx, application, reason)
		return err
	})
	if err != nil {
		return Application{}, fmt.Errorf("reject application %s: %w", application, err)
	}
	return rejected, nil
}

func (a *action) reject(ctx context.Context, id uuid.UUID, reason string) (Application, error) {
	got, err := answer[gen.RejectCalldata](a.client.api.RejectApplicationWithResponse(harmless(ctx), a.task.ID, id,
		gen.RejectApplicationRequest{Reason: given(reason)}))
	if err != nil || got.RejectApplicationCalldata == nil {
		return got.Application, err
	}
	if got.To == nil || got.ChainID == nil || got.Value == nil {
		return Application{}, errors.New("the API proposed half a call")
	}
	stake, err := a.stake(ctx, got.Application)
	if err != nil {
		return Application{}, err
	}
	proposed := proposal{to: *got.To, chainID: *got.ChainID, value: *got.Value, data: *got.RejectApplicationCalldata}
	if err := a.carryOut(ctx, proposed, a.deployment.calls.RejectApplication(stake), got.AlreadyDone); err != nil {
		return Application{}, err
	}
	application := got.Application
	err = a.await(ctx, func(ctx context.Context) (bool, error) {
		application, err = a.client.application(ctx, a.task.ID, id)
		return application.Status == gen.ApplicationStatusRejected, err
	})
	return application, err
}

// Approve approves the submitted work. From then on the validators release the
// escrow, or anyone does after 72 hours; it cannot be taken back.
func (c *Client) Approve(ctx context.Context, task uuid.UUID) (Outcome, error) {
	outcome, err := c.act(ctx, task, func(a *action) error {
		got, err := answer[gen.ApproveCalldata](a.client.api.ApproveTaskWithResponse(harmless(ctx), task, gen.ApproveTaskRequest{}))
		if err != nil {
			return err
		}
		proposed := proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.ApproveTaskCalldata}
		want := a.deployment.calls.ApproveTask(a.deployment.Escrow, a.escrowID)
		if err := a.carryOut(ctx, proposed, want, got.AlreadyDone); err != nil {
			return err
		}
		return a.awaitTask(ctx, func(t Task) bool { return t.AgentApprovedAt != nil })
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("approve task %s: %w", task, err)
	}
	return outcome, nil
}

// Dispute disputes the submitted work, within 24 hours of the submission. The
// validators decide.
func (c *Client) Dispute(ctx context.Context, task uuid.UUID, reason string) (Outcome, error) {
	outcome, err := c.act(ctx, task, func(a *action) error {
		got, err := answer[gen.DisputeCalldata](a.client.api.DisputeTaskWithResponse(harmless(ctx), task, gen.DisputeTaskRequest{Reason: reason}))
		if err != nil {
			return err
		}
		proposed := proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.DisputeTaskCalldata}
		want := a.deployment.calls.DisputeTask(a.deployment.Escrow, a.escrowID)
		if err := a.carryOut(ctx, proposed, want, got.AlreadyDone); err != nil {
			return err
		}
		return a.awaitTask(ctx, func(t Task) bool { return t.Status != gen.TaskStatusSubmitted })
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("dispute task %s: %w", task, err)
	}
	return outcome, nil
}

// Cancel ends a task without a submission and brings the amount back.
func (c *Client) Cancel(ctx context.Context, task uuid.UUID) (Outcome, error) {
	outcome, err := c.act(ctx, task, func(a *action) error {
		got, err := answer[gen.CancelCalldata](a.client.api.CancelTaskWithResponse(harmless(ctx), task))
		if err != nil {
			return err
		}
		proposed := proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.CancelTaskCalldata}
		want := a.deployment.calls.CancelTask(a.deployment.Escrow, a.escrowID)
		if err := a.carryOut(ctx, proposed, want, got.AlreadyDone); err != nil {
			return err
		}
		return a.awaitTask(ctx, func(t Task) bool { return t.Status == gen.TaskStatusCancelled })
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("cancel task %s: %w", task, err)
	}
	return outcome, nil
}

// action is one call about a task that the agent posted.
type action struct {
	wallet
	client     *Client
	deployment *deployment
	task       Task
	escrowID   uint64 // the task's number in the escrow
	txHash     *common.Hash
}

// act prepares an action, runs it and reads the task afterwards.
func (c *Client) act(ctx context.Context, task uuid.UUID, run func(*action) error) (Outcome, error) {
	signer, err := c.signer()
	if err != nil {
		return Outcome{}, err
	}
	d, n, err := c.contracts(ctx)
	if err != nil {
		return Outcome{}, err
	}
	a := &action{client: c, deployment: d, wallet: newWallet(n, signer, c.options.MineTimeout)}
	if a.task, err = c.Task(ctx, task); err != nil {
		return Outcome{}, err
	}
	if err := a.own(ctx); err != nil {
		return Outcome{}, err
	}
	if err := run(a); err != nil {
		return Outcome{}, err
	}
	after, err := c.Task(ctx, task)
	return Outcome{Task: after, TxHash: a.txHash}, err
}

// carryOut sends the call that the API proposed when it is the one that we
// want, and waits until it is mined. Done already, it sends nothing.
func (a *action) carryOut(ctx context.Context, proposed proposal, want chain.Call, done *bool) error {
	if err := proposed.check(want, a.deployment.ChainID); err != nil {
		return err
	}
	if done != nil && *done {
		return nil
	}
	tx, err := a.start(ctx, want)
	if err != nil {
		return err
	}
	keep := func(chain.Signed) error { return nil }
	receipt, err := a.deliver(ctx, []chain.Signed{tx}, keep)
	if err != nil {
		return err
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return fmt.Errorf("transaction %s failed on the chain", receipt.TxHash)
	}
	a.txHash = &receipt.TxHash
	return nil
}

// start signs the call and sends it while no other call can take its nonce.
func (a *action) start(ctx context.Context, want chain.Call) (chain.Signed, error) {
	if err := a.client.sending.take(ctx); err != nil {
		return chain.Signed{}, err
	}
	defer a.client.sending.give()
	tx, err := a.prepare(ctx, want)
	if err != nil {
		return chain.Signed{}, err
	}
	if err := a.sender.Broadcast(ctx, tx.Raw); err != nil && !away(err) {
		return chain.Signed{}, err
	}
	return tx, nil
}

// awaitTask reads the task until it shows what was done.
func (a *action) awaitTask(ctx context.Context, shows func(Task) bool) error {
	return a.await(ctx, func(ctx context.Context) (bool, error) {
		task, err := a.client.Task(ctx, a.task.ID)
		return shows(task), err
	})
}

// await asks until the answer is yes or awaitAPI is over: the chain has the
// action, so an API that lags is no failure.
func (a *action) await(ctx context.Context, done func(context.Context) (bool, error)) error {
	deadline := time.Now().Add(awaitAPI)
	for wait := firstPoll; time.Now().Before(deadline); wait = min(2*wait, longPoll) {
		yes, err := done(ctx)
		if yes || err != nil {
			return err
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	return nil
}
