package main

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/market"
)

type cancelTaskOptions struct{ spending }

func cancelTaskCommand(a *app) *cobra.Command {
	o := &cancelTaskOptions{spending{app: a, action: market.ActionCancel}}
	c := &cobra.Command{
		Use:   "cancel-task TASK",
		Short: "End a task without a submission and get its amount back",
		Long: "End a task to which no work was submitted. Its amount comes back to your wallet, and applicants' stakes to\n" +
			"them. It cannot be taken back.",
		Example: "  taskmarket cancel-task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		Args:    exactlyUnlessResumed(&o.resume, "TASK"),
		RunE:    func(c *cobra.Command, args []string) error { return o.cancel(c.Context(), args) },
	}
	o.flags(c)
	return c
}

func (o *cancelTaskOptions) cancel(ctx context.Context, args []string) error {
	if o.resume {
		return o.run(ctx, nil)
	}
	task, err := parseID("a task", args[0])
	if err != nil {
		return err
	}
	return o.run(ctx, func(ctx context.Context, agent *client.Client) (deed, error) {
		return o.begin(ctx, agent, task)
	})
}

func (o *cancelTaskOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID) (deed, error) {
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return deed{}, err
	}
	return deed{
		question: "Cancel this task?",
		plan:     func(ctx context.Context) (client.Plan, error) { return agent.PlanCancel(ctx, task) },
		do: func(ctx context.Context) (record, error) {
			outcome, err := agent.Cancel(ctx, task)
			if err != nil {
				return record{}, err
			}
			return outcomeOf(outcome, symbol), nil
		},
	}, nil
}
