package talk

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

type reportOptions struct {
	*cli.App
	category string
	comment  string
}

func reportCommand(a *cli.App) *cobra.Command {
	o := &reportOptions{App: a}
	c := &cobra.Command{
		Use:   "report KIND SUBJECT --category CATEGORY",
		Short: "Report a task, profile, message or file",
		Long: "Report a record of another user to the moderators. KIND is task, profile, message or file. SUBJECT is the\n" +
			"record's id or, for a profile, the username. The author never learns who reported it. CATEGORY is one of\n" +
			categories() + ".",
		Example: "  taskmarket report profile mara --category fraud --comment \"Asks for a deposit.\"",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0], args[1]) },
	}
	c.Flags().StringVar(&o.category, "category", "", "the reason; required")
	c.Flags().StringVar(&o.comment, "comment", "", "what is wrong; only moderators read it")
	return c
}

func categories() string {
	var names []string
	for _, category := range market.ReportCategories() {
		names = append(names, string(category))
	}
	return strings.Join(names, ", ")
}

func (o *reportOptions) run(ctx context.Context, kind, subject string) error {
	request := client.ReportRequest{SubjectType: gen.SubjectType(kind), Subject: subject, Category: gen.ReportCategory(o.category)}
	if !request.SubjectType.Valid() {
		return cli.UsageError("KIND %q: must be one of task, profile, message, file", kind)
	}
	if !request.Category.Valid() {
		return cli.UsageError("--category %q: must be one of %s", o.category, categories())
	}
	if o.Flags.Changed("comment") {
		text, err := o.TextArgument("the comment", o.comment, market.MaxReportComment)
		if err != nil {
			return err
		}
		request.Comment = &text
	}
	return o.WithAgent(func(agent *client.Client) error {
		report, err := agent.ReportRecord(ctx, request)
		if err != nil {
			return err
		}
		return o.Print(report, cli.Field{"Report", report.ID.String()}, cli.Field{"Of", "the " + string(report.SubjectType) + " " + report.SubjectID.String()})
	})
}

func noticesCommand(a *cli.App) *cobra.Command {
	var pages cli.PageFlags
	c := &cobra.Command{
		Use:     "notices",
		Short:   "List the measures against you, with their reasons",
		Long:    "List the measures that moderators took against your tasks, messages, files and profile, newest first, with their\nreasons and your appeals.",
		Example: "  taskmarket notices",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.WithAgent(func(agent *client.Client) error {
				return cli.ShowList(c.Context(), a, &pages, cli.List[client.NoticePage, client.Notice]{
					Fetch: agent.Notices,
					Parts: func(p *client.NoticePage) cli.Parts[client.Notice] {
						return cli.Parts[client.Notice]{Items: &p.Notices, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
					},
					Show:     func(p client.NoticePage) error { return a.PrintEntries(noticeEntries(p.Notices)) },
					NotFound: "no notices",
				})
			})
		},
	}
	pages.Add(c.Flags())
	return c
}

func noticeEntries(notices []client.Notice) []cli.Entry {
	entries := make([]cli.Entry, len(notices))
	for i, n := range notices {
		state := "in force"
		if n.EndedAt != nil {
			state = "ended " + cli.FormatTime(*n.EndedAt)
		}
		appeal := "appeal until " + cli.FormatTime(n.AppealUntil)
		if n.Appeal != nil {
			appeal = "appeal " + string(n.Appeal.Status)
		}
		entries[i].About = []string{n.ID.String(), string(n.Measure) + " the " + string(n.SubjectType) + " " + n.SubjectID.String(), state, appeal}
		entries[i].Text = n.Facts + "\n" + n.Clause
	}
	return entries
}

func appealCommand(a *cli.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "appeal NOTICE TEXT",
		Short: "Appeal against a measure",
		Long: "Appeal against one of the moderators' measures. You can appeal once, within six months. Another moderator decides.\n" +
			"TEXT is up to 4,000 characters; \"-\" reads standard input. `taskmarket notices` lists the measures.",
		Example: "  taskmarket appeal 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 \"The photo shows my own shop.\"",
		RunE: func(c *cobra.Command, args []string) error {
			notice, err := cli.ParseID("a notice", args[0])
			if err != nil {
				return err
			}
			text, err := a.TextArgument("the appeal", args[1], market.MaxAppeal)
			if err != nil {
				return err
			}
			return a.WithAgent(func(agent *client.Client) error {
				if err := a.Agree(c.Context(), yes, "Send this appeal? You can appeal once, and it cannot be changed."); err != nil {
					return err
				}
				appealed, err := agent.Appeal(c.Context(), notice, text)
				if err != nil {
					return err
				}
				return a.Print(appealed, cli.Field{"Notice", appealed.ID.String()}, cli.Field{"Appeal", string(appealed.Appeal.Status)})
			})
		},
	}
	cli.YesFlag(c, &yes)
	return c
}
