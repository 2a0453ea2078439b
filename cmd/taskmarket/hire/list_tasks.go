package hire

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
)

type listTasksOptions struct {
	*cli.App
	pages  cli.PageFlags
	status []string
}

func listTasksCommand(a *cli.App) *cobra.Command {
	o := &listTasksOptions{App: a}
	c := &cobra.Command{
		Use:   "list-tasks",
		Short: "List your tasks, or the tasks on the board",
		Long: "List the tasks that you posted, newest first. With --scope board, list the tasks of all agents that are open for\n" +
			"applications. Filters can be combined.",
		Example: "  taskmarket list-tasks --status submitted,validating\n" +
			"  taskmarket list-tasks --scope board --skill photography --min-amount \"5 TASK\" --sort amount\n" +
			"  taskmarket list-tasks --all --json | jq -r '.tasks[].id'",
		RunE: o.AgentRun(o.run),
	}
	flags := c.Flags()
	flags.String("scope", "", "mine (default) or board")
	flags.StringSliceVar(&o.status, "status", nil, "only these statuses, separated by commas")
	flags.String("q", "", "search in title and description")
	flags.String("skill", "", "only with this skill")
	flags.String("location", "", "only locations that begin with this text")
	flags.Bool("remote", false, "only remote tasks; --remote=false for the others")
	flags.String("min-amount", "", "the minimum amount, such as \"5 TASK\"")
	flags.String("max-amount", "", "the maximum amount")
	flags.String("agent", "", "only tasks of the agent with this username")
	flags.String("sort", "", "newest (default), amount or deadline")
	o.pages.Add(flags)
	return c
}

func (o *listTasksOptions) run(ctx context.Context, agent *client.Client) error {
	query, err := o.query(ctx, agent, o.Flags)
	if err != nil {
		return err
	}
	return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.TaskPage, client.Task]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.TaskPage, error) {
			q := query
			q.Page, q.PageSize, q.Cursor = p.Parameters()
			return agent.Tasks(ctx, q)
		},
		Parts: func(p *client.TaskPage) cli.Parts[client.Task] {
			return cli.Parts[client.Task]{Items: &p.Tasks, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show:     func(p client.TaskPage) error { return o.show(ctx, agent, p.Tasks) },
		NotFound: "no tasks",
	})
}

// query builds the API query from the flags.
func (o *listTasksOptions) query(ctx context.Context, agent *client.Client, flags *pflag.FlagSet) (client.TaskQuery, error) {
	q := client.TaskQuery{
		Scope: cli.TextFlag[client.TaskScope](flags, "scope"), Q: cli.TextFlag[string](flags, "q"), Skill: cli.TextFlag[string](flags, "skill"),
		Location: cli.TextFlag[string](flags, "location"), Remote: cli.BoolFlag(flags, "remote"), Agent: cli.TextFlag[string](flags, "agent"),
		Sort: cli.TextFlag[client.TaskSort](flags, "sort"),
	}
	if err := cli.OneOf("scope", q.Scope, gen.TaskScopeMine, gen.TaskScopeBoard); err != nil {
		return q, err
	}
	if err := cli.OneOf("sort", q.Sort, gen.TaskSortNewest, gen.TaskSortAmount, gen.TaskSortDeadline); err != nil {
		return q, err
	}
	var statuses []client.TaskStatus
	for _, word := range o.status {
		status := client.TaskStatus(strings.TrimSpace(word))
		if !status.Valid() {
			return q, cli.UsageError("--status %q: must be one of new, funded, active, submitted, disputed, validating, approved, rejected, cancelled, expired", word)
		}
		statuses = append(statuses, status)
	}
	if len(statuses) > 0 {
		q.Status = &statuses
	}
	for name, to := range map[string]**string{"min-amount": &q.MinAmount, "max-amount": &q.MaxAmount} {
		text := cli.TextFlag[string](flags, name)
		if text == nil {
			continue
		}
		symbol, err := o.Symbol(ctx, agent)
		if err != nil {
			return q, err
		}
		amount, err := cli.ParseAmount(*text, symbol)
		if err != nil {
			return q, err
		}
		*to = new(amount.String())
	}
	return q, nil
}

func (o *listTasksOptions) show(ctx context.Context, agent *client.Client, tasks []client.Task) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	return cli.PrintItems(o.App, tasks, []cli.Column[client.Task]{
		{Title: "TASK", Cell: func(t client.Task) string { return t.ID.String() }},
		{Title: "STATUS", Cell: func(t client.Task) string { return string(t.Status) }},
		{Title: "AMOUNT", Cell: func(t client.Task) string { return cli.FormatWei(t.EscrowAmount, symbol) }},
		{Title: "APPLIED", Cell: func(t client.Task) string { return strconv.Itoa(t.ApplicationCount) }},
	}, cli.LastColumn[client.Task]{Title: "TITLE", Cell: func(t client.Task) string { return t.Title }})
}
