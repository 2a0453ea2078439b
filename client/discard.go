package client

import (
	"context"
	"errors"
	"fmt"
)

// ErrSigned is returned for a flow that cannot be discarded: one of its transactions was signed and
// may still be mined, or has paid for the task.
var ErrSigned = errors.New("the operation has a signed transaction, which may already be mined; resume it instead")

// Discard removes from the journal a flow that Unfinished returned, provided that it contains no
// signed transaction. The flow's API record, if any, stays unpaid. Expected errors are ErrSigned,
// and ErrEnded if another program has already finished the flow.
//
// If the flow's unsigned transaction was passed to another program, that program can still sign and
// send it. For the creation of a task, Discard checks that this has not happened yet.
func (c *Client) Discard(ctx context.Context, flow Flow) error {
	if err := c.discard(ctx, flow.Key); err != nil {
		return fmt.Errorf("discard %s: %w", flow.Action, err)
	}
	return nil
}

func (c *Client) discard(ctx context.Context, key string) error {
	w, err := c.newSession(ctx)
	if err != nil {
		return err
	}
	unlock, err := w.flows.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	if w.flow, err = w.flows.Load(ctx, key); err != nil {
		return err
	}
	switch {
	case w.flow == nil, w.flow.Done:
		return ErrEnded
	case w.signed(), w.flow.Paid != nil:
		return ErrSigned
	}
	if err := w.unpaid(ctx); err != nil {
		return err
	}
	return w.remove(ctx)
}

// unpaid returns an error if another program has paid from this wallet for the flow's task.
func (w *session) unpaid(ctx context.Context) error {
	if !w.flow.Agreed || w.flow.TaskID == nil {
		return nil
	}
	task, err := w.client.Task(ctx, *w.flow.TaskID)
	if err != nil {
		return err
	}
	if err := w.wallet.AwaitIdle(ctx); err != nil { // a pending transaction from the wallet may be this payment
		return err
	}
	since := task.CreatedAt.Time
	if begun := w.flow.Begun; !begun.IsZero() && begun.Before(since) {
		since = begun
	}
	paid, err := w.paidFor(ctx, task, since)
	if err == nil && paid != nil {
		err = fmt.Errorf("%w: transaction %s has paid for the task", ErrSigned, paid)
	}
	return err
}
