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
	o.AddFlags(c)
	return c
}

func (o *approveSubmissionOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID) (spend.Operation, error) {
	if o.waitFor > 0 {
		submitted := taskIs(agent, task, func(t client.Task) bool { return t.SubmittedAt != nil || cli.Ended(t) })
		if err := o.Wait(ctx, "a submission for task "+task.String(), o.waitFor, submitted); err != nil {
			return spend.Operation{}, err
		}
	}
	return o.OnTask(ctx, agent, "Approve this work? This cannot be undone.",
		func(ctx context.Context) (client.Plan, error) { return agent.PlanApprove(ctx, task) },
		func(ctx context.Context) (client.Outcome, error) {
			outcome, err := agent.Approve(ctx, task)
			if err == nil {
				err = o.awaitPayment(ctx, agent, &outcome)
			}
			return outcome, err
		})
}

// awaitPayment waits for the end of the task if --until-paid is set, and stores the updated task in
// outcome.
func (o *approveSubmissionOptions) awaitPayment(ctx context.Context, agent *client.Client, outcome *client.Outcome) error {
	if o.paid == 0 {
		return nil
	}
	id := outcome.Task.ID
	if err := o.Wait(ctx, "the payment for task "+id.String(), o.paid, taskIs(agent, id, cli.Ended)); err != nil {
		return err
	}
	task, err := agent.Task(ctx, id)
	outcome.Task = task
	return err
}

// taskIs returns a function that fetches the task and reports whether it satisfies fits.
func taskIs(agent *client.Client, id uuid.UUID, fits func(client.Task) bool) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		task, err := agent.Task(ctx, id)
		return err == nil && fits(task), err
	}
}
