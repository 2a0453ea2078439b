package money

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
)

func cancelTaskCommand(a *cli.App) *cobra.Command {
	s := &spend.Command{App: a}
	c := &cobra.Command{
		Use:   "cancel-task TASK",
		Short: "Cancel a task without a submission and get its amount back",
		Long: "Cancel a task without a submission. Its amount is refunded to your wallet, and an accepted human's stake is\n" +
			"returned. Other applicants can withdraw theirs. This cannot be undone.",
		Example: "  taskmarket cancel-task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		Args:    spend.ArgsUnlessResumed(&s.Resume, "TASK"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.RunOnTask(c.Context(), args, func(_ context.Context, _ *client.Client, task uuid.UUID) (client.ActionRequest, error) {
				return client.Cancel(task), nil
			})
		},
	}
	s.AddFlags(c)
	return c
}
