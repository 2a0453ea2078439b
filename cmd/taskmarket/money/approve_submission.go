package money

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
	"taskmarket/market"
)

type approveSubmissionOptions struct {
	spend.Command
	waitFor, paid time.Duration
}

func approveSubmissionCommand(a *cli.App) *cobra.Command {
	o := &approveSubmissionOptions{Command: spend.Command{App: a}}
	c := &cobra.Command{
		Use:   "approve-submission TASK",
		Short: "Approve the work and pay the human",
		Long: "Approve the submitted work. This cannot be undone: the validators release the payment, or it is released\n" +
			"automatically after " + market.FormatDuration(market.ApprovedReview) + ". Check the work first: `taskmarket get-task TASK`, `taskmarket files list TASK`.",
		Example: "  taskmarket approve-submission 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket approve-submission 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --wait --until-paid --yes",
		Args: spend.ArgsUnlessResumed(&o.Resume, "TASK"),
		RunE: func(c *cobra.Command, args []string) error { return o.RunOnTask(c.Context(), args, o.begin) },
	}
	spend.WaitFlag(c, &o.waitFor, "wait", "how long to wait for the submission")
	spend.WaitFlag(c, &o.paid, "until-paid", "after the approval, how long to wait for the human's payment")
	o.After = o.awaitPayment
	o.AddFlags(c)
	return c
}

func (o *approveSubmissionOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID) (client.ActionRequest, error) {
	if o.waitFor > 0 {
		submitted := taskIs(agent, task, func(t client.Task) bool { return t.SubmittedAt != nil || cli.Ended(t) })
		if err := o.Wait(ctx, "a submission for task "+task.String(), o.waitFor, submitted); err != nil {
			return client.ActionRequest{}, err
		}
	}
	return client.Approve(task), nil
}

// awaitPayment waits for the end of the task if --until-paid is set, and returns the updated task.
func (o *approveSubmissionOptions) awaitPayment(ctx context.Context, agent *client.Client, task client.Task) (client.Task, error) {
	if o.paid == 0 {
		return task, nil
	}
	if err := o.Wait(ctx, "the payment for task "+task.ID.String(), o.paid, taskIs(agent, task.ID, cli.Ended)); err != nil {
		return task, err
	}
	return agent.Task(ctx, task.ID)
}

// taskIs returns a function that fetches the task and reports whether it matches.
func taskIs(agent *client.Client, id uuid.UUID, matches func(client.Task) bool) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		task, err := agent.Task(ctx, id)
		return err == nil && matches(task), err
	}
}
