package client

import (
	"context"
	"errors"
	"fmt"
)

// ErrSigned is returned for a flow that cannot be discarded, because a transaction of it
// was signed and may still be mined, or has paid.
var ErrSigned = errors.New("a transaction of it was signed and may still be mined; resume it instead")

// Discard removes a flow that Unfinished returned from the journal when nothing of it
// was signed here. A record that the API has of it stays, unpaid. Errors to expect are
// ErrSigned, and ErrEnded when another program has ended it meanwhile.
//
// What --unsigned or a review handed to a wallet elsewhere can still be sent there: the
// chain is asked only whether that has happened by now.
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
	return w.forget(ctx)
}

// unpaid refuses a creation that a wallet elsewhere has paid for.
func (w *session) unpaid(ctx context.Context) error {
	if !w.flow.Agreed || w.flow.TaskID == nil {
		return nil
	}
	task, err := w.client.Task(ctx, *w.flow.TaskID)
	if err != nil {
		return err
	}
	if err := w.wallet.AwaitIdle(ctx); err != nil { // what the wallet has sent may be this payment
		return err
	}
	since := task.CreatedAt.Time
	if begun := w.flow.Begun; !begun.IsZero() && begun.Before(since) {
		since = begun
	}
	paid, err := w.paidFor(ctx, task, since)
	if err == nil && paid != nil {
		err = fmt.Errorf("%w: transaction %s has paid for it", ErrSigned, paid)
	}
	return err
}
