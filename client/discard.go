package client

import (
	"context"
	"errors"
	"fmt"
)

// ErrSigned is returned for a flow that cannot be discarded: one of its transactions was signed and
// may still be mined, or has paid for the task.
var ErrSigned = errors.New("the operation has a signed transaction, which may already be mined; resume it instead")

// Discard removes the unfinished operation with the key from the journal, provided that it has no signed transaction.
// The API record of a planned task, if any, stays unpaid. Do not use the key again: with it, the API may still return
// that record. Expected errors are ErrSigned, and ErrEnded if the operation is finished or not in the journal.
//
// If the operation's unsigned transaction was passed to another program, that program can still sign and
// send it. For the creation of a task, Discard checks that this has not happened yet.
func (c *Client) Discard(ctx context.Context, key string) (err error) {
	defer wrap(&err, "discard operation %q", key)
	unlock, err := c.options.Flows.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	flow, err := c.options.Flows.Load(ctx, key)
	switch {
	case err != nil:
		return err
	case flow == nil, flow.Done:
		return ErrEnded
	case flow.Signed():
		return ErrSigned
	}
	if err := c.unpaid(ctx, flow); err != nil {
		return err
	}
	return c.options.Flows.Remove(ctx, key)
}

// Forget removes a finished task creation from the journal, if it is still there. After that, its key pays for another
// task.
func (c *Client) Forget(ctx context.Context, key string) (err error) {
	defer wrap(&err, "forget operation %q", key)
	unlock, err := c.options.Flows.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	flow, err := c.options.Flows.Load(ctx, key)
	switch {
	case err != nil || flow == nil:
		return err
	case !flow.Done:
		return errors.New("the operation is not finished; resume or discard it")
	}
	return c.options.Flows.Remove(ctx, key)
}

// unpaid returns an error if another program has paid from this wallet for the flow's task.
func (c *Client) unpaid(ctx context.Context, flow *Flow) error {
	if !flow.Agreed || flow.TaskID == nil {
		return nil
	}
	w, err := c.newSession(ctx)
	if err != nil {
		return err
	}
	task, err := c.Task(ctx, *flow.TaskID)
	if err != nil {
		return err
	}
	if err := w.wallet.AwaitIdle(ctx); err != nil { // a pending transaction from the wallet may be this payment
		return err
	}
	paid, err := w.paidFor(ctx, task, flow.since(task))
	if err == nil && paid != nil {
		err = fmt.Errorf("%w: transaction %s has paid for the task", ErrSigned, paid)
	}
	return err
}
