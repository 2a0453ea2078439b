package hire

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type searchHumansOptions struct {
	*cli.App
	pages     cli.PageFlags
	minRating float64
}

func searchHumansCommand(a *cli.App) *cobra.Command {
	o := &searchHumansOptions{App: a}
	c := &cobra.Command{
		Use:   "search-humans",
		Short: "Find humans who are available for work",
		Long:  "Find humans who are available for work, the most recently registered first. Filters can be combined.",
		Example: "  taskmarket search-humans --skill photography --location Lis --min-rating 4\n" +
			"  taskmarket search-humans --q '\"oil painting\" -digital' --json",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.Flags()) },
	}
	flags := c.Flags()
	flags.String("q", "", "search in name, bio and skills; supports quoted phrases, and -word to exclude a word")
	flags.String("skill", "", "only with this skill")
	flags.String("location", "", "only locations that begin with this text")
	flags.Bool("remote", false, "only humans who work remotely; --remote=false for the others")
	flags.Float64Var(&o.minRating, "min-rating", 0, "the minimum average rating, from 1 to 5")
	flags.Bool("verified", false, "only verified humans; --verified=false for the others")
	o.pages.Add(flags)
	return c
}

func (o *searchHumansOptions) run(ctx context.Context, flags *pflag.FlagSet) error {
	query := client.HumanQuery{
		Q: cli.TextFlag[string](flags, "q"), Skill: cli.TextFlag[string](flags, "skill"), Location: cli.TextFlag[string](flags, "location"),
		Remote: cli.BoolFlag(flags, "remote"), Verified: cli.BoolFlag(flags, "verified"),
	}
	if flags.Changed("min-rating") {
		if o.minRating < cli.MinRating || o.minRating > cli.MaxRating {
			return cli.UsageError("--min-rating %v: must be from %d to %d", o.minRating, cli.MinRating, cli.MaxRating)
		}
		query.MinRating = &o.minRating
	}
	agent, err := o.AgentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.HumanPage, client.Human]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.HumanPage, error) {
			q := query
			q.Page, q.PageSize, q.Cursor = p.Parameters()
			return agent.Humans(ctx, q)
		},
		Parts: func(p *client.HumanPage) cli.Parts[client.Human] {
			return cli.Parts[client.Human]{Items: &p.Humans, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show:     func(p client.HumanPage) error { return o.show(ctx, agent, p.Humans) },
		NotFound: "no humans found",
	})
}

func (o *searchHumansOptions) show(ctx context.Context, agent *client.Client, humans []client.Human) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	entries := make([]cli.Entry, len(humans))
	for i, h := range humans {
		about := []string{
			h.Username, cli.Quoted(h.DisplayName), cli.FormatRating(h.AvgRating, h.TotalReviews),
			fmt.Sprintf("completed tasks: %d", h.TasksCompleted), fmt.Sprintf("counterparties: %d", h.Counterparties),
		}
		if h.IsVerified {
			about = append(about, "verified")
		}
		if h.HourlyRate != nil {
			about = append(about, cli.FormatWei(*h.HourlyRate, symbol)+" an hour")
		}
		for _, skill := range h.Skills {
			about = append(about, cli.Quoted(skill))
		}
		about = append(about, locationText(h.Location, h.Remote), "id "+h.ID.String())
		entries[i] = cli.Entry{About: about, Text: h.Bio}
	}
	return o.PrintEntries(entries)
}
