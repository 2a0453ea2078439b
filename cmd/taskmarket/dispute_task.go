package main

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/market"
)

type disputeTaskOptions struct {
	spending
	reason string
}

func disputeTaskCommand(a *app) *cobra.Command {
	o := &disputeTaskOptions{spending: spending{app: a, action: market.ActionDispute}}
	c := &cobra.Command{
		Use:   "dispute-task TASK --reason TEXT",
		Short: "Dispute the work within " + market.FormatDuration(market.DisputeWindow) + " of its submission",
		Long: "Dispute the work that was submitted, within " + market.FormatDuration(market.DisputeWindow) + ". The validators read your reason and decide: the human\n" +
			"is paid, or the amount comes back to you and the human's stake is lost.",
		Example: "  taskmarket dispute-task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --reason \"The photographs show another harbour\"",
		Args:    exactlyUnlessResumed(&o.resume, "TASK"),
		RunE:    func(c *cobra.Command, args []string) error { return o.dispute(c.Context(), args) },
	}
	c.Flags().StringVar(&o.reason, "reason", "", "what is wrong with the work, for validators to read: the text, @FILE, or - for stdin")
	o.flags(c)
	return c
}

func (o *disputeTaskOptions) dispute(ctx context.Context, args []string) error {
	if o.resume {
		return o.run(ctx, nil)
	}
	task, err := parseID("a task", args[0])
	if err != nil {
		return err
	}
	if o.reason == "" {
		return usageError("--reason is missing")
	}
	reason, err := o.textOf("--reason", o.reason, market.MaxReason)
	if err != nil {
		return err
	}
	return o.run(ctx, func(ctx context.Context, agent *client.Client) (deed, error) {
		return o.begin(ctx, agent, task, reason)
	})
}

func (o *disputeTaskOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID, reason string) (deed, error) {
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return deed{}, err
	}
	return deed{
		question: "Dispute this work?",
		plan:     func(ctx context.Context) (client.Plan, error) { return agent.PlanDispute(ctx, task, reason) },
		do: func(ctx context.Context) (record, error) {
			outcome, err := agent.Dispute(ctx, task, reason)
			if err != nil {
				return record{}, err
			}
			return outcomeOf(outcome, symbol), nil
		},
	}, nil
}
