package hire

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
	gen "taskmarket/gen/client"
)

type acceptApplicationOptions struct {
	spend.Command
	first   bool
	waitFor time.Duration
}

func acceptApplicationCommand(a *cli.App) *cobra.Command {
	o := &acceptApplicationOptions{Command: spend.Command{App: a}}
	c := &cobra.Command{
		Use:   "accept-application TASK [APPLICATION]",
		Short: "Accept an applicant for a task",
		Long: "Accept an applicant for a task. The human's stake is verified on the chain first. The other applicants can withdraw\n" +
			"their stakes. With --first instead of APPLICATION, the oldest application that can be accepted is taken.",
		Example: "  taskmarket accept-application 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1e0-11aa-7bbb-8ccc-2d3e4f506172\n" +
			"  taskmarket accept-application 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --first --wait --yes",
		Args: func(_ *cobra.Command, args []string) error { return o.count(args) },
		RunE: func(c *cobra.Command, args []string) error { return o.accept(c.Context(), args) },
	}
	c.Flags().BoolVar(&o.first, "first", false, "accept the oldest application with a locked stake")
	spend.WaitFlag(c, &o.waitFor, "wait", "with --first: how long to wait for an application")
	o.AddFlags(c)
	return c
}

func (o *acceptApplicationOptions) accept(ctx context.Context, args []string) error {
	if o.Resume {
		return o.Run(ctx, nil)
	}
	task, application, err := o.arguments(args)
	if err != nil {
		return err
	}
	return o.Run(ctx, func(ctx context.Context, agent *client.Client) (client.ActionRequest, error) {
		if o.first {
			if application, err = o.choose(ctx, agent, task); err != nil {
				return client.ActionRequest{}, err
			}
		}
		return client.Accept(task, application), nil
	})
}

// count checks that TASK and APPLICATION, or the flags that replace them, are present.
func (o *acceptApplicationOptions) count(args []string) error {
	switch {
	case o.Resume:
		return spend.ArgsUnlessResumed(&o.Resume)(nil, args)
	case len(args) == 0:
		return cli.UsageError("TASK is missing")
	case len(args) == 1 && !o.first:
		return cli.UsageError("APPLICATION is missing; --first takes the oldest")
	case len(args) == 2 && o.first && uuid.Validate(args[1]) == nil:
		return cli.UsageError("--first and APPLICATION cannot be combined")
	case len(args) == 2 && o.first:
		return cli.ExtraArgument(args[1])
	case len(args) > 2:
		return cli.ExtraArgument(args[2])
	case o.waitFor != 0 && !o.first:
		return cli.UsageError("--wait requires --first")
	}
	return nil
}

func (o *acceptApplicationOptions) arguments(args []string) (task, application uuid.UUID, err error) {
	if task, err = cli.ParseID("a task", args[0]); err != nil || o.first {
		return task, application, err
	}
	application, err = cli.ParseID("an application", args[1])
	return task, application, err
}

// choose returns the application that an earlier run accepted or started to accept. Otherwise, it
// returns the oldest application with a locked stake, and waits for one if --wait is set.
func (o *acceptApplicationOptions) choose(ctx context.Context, agent *client.Client, task uuid.UUID) (uuid.UUID, error) {
	flows, err := agent.Unfinished(ctx)
	if err != nil {
		return uuid.UUID{}, err
	}
	for _, flow := range flows {
		if flow.Action == o.Act.Action && flow.TaskID != nil && *flow.TaskID == task && flow.ApplicationID != nil {
			return *flow.ApplicationID, nil
		}
	}
	var chosen *client.Application
	find := func(ctx context.Context) (bool, error) {
		chosen, err = oldest(ctx, agent, task)
		return chosen != nil, err
	}
	if err := o.Wait(ctx, "an application for task "+task.String(), o.waitFor, find); err != nil {
		return uuid.UUID{}, err
	}
	o.Progress("selected the application of %s, wallet %s", chosen.HumanUsername, chosen.HumanWallet)
	return chosen.ID, nil
}

// oldest returns the task's accepted application, or else its oldest application that can be
// accepted; nil if there is neither.
func oldest(ctx context.Context, agent *client.Client, task uuid.UUID) (*client.Application, error) {
	var found *client.Application
	for a, err := range agent.AllApplications(ctx, task, client.PageQuery{}, gen.ApplicationStatusAccepted, gen.ApplicationStatusPending) {
		if err != nil {
			return nil, err
		}
		if a.Status == gen.ApplicationStatusAccepted {
			return &a, nil
		}
		if a.Status == gen.ApplicationStatusPending && (found == nil || a.CreatedAt.Before(found.CreatedAt.Time)) {
			found = &a
		}
	}
	return found, nil
}
