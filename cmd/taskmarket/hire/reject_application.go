package hire

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
	"taskmarket/market"
)

type rejectApplicationOptions struct {
	spend.Command
	reason string
}

func rejectApplicationCommand(a *cli.App) *cobra.Command {
	o := &rejectApplicationOptions{Command: spend.Command{App: a}}
	c := &cobra.Command{
		Use:   "reject-application TASK APPLICATION",
		Short: "Reject an application, which forfeits its stake",
		Long: "Reject an application. Its stake goes to the treasury, and this cannot be undone: use it only for applications\n" +
			"that abuse the market. To choose another applicant, accept that one instead: the others can then withdraw their\n" +
			"stakes. An application without a stake is rejected without a transaction.\n\n" +
			"Your profile and the task show how many stakes were forfeited. The service lets you reject at most " + strconv.Itoa(market.MaxForfeits) + " applications\n" +
			"with a stake for each task, and a limited number in any " + market.FormatDuration(market.ForfeitInterval) + ", by default " + strconv.Itoa(market.MaxDailyForfeits) + ". Each human whose stake is\n" +
			"forfeited can review you.",
		Example: "  taskmarket reject-application 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1e0-11aa-7bbb-8ccc-2d3e4f506172 --reason Spam",
		Args:    spend.ArgsUnlessResumed(&o.Resume, "TASK", "APPLICATION"),
		RunE:    func(c *cobra.Command, args []string) error { return o.reject(c.Context(), args) },
	}
	c.Flags().StringVar(&o.reason, "reason", "", "the reason for the applicant: the text, @FILE, or - for stdin; required if there is a stake")
	o.AddFlags(c)
	return c
}

func (o *rejectApplicationOptions) reject(ctx context.Context, args []string) error {
	if o.Resume {
		return o.Run(ctx, nil)
	}
	task, err := cli.ParseID("a task", args[0])
	if err != nil {
		return err
	}
	application, err := cli.ParseID("an application", args[1])
	if err != nil {
		return err
	}
	reason := ""
	if o.reason != "" {
		if reason, err = o.TextOrFile("--reason", o.reason, market.MaxRejection); err != nil {
			return err
		}
	}
	return o.Run(ctx, func(context.Context, *client.Client) (client.ActionRequest, error) {
		return client.Reject(task, application, reason), nil
	})
}
