package talk

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type createReviewOptions struct {
	*cli.App
	rating  int
	comment string
	yes     bool
}

func createReviewCommand(a *cli.App) *cobra.Command {
	o := &createReviewOptions{App: a}
	c := &cobra.Command{
		Use:   "create-review TASK --rating RATING",
		Short: "Review the human who did a task",
		Long: "Review the human that you accepted for a task, after the task has ended. You can review each task once; other users\n" +
			"of the market can read the review, and it cannot be changed. The comment is up to 2,000 characters; \"-\" reads\n" +
			"standard input.",
		Example: "  taskmarket create-review 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --rating 5 --comment \"Quick and exact.\" --yes",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	c.Flags().IntVar(&o.rating, "rating", 0, "from 1 (bad) to 5 (excellent); required")
	c.Flags().StringVar(&o.comment, "comment", "", "the comment")
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *createReviewOptions) run(ctx context.Context, argument string) error {
	task, err := cli.ParseID("a task", argument)
	if err != nil {
		return err
	}
	if !o.Flags.Changed("rating") {
		return cli.UsageError("--rating is missing")
	}
	if o.rating < cli.MinRating || o.rating > cli.MaxRating {
		return cli.UsageError("--rating %d: must be from %d to %d", o.rating, cli.MinRating, cli.MaxRating)
	}
	if o.Flags.Changed("comment") {
		if o.comment, err = o.TextArgument("the comment", o.comment, market.MaxReviewComment); err != nil {
			return err
		}
	}
	return o.WithAgent(func(agent *client.Client) error {
		if err := o.Agree(ctx, o.yes, fmt.Sprintf("Publish this review with the rating %d of %d? It cannot be changed.", o.rating, cli.MaxRating)); err != nil {
			return err
		}
		review, err := agent.Review(ctx, task, o.rating, o.comment)
		if err != nil {
			return err
		}
		return o.Print(review,
			cli.Field{"Review", review.ID.String()},
			cli.Field{"Rating", fmt.Sprintf("%d of %d", review.Rating, cli.MaxRating)},
			cli.Field{"Of", "the " + string(review.RevieweeType) + " of task " + review.TaskID.String()},
		)
	})
}
