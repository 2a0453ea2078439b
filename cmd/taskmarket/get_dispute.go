package main

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/market"
)

func getDisputeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "get-dispute TASK",
		Short:   "Read the dispute about a task's work",
		Long:    "Read the dispute about a task's work: who disputed it and why, what the other side says, and how it stands.",
		Example: "  taskmarket get-dispute 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		RunE: func(c *cobra.Command, args []string) error {
			task, err := parseID("a task", args[0])
			if err != nil {
				return err
			}
			return a.withAgent(func(agent *client.Client) error {
				dispute, err := agent.DisputeOf(c.Context(), task)
				if err != nil {
					return err
				}
				return a.printDispute(dispute)
			})
		},
	}
}

func answerDisputeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "answer-dispute TASK TEXT",
		Short: "Answer the human's dispute",
		Long: "Answer the human's dispute, once and within " + market.FormatDuration(market.ResponseWindow) + " of it: the validators read both sides. The text is one\n" +
			"argument, or standard input for \"-\", of up to 4,000 characters.",
		Example: "  taskmarket answer-dispute 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 - < answer.txt",
		RunE:    func(c *cobra.Command, args []string) error { return a.answerDispute(c.Context(), args[0], args[1]) },
	}
}

func (a *app) answerDispute(ctx context.Context, argument, text string) error {
	task, err := parseID("a task", argument)
	if err != nil {
		return err
	}
	if text, err = a.textArgument("the answer", text, market.MaxReason); err != nil {
		return err
	}
	return a.withAgent(func(agent *client.Client) error {
		dispute, err := agent.AnswerDispute(ctx, task, text)
		if err != nil {
			return err
		}
		return a.printDispute(dispute)
	})
}

func (a *app) printDispute(d client.DisputeRecord) error {
	if a.json {
		return a.printJSON(d)
	}
	outcome := ""
	if d.Outcome != nil {
		outcome = string(*d.Outcome)
	}
	if err := a.printFields(
		field{"Dispute", d.ID.String()},
		field{"By", "the " + string(d.FiledBy)},
		field{"Status", string(d.Status)},
		field{"Outcome", outcome},
		field{"Filed", moment(d.CreatedAt)},
		field{"Next step by", moment(d.Deadline)},
		field{"Resolved", optionalMoment(d.ResolvedAt)},
	); err != nil {
		return err
	}
	if err := a.printText("Reason", d.Reason); err != nil {
		return err
	}
	return a.printText("Answer of the other side", optional(d.Response))
}
