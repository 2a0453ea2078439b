package money

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
	"taskmarket/market"
)

type cancelTaskOptions struct{ spend.Command }

func cancelTaskCommand(a *cli.App) *cobra.Command {
	o := &cancelTaskOptions{spend.Command{App: a, Action: market.ActionCancel}}
	c := &cobra.Command{
		Use:   "cancel-task TASK",
		Short: "Cancel a task without a submission and get its amount back",
		Long: "Cancel a task without a submission. Its amount is refunded to your wallet, and applicants get their stakes back.\n" +
			"This cannot be undone.",
		Example: "  taskmarket cancel-task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		Args:    spend.ArgsUnlessResumed(&o.Resume, "TASK"),
		RunE:    func(c *cobra.Command, args []string) error { return o.cancel(c.Context(), args) },
	}
	o.AddFlags(c)
	return c
}

func (o *cancelTaskOptions) cancel(ctx context.Context, args []string) error {
	if o.Resume {
		return o.Run(ctx, nil)
	}
	task, err := cli.ParseID("a task", args[0])
	if err != nil {
		return err
	}
	return o.Run(ctx, func(ctx context.Context, agent *client.Client) (spend.Operation, error) {
		return o.begin(ctx, agent, task)
	})
}

func (o *cancelTaskOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID) (spend.Operation, error) {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return spend.Operation{}, err
	}
	return spend.Operation{
		Question: "Cancel this task?",
		Plan:     func(ctx context.Context) (client.Plan, error) { return agent.PlanCancel(ctx, task) },
		Do: func(ctx context.Context) (spend.Result, error) {
			outcome, err := agent.Cancel(ctx, task)
			if err != nil {
				return spend.Result{}, err
			}
			return spend.OutcomeResult(outcome, symbol), nil
		},
	}, nil
}
