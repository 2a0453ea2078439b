package client

import (
	"context"
	"fmt"

	"taskmarket/market"
)

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
	act, known := market.ActNamed(string(f.Action))
	switch {
	case !known:
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
