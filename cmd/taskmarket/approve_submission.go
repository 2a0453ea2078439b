package main

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

type approveSubmissionOptions struct {
	spending
	patience, paid time.Duration
}

func approveSubmissionCommand(a *app) *cobra.Command {
	o := &approveSubmissionOptions{spending: spending{app: a, action: market.ActionApprove}}
	c := &cobra.Command{
		Use:   "approve-submission TASK",
		Short: "Approve the work, so that the human is paid",
		Long: "Approve the work that was submitted. It cannot be taken back: the validators release the payment, or time\n" +
			"does " + market.FormatDuration(market.ApprovedReview) + " later. Look at the work first: `taskmarket get-task TASK`, `taskmarket files list TASK`.",
		Example: "  taskmarket approve-submission 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket approve-submission 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --wait --until-paid --yes",
		Args: exactlyUnlessResumed(&o.resume, "TASK"),
		RunE: func(c *cobra.Command, args []string) error { return o.approve(c.Context(), args) },
	}
	waitFlag(c, &o.patience, "wait", "wait so long for the submission")
	waitFlag(c, &o.paid, "until-paid", "then wait so long until the human is paid")
	o.flags(c)
	return c
}

func (o *approveSubmissionOptions) approve(ctx context.Context, args []string) error {
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

func (o *approveSubmissionOptions) begin(ctx context.Context, agent *client.Client, task uuid.UUID) (deed, error) {
	if o.patience > 0 {
		submitted := taskIs(agent, task, func(t client.Task) bool { return t.SubmittedAt != nil || ended(t) })
		if err := o.wait(ctx, "a submission for task "+task.String(), o.patience, submitted); err != nil {
			return deed{}, err
		}
	}
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return deed{}, err
	}
	return deed{
		question: "Approve this work? It cannot be taken back.",
		plan:     func(ctx context.Context) (client.Plan, error) { return agent.PlanApprove(ctx, task) },
		do: func(ctx context.Context) (record, error) {
			outcome, err := agent.Approve(ctx, task)
			if err != nil {
				return record{}, err
			}
			if err := o.awaitPayment(ctx, agent, &outcome); err != nil {
				return record{}, err
			}
			return outcomeOf(outcome, symbol), nil
		},
	}, nil
}

// awaitPayment waits for the end of the task, when that was asked for, and reads
// the task as it is then.
func (o *approveSubmissionOptions) awaitPayment(ctx context.Context, agent *client.Client, outcome *client.Outcome) error {
	if o.paid == 0 {
		return nil
	}
	id := outcome.Task.ID
	if err := o.wait(ctx, "the payment for task "+id.String(), o.paid, taskIs(agent, id, ended)); err != nil {
		return err
	}
	task, err := agent.Task(ctx, id)
	outcome.Task = task
	return err
}

// taskIs asks whether the task's record fits.
func taskIs(agent *client.Client, id uuid.UUID, fits func(client.Task) bool) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		task, err := agent.Task(ctx, id)
		return err == nil && fits(task), err
	}
}

// ended reports whether nothing can happen to the task any more.
func ended(t client.Task) bool {
	switch t.Status {
	case gen.TaskStatusApproved, gen.TaskStatusRejected, gen.TaskStatusCancelled:
		return true
	case gen.TaskStatusNew, gen.TaskStatusFunded, gen.TaskStatusActive, gen.TaskStatusSubmitted,
		gen.TaskStatusDisputed, gen.TaskStatusValidating, gen.TaskStatusExpired:
	}
	return false
}
