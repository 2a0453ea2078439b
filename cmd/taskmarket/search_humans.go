package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
)

type searchHumansOptions struct {
	*app
	pages     pageFlags
	minRating float64
}

func searchHumansCommand(a *app) *cobra.Command {
	o := &searchHumansOptions{app: a}
	c := &cobra.Command{
		Use:   "search-humans",
		Short: "Find humans who look for work",
		Long:  "Find humans who say that they are available, the newest first. Filters combine.",
		Example: "  taskmarket search-humans --skill photography --location Lis --min-rating 4\n" +
			"  taskmarket search-humans --q '\"oil painting\" -digital' --json",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.Flags()) },
	}
	flags := c.Flags()
	flags.String("q", "", "words to find in name, bio and skills; quotes and a minus work")
	flags.String("skill", "", "only with this skill")
	flags.String("location", "", "how the location begins")
	flags.Bool("remote", false, "only who works from anywhere; --remote=false for the others")
	flags.Float64Var(&o.minRating, "min-rating", 0, "only with reviews that average at least this, from 1 to 5")
	flags.Bool("verified", false, "only with a linked account; --verified=false for the others")
	o.pages.add(flags)
	return c
}

func (o *searchHumansOptions) run(ctx context.Context, flags *pflag.FlagSet) error {
	query := client.HumanQuery{
		Q: givenText[string](flags, "q"), Skill: givenText[string](flags, "skill"), Location: givenText[string](flags, "location"),
		Remote: givenBool(flags, "remote"), Verified: givenBool(flags, "verified"),
	}
	if flags.Changed("min-rating") {
		if o.minRating < worstRating || o.minRating > bestRating {
			return usageError("--min-rating %v: ratings are from %d to %d", o.minRating, worstRating, bestRating)
		}
		query.MinRating = &o.minRating
	}
	agent, err := o.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return showList(ctx, o.app, &o.pages, list[client.HumanPage, client.Human]{
		fetch: func(ctx context.Context, p client.PageQuery) (client.HumanPage, error) {
			q := query
			q.Page, q.PageSize, q.Cursor = p.Parameters()
			return agent.Humans(ctx, q)
		},
		parts: func(p *client.HumanPage) parts[client.Human] {
			return parts[client.Human]{&p.Humans, &p.NextCursor, &p.PageSize, p.Total}
		},
		show:     func(p client.HumanPage) error { return o.show(ctx, agent, p.Humans) },
		notFound: "nobody found",
	})
}

func (o *searchHumansOptions) show(ctx context.Context, agent *client.Client, humans []client.Human) error {
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return err
	}
	entries := make([]entry, len(humans))
	for i, h := range humans {
		about := []string{h.Username, quoted(h.Name), ratingText(h.AverageRating, h.TotalReviews), fmt.Sprintf("%d done", h.TasksCompleted)}
		if h.IsVerified {
			about = append(about, "verified")
		}
		if h.HourlyRate != nil {
			about = append(about, formatWei(*h.HourlyRate, symbol)+" an hour")
		}
		for _, skill := range h.Skills {
			about = append(about, quoted(skill))
		}
		about = append(about, whereText(h.Location, h.Remote), "id "+h.ID.String())
		entries[i] = entry{about: about, text: h.Bio}
	}
	return o.printEntries(entries)
}
