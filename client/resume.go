package client

import (
	"context"
	"fmt"

	gen "taskmarket/gen/client"
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

// FindPaid returns a flow for each of the agent's tasks whose payment is on the chain although the
// API still shows the task as new. It needs no journal. The API finds such payments itself after
// some time; Resume makes it check at once.
func (c *Client) FindPaid(ctx context.Context) ([]Flow, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return nil, err
	}
	var flows []Flow
	for task, err := range c.AllTasks(ctx, TaskQuery{Status: &[]TaskStatus{gen.TaskStatusNew}}) {
		if err != nil {
			return nil, err
		}
		paid, err := w.paidFor(ctx, task, task.CreatedAt.Time)
		if err != nil {
			return nil, fmt.Errorf("find the payment of task %s: %w", task.ID, err)
		}
		if paid != nil {
			flows = append(flows, Flow{
				Action: Fund(TaskRequest{}).Action, ChainID: w.deployment.ChainID, Wallet: w.signer.Address(), TaskID: &task.ID, Paid: paid,
			})
		}
	}
	return flows, nil
}

// Resume resumes a flow that Unfinished or FindPaid returned, with the same effect as repeating the
// request. A flow that is only planned starts again, with a new review. If the flow is no longer in the
// journal, because another program has finished it, Resume returns ErrEnded.
func (c *Client) Resume(ctx context.Context, flow Flow) (Outcome, error) {
	o, err := flow.request()
	switch {
	case err != nil:
		return Outcome{}, err
	case flow.Task == nil && flow.Paid == nil:
		_, outcome, err := c.perform(ctx, o, true)
		if err != nil {
			return Outcome{}, fmt.Errorf("resume %s: %w", flow.Action, err)
		}
		return outcome, nil
	case flow.Paid != nil:
		task, err := c.ConfirmFunding(ctx, *flow.TaskID, *flow.Paid)
		return Outcome{Task: task, TxHash: flow.Paid}, err
	}
	task, err := c.create(ctx, *flow.Task, true)
	return Outcome{Task: task}, err
}

// resumeOther calls Options.Resume, if set, before a signed transaction of another flow in the
// journal is sent.
func (c *Client) resumeOther(ctx context.Context, w session, key string) error {
	if c.options.Resume == nil {
		return nil
	}
	flow, err := w.flows.Load(ctx, key)
	if err != nil {
		return err
	}
	if flow == nil {
		return ErrEnded
	}
	o, err := flow.request()
	switch {
	case err != nil:
		return err
	case flow.Task != nil:
		return c.resumeCreation(ctx, w, flow)
	}
	a, err := c.newAction(ctx, w, o)
	if err != nil {
		return err
	}
	return c.resume(ctx, a.outline)
}

// resumeCreation calls Options.Resume before the signed payment of another flow is sent.
func (c *Client) resumeCreation(ctx context.Context, w session, flow *Flow) error {
	if flow.TaskID == nil {
		return fmt.Errorf("operation %q has no task", flow.Key)
	}
	task, err := c.Task(ctx, *flow.TaskID)
	if err != nil {
		return err
	}
	w.flow = flow
	run := creation{session: w, request: *flow.Task}
	if err := run.check(task); err != nil {
		return err
	}
	return c.resume(ctx, func() (Plan, error) { return run.outline(ctx, &task) })
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
