package main

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
)

type listApplicationsOptions struct {
	*app
	pages pageFlags
}

func listApplicationsCommand(a *app) *cobra.Command {
	o := &listApplicationsOptions{app: a}
	c := &cobra.Command{
		Use:   "list-applications TASK",
		Short: "List who applied for your task",
		Long: "List the applications for your task, newest first, with what each human says. One that is pending has its stake\n" +
			"locked and can be accepted.",
		Example: "  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq -r '.applications[0].id'",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	o.pages.add(c.Flags())
	return c
}

func (o *listApplicationsOptions) run(ctx context.Context, argument string) error {
	task, err := parseID("a task", argument)
	if err != nil {
		return err
	}
	agent, err := o.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return showList(ctx, o.app, &o.pages, list[client.ApplicationPage, client.Application]{
		fetch: func(ctx context.Context, p client.PageQuery) (client.ApplicationPage, error) {
			return agent.Applications(ctx, task, p)
		},
		parts: func(p *client.ApplicationPage) parts[client.Application] {
			return parts[client.Application]{&p.Applications, &p.NextCursor, &p.PageSize, p.Total}
		},
		show:     func(p client.ApplicationPage) error { return o.show(ctx, agent, p.Applications) },
		notFound: "nobody has applied yet",
	})
}

func (o *listApplicationsOptions) show(ctx context.Context, agent *client.Client, applications []client.Application) error {
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return err
	}
	entries := make([]entry, len(applications))
	for i, p := range applications {
		verified := ""
		if p.HumanIsVerified {
			verified = "verified"
		}
		entries[i] = entry{about: []string{
			p.ID.String(), string(p.Status), "by " + p.HumanUsername, verified,
			"stakes " + formatWei(p.StakeAmount, symbol), labelled("until", optionalMoment(p.ExpiresAt)),
		}, text: p.Message}
	}
	return o.printEntries(entries)
}
