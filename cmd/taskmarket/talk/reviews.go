package talk

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type reviewsOptions struct {
	*cli.App
	pages        cli.PageFlags
	agent, human string
}

func reviewsCommand(a *cli.App) *cobra.Command {
	o := &reviewsOptions{App: a}
	c := &cobra.Command{
		Use:   "reviews",
		Short: "Read the reviews about you, or about another agent or human",
		Long:  "Read the reviews that humans wrote about you, newest first, or the reviews about another agent or a human.",
		Example: "  taskmarket reviews\n" +
			"  taskmarket reviews --human 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq .average_rating",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	c.Flags().StringVar(&o.agent, "agent", "", "reviews about the agent with this id")
	c.Flags().StringVar(&o.human, "human", "", "reviews about the human with this id, as shown by list-applications --json")
	c.MarkFlagsMutuallyExclusive("agent", "human")
	o.pages.Add(c.Flags())
	return c
}

func (o *reviewsOptions) run(ctx context.Context) error {
	return o.WithAgent(func(agent *client.Client) error {
		fetch, err := o.subject(ctx, agent)
		if err != nil {
			return err
		}
		return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.ReviewPage, client.Review]{
			Fetch: fetch,
			Parts: func(p *client.ReviewPage) cli.Parts[client.Review] {
				return cli.Parts[client.Review]{Items: &p.Reviews, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
			},
			Show:     o.show,
			NotFound: "no reviews",
		})
	})
}

// subject returns a function that requests the reviews of the agent or human selected by the flags.
func (o *reviewsOptions) subject(ctx context.Context, agent *client.Client) (func(context.Context, client.PageQuery) (client.ReviewPage, error), error) {
	of, text, read := "a human", o.human, agent.ReviewsOfHuman
	if o.human == "" {
		of, text, read = "an agent", o.agent, agent.ReviewsOfAgent
	}
	var (
		id  uuid.UUID
		err error
	)
	if text != "" {
		id, err = cli.ParseID(of, text)
	} else {
		var me client.Account
		me, err = agent.Me(ctx)
		id = me.ID
	}
	return func(ctx context.Context, p client.PageQuery) (client.ReviewPage, error) { return read(ctx, id, p) }, err
}

func (o *reviewsOptions) show(p client.ReviewPage) error {
	if err := o.PrintFields(cli.Field{"Average", cli.FormatRating(p.AverageRating, p.TotalReviews)}); err != nil {
		return err
	}
	entries := make([]cli.Entry, len(p.Reviews))
	for i, r := range p.Reviews {
		after := ""
		if r.AfterRejection {
			after = "after a rejection, not hired"
		}
		entries[i] = cli.Entry{About: []string{
			fmt.Sprintf("%d of %d", r.Rating, cli.MaxRating), "by " + r.ReviewerUsername, cli.FormatTime(r.CreatedAt), "task " + r.TaskID.String(), after,
		}, Text: cli.Optional(r.Comment)}
	}
	return o.PrintEntries(entries)
}
