package account

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type activityOptions struct {
	*cli.App
	pages cli.PageFlags
}

func activityCommand(a *cli.App) *cobra.Command {
	o := &activityOptions{App: a}
	c := &cobra.Command{
		Use:   "activity",
		Short: "Show what happened to your tasks, money and messages",
		Long: "Show what happened to your tasks, money and messages, newest first. An event on the chain is pending until it is\n" +
			"final, and reverted if a reorganisation removed it.",
		Example: "  taskmarket activity --type payout --after 2030-06-01\n" +
			"  taskmarket activity --json | jq -r '.activities[] | [.created_at, .title] | @tsv'",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.Flags()) },
	}
	flags := c.Flags()
	flags.String("type", "", "only items of this type: task, application, payout, dispute, review, claim, message or dm")
	flags.String("after", "", "only after this time, such as 2030-06-01 or 2030-06-01T12:00:00Z")
	flags.String("before", "", "only before this time")
	o.pages.Add(flags)
	return c
}

func (o *activityOptions) run(ctx context.Context, flags *pflag.FlagSet) error {
	query := client.ActivityQuery{Type: cli.TextFlag[client.ActivityType](flags, "type")}
	if query.Type != nil && !query.Type.Valid() {
		return cli.UsageError("--type %q: must be one of task, application, payout, dispute, review, claim, message, dm", string(*query.Type))
	}
	var err error
	if query.After, err = cli.TimeFlag(flags, "after"); err != nil {
		return err
	}
	if query.Before, err = cli.TimeFlag(flags, "before"); err != nil {
		return err
	}
	return o.WithAgent(func(agent *client.Client) error {
		return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.ActivityPage, client.ActivityItem]{
			Fetch: func(ctx context.Context, p client.PageQuery) (client.ActivityPage, error) {
				q := query
				q.Page, q.PageSize, q.Cursor = p.Parameters()
				return agent.Activity(ctx, q)
			},
			Parts: func(p *client.ActivityPage) cli.Parts[client.ActivityItem] {
				return cli.Parts[client.ActivityItem]{Items: &p.Activities, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
			},
			Show:     func(p client.ActivityPage) error { return o.show(ctx, agent, p.Activities) },
			NotFound: "no activity",
		})
	})
}

func (o *activityOptions) show(ctx context.Context, agent *client.Client, items []client.ActivityItem) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	entries := make([]cli.Entry, len(items))
	for i, item := range items {
		about := []string{cli.FormatTime(item.CreatedAt), item.Title}
		if item.Amount != nil {
			about = append(about, cli.FormatWei(*item.Amount, symbol))
		}
		if item.RelatedID != nil {
			about = append(about, relatedTo(item.EventType)+" "+item.RelatedID.String())
		}
		entries[i] = cli.Entry{About: append(about, string(item.Status)), Advice: item.Description}
	}
	return o.PrintEntries(entries)
}

// relatedTo returns the type of the record to which an activity's related id refers.
func relatedTo(kind client.ActivityType) string {
	other, ok := map[client.ActivityType]string{
		"payout": "task", "dispute": "task", "review": "task", "message": "task", "dm": "conversation",
	}[kind]
	if ok {
		return other
	}
	return string(kind)
}
