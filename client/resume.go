package client

import (
	"context"
	"errors"
	"fmt"

	"taskmarket/market"
)

// Resume continues the operation with the key, with the same effect as a new plan of its request. A finished task
// creation returns its task. If the key is no longer in the journal, because another program has finished the
// operation, Resume returns ErrEnded.
func (c *Client) Resume(ctx context.Context, key string) (Outcome, error) {
	plan, err := c.planSaved(ctx, key)
	if err != nil {
		return Outcome{}, fmt.Errorf("resume: %w", err)
	}
	return c.Execute(ctx, plan)
}

// planSaved plans the operation with the key, which must be in the journal.
func (c *Client) planSaved(ctx context.Context, key string) (Plan, error) {
	flow, err := c.options.Flows.Load(ctx, key)
	if err != nil {
		return Plan{}, err
	}
	if flow == nil {
		return Plan{}, ErrEnded
	}
	request, err := flow.request()
	if err != nil {
		return Plan{}, err
	}
	plan, err := c.Plan(ctx, request)
	if err == nil && !plan.saved {
		err = ErrEnded
	}
	return plan, err
}

// Unfinished returns the unfinished flows in the journal that belong to the Signer's wallet. It
// reads only the journal.
func (c *Client) Unfinished(ctx context.Context) ([]Flow, error) {
	signer, err := c.signer()
	if err != nil {
		return nil, err
	}
	all, err := c.options.Flows.List(ctx)
	if err != nil {
		return nil, err
	}
	var flows []Flow
	for _, flow := range all {
		if flow.Wallet == signer.Address() && !flow.Done {
			flows = append(flows, flow)
		}
	}
	return flows, nil
}

// allowOther calls Options.AllowOther, if set, before a signed transaction of another flow in the
// journal is sent.
func (c *Client) allowOther(ctx context.Context, w session, key string) error {
	if c.options.AllowOther == nil {
		return nil
	}
	flow, err := w.flows.Load(ctx, key)
	if err != nil {
		return err
	}
	if flow == nil {
		return ErrEnded
	}
	p, err := c.outlineOf(ctx, w, flow)
	if err != nil {
		return err
	}
	return allowAgain(ctx, c.options.AllowOther, p)
}

// outlineOf returns the outline of the flow's plan.
func (c *Client) outlineOf(ctx context.Context, w session, flow *Flow) (Plan, error) {
	w.flow = flow
	o, err := flow.request()
	if err != nil {
		return Plan{}, err
	}
	if o.Task == nil {
		a, err := c.newAction(ctx, w, o)
		if err != nil {
			return Plan{}, err
		}
		return a.outline()
	}
	if flow.TaskID == nil {
		return Plan{}, fmt.Errorf("operation %q has no task", flow.Key)
	}
	task, err := c.Task(ctx, *flow.TaskID)
	if err != nil {
		return Plan{}, err
	}
	run := creation{session: w, request: *o.Task}
	if err := run.check(task); err != nil {
		return Plan{}, err
	}
	return run.outline(ctx, &task)
}

// request returns the request that started the flow.
func (f *Flow) request() (ActionRequest, error) {
	if f.Task != nil {
		return Fund(*f.Task), nil
	}
	o := ActionRequest{Action: f.Action, Reason: f.Reason}
	act, ok := market.ActNamed(string(f.Action))
	switch {
	case !ok:
		return o, fmt.Errorf("operation %q has an unknown action %q", f.Key, f.Action)
	case f.TaskID == nil || act.OnApplication() && f.ApplicationID == nil:
		return o, fmt.Errorf("operation %q has no task or application", f.Key)
	}
	o.TaskID = *f.TaskID
	if f.ApplicationID != nil {
		o.Application = *f.ApplicationID
	}
	return o, nil
}

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
