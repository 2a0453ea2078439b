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

type disputeTaskOptions struct {
	spend.Command
	reason string
}

func disputeTaskCommand(a *cli.App) *cobra.Command {
	o := &disputeTaskOptions{Command: spend.Command{App: a}}
	c := &cobra.Command{
		Use:   "dispute-task TASK --reason TEXT",
		Short: "Dispute the work within " + market.FormatDuration(market.DisputeWindow) + " of its submission",
		Long: "Dispute the submitted work within " + market.FormatDuration(market.DisputeWindow) + " of its submission. The validators read your reason and decide:\n" +
			"either the human is paid, or you get the amount back and the human loses the stake. If they do not decide\n" +
			"within " + market.FormatDuration(market.DisputedReview) + ", the human is paid.",
		Example: "  taskmarket dispute-task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --reason \"The photographs show another harbour\"",
		Args:    spend.ArgsUnlessResumed(&o.Resume, "TASK"),
		RunE:    func(c *cobra.Command, args []string) error { return o.dispute(c.Context(), args) },
	}
	c.Flags().StringVar(&o.reason, "reason", "", "what is wrong with the work, for the validators: the text, @FILE, or - for stdin")
	o.AddFlags(c)
	return c
}

func (o *disputeTaskOptions) dispute(ctx context.Context, args []string) error {
	if o.Resume {
		return o.Run(ctx, nil)
	}
	if o.reason == "" {
		return cli.UsageError("--reason is missing")
	}
	reason, err := o.TextOrFile("--reason", o.reason, market.MaxReason)
	if err != nil {
		return err
	}
	return o.RunOnTask(ctx, args, func(_ context.Context, _ *client.Client, task uuid.UUID) (client.ActionRequest, error) {
		return client.Dispute(task, reason), nil
	})
}
