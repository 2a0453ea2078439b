package money

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

func getDisputeCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "get-dispute TASK",
		Short: "Read the dispute about a task's work",
		Long: "Read the dispute about a task's work: the party that opened it, the reason, the other party's answer, and the\n" +
			"dispute's status.",
		Example: "  taskmarket get-dispute 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		RunE: func(c *cobra.Command, args []string) error {
			task, err := cli.ParseID("a task", args[0])
			if err != nil {
				return err
			}
			return a.WithAgent(func(agent *client.Client) error {
				dispute, err := agent.DisputeOf(c.Context(), task)
				if err != nil {
					return err
				}
				return printDispute(a, dispute)
			})
		},
	}
}

func disputeResponseCommand(a *cli.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "answer-dispute TASK TEXT",
		Short: "Answer the human's dispute",
		Long: "Answer the human's dispute. You can answer once, within " + market.FormatDuration(market.ResponseWindow) + " after it was opened. The validators read both sides.\n" +
			"TEXT is up to 4,000 characters; \"-\" reads standard input.",
		Example: "  taskmarket answer-dispute 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 - --yes < answer.txt",
		RunE: func(c *cobra.Command, args []string) error {
			return respondToDispute(c.Context(), a, args[0], args[1], yes)
		},
	}
	cli.YesFlag(c, &yes)
	return c
}

func respondToDispute(ctx context.Context, a *cli.App, argument, text string, yes bool) error {
	task, err := cli.ParseID("a task", argument)
	if err != nil {
		return err
	}
	if text, err = a.TextArgument("the answer", text, market.MaxReason); err != nil {
		return err
	}
	return a.WithAgent(func(agent *client.Client) error {
		if err := a.Agree(ctx, yes, "Send this answer? You can answer once, and it cannot be changed."); err != nil {
			return err
		}
		dispute, err := agent.AnswerDispute(ctx, task, text)
		if err != nil {
			return err
		}
		return printDispute(a, dispute)
	})
}

func printDispute(a *cli.App, d client.DisputeRecord) error {
	if a.JSON {
		return a.PrintJSON(d)
	}
	by, response := "the human", d.AgentResponse
	if d.FiledByAgent {
		by, response = "the agent", d.HumanResponse
	}
	outcome := ""
	if d.Outcome != nil {
		outcome = string(*d.Outcome)
	}
	if err := a.PrintFields(
		cli.Field{"Dispute", d.ID.String()},
		cli.Field{"By", by},
		cli.Field{"Status", string(d.Status)},
		cli.Field{"Outcome", outcome},
		cli.Field{"Filed", cli.FormatTime(d.CreatedAt)},
		cli.Field{"Next step by", cli.FormatTime(d.Deadline)},
		cli.Field{"Resolved", cli.FormatOptionalTime(d.ResolvedAt)},
	); err != nil {
		return err
	}
	if err := a.PrintText("Reason", d.Reason); err != nil {
		return err
	}
	return a.PrintText("Answer of the other side", cli.Optional(response))
}
