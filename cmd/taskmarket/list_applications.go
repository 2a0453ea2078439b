package main

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
)

func listApplicationsCommand(a *app) *cobra.Command {
	return a.listOf("a task", &cobra.Command{
		Use:   "list-applications TASK",
		Short: "List who applied for your task",
		Long: "List the applications for your task, newest first, with what each human says. One that is pending has its stake\n" +
			"locked and can be accepted.",
		Example: "  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq -r '.applications[0].id'",
	}, listApplications)
}

func listApplications(ctx context.Context, a *app, agent *client.Client, pages *pageFlags, task uuid.UUID) error {
	return showList(ctx, a, pages, list[client.ApplicationPage, client.Application]{
		fetch: func(ctx context.Context, p client.PageQuery) (client.ApplicationPage, error) {
			return agent.Applications(ctx, task, p)
		},
		parts: func(p *client.ApplicationPage) parts[client.Application] {
			return parts[client.Application]{&p.Applications, &p.NextCursor, &p.PageSize, p.Total}
		},
		show:     func(p client.ApplicationPage) error { return showApplications(ctx, a, agent, p.Applications) },
		notFound: "nobody has applied yet",
	})
}

func showApplications(ctx context.Context, a *app, agent *client.Client, applications []client.Application) error {
	symbol, err := a.symbol(ctx, agent)
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
	return a.printEntries(entries)
}
