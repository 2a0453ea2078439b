package client

import (
	"context"
	"fmt"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Unfinished returns what the journal says is under way for the Signer's wallet:
// actions that were begun and whose end was not seen. It asks nobody else.
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

// FindPaid returns a flow for each of the agent's tasks that the API shows as
// new although the chain has its payment. It needs no journal. The API finds
// such payments by itself in time; Resume makes it look at once.
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
			return nil, fmt.Errorf("look for the payment of task %s: %w", task.ID, err)
		}
		if paid != nil {
			flows = append(flows, Flow{
				Action: market.ActionFund, ChainID: w.deployment.ChainID, Wallet: w.signer.Address(), TaskID: &task.ID, Paid: paid,
			})
		}
	}
	return flows, nil
}

// Resume goes on with a flow that Unfinished or FindPaid returned, as asking for
// the same action again would. A flow that is only planned is begun again, with
// its review. One that another program has ended meanwhile is ErrEnded.
func (c *Client) Resume(ctx context.Context, flow Flow) (Outcome, error) {
	o, err := flow.order()
	switch {
	case err != nil:
		return Outcome{}, err
	case flow.Action != market.ActionFund:
		_, outcome, err := c.perform(ctx, o, true)
		if err != nil {
			return Outcome{}, fmt.Errorf("resume to %s: %w", flow.Action, err)
		}
		return outcome, nil
	case flow.Paid != nil:
		task, err := c.ConfirmFunding(ctx, *flow.TaskID, *flow.Paid)
		return Outcome{Task: task, TxHash: flow.Paid}, err
	}
	task, err := c.create(ctx, *flow.Task, true)
	return Outcome{Task: task}, err
}

// order returns what the flow was asked for; of a task's creation nothing.
func (f *Flow) order() (order, error) {
	o := order{application: f.ApplicationID, reason: f.Reason}
	switch f.Action { //nolint:exhaustive // the others are no agent's, or need no transaction
	case market.ActionFund:
		if f.Task == nil && (f.TaskID == nil || f.Paid == nil) {
			return o, fmt.Errorf("flow %q does not say which task it makes", f.Key)
		}
		return o, nil
	case market.ActionAccept:
		o.kind = acceptance()
	case market.ActionReject:
		o.kind = rejection()
	case market.ActionApprove:
		o.kind = approval()
	case market.ActionDispute:
		o.kind = dispute()
	case market.ActionCancel:
		o.kind = cancellation()
	default:
		return o, fmt.Errorf("flow %q is for %q, which this program does not know", f.Key, f.Action)
	}
	aboutOne := f.Action == market.ActionAccept || f.Action == market.ActionReject
	if f.TaskID == nil || aboutOne && f.ApplicationID == nil {
		return o, fmt.Errorf("flow %q does not say what it is about", f.Key)
	}
	o.task = *f.TaskID
	return o, nil
}
