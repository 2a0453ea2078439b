package hire

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

func listApplicationsCommand(a *cli.App) *cobra.Command {
	var words []string
	c := a.ListCommand("a task", &cobra.Command{
		Use:   "list-applications TASK",
		Short: "List the applications for your task",
		Long: "List the applications for your task, newest first, with each human's message. A pending application has a locked\n" +
			"stake and can be accepted.",
		Example: "  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq -r '.applications[0].id'\n" +
			"  taskmarket list-applications 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --status pending",
	}, func(ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, task uuid.UUID) error {
		statuses, err := applicationStatuses(words)
		if err != nil {
			return err
		}
		return listApplications(ctx, a, agent, pages, task, statuses)
	})
	c.Flags().StringSliceVar(&words, "status", nil, "only these statuses, separated by commas")
	return c
}

// applicationStatuses parses the values of --status.
func applicationStatuses(words []string) ([]client.ApplicationStatus, error) {
	var statuses []client.ApplicationStatus
	for _, word := range words {
		status := client.ApplicationStatus(strings.TrimSpace(word))
		if !status.Valid() {
			return nil, cli.UsageError("--status %q: must be one of new, pending, accepted, rejected, withdrawn, released, expired", word)
		}
		statuses = append(statuses, status)
	}
	return statuses, nil
}

func listApplications(
	ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, task uuid.UUID, statuses []client.ApplicationStatus,
) error {
	return cli.ShowList(ctx, a, pages, cli.List[client.ApplicationPage, client.Application]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.ApplicationPage, error) {
			return agent.Applications(ctx, task, p, statuses...)
		},
		Parts: func(p *client.ApplicationPage) cli.Parts[client.Application] {
			return cli.Parts[client.Application]{Items: &p.Applications, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show:     func(p client.ApplicationPage) error { return showApplications(ctx, a, agent, p.Applications) },
		NotFound: "no applications yet",
	})
}

func showApplications(ctx context.Context, a *cli.App, agent *client.Client, applications []client.Application) error {
	symbol, err := a.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	entries := make([]cli.Entry, len(applications))
	for i, p := range applications {
		verified := ""
		if p.HumanIsVerified {
			verified = "verified"
		}
		entries[i] = cli.Entry{About: []string{
			p.ID.String(), string(p.Status), "by " + p.HumanUsername, verified,
			"stakes " + cli.FormatWei(p.StakeAmount, symbol), cli.Labelled("until", cli.FormatOptionalTime(p.ExpiresAt)),
		}, Text: p.ApplicationMessage}
	}
	return a.PrintEntries(entries)
}
