package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

type nextOptions struct{ *app }

func nextCommand(a *app) *cobra.Command {
	o := &nextOptions{a}
	return &cobra.Command{
		Use:   "next TASK",
		Short: "Show what you can do with a task, and what happens otherwise",
		Long: "Show what you can do with a task now or later, until when, and with which command; and what becomes of it and\n" +
			"who gets the money if nobody does anything.",
		Example: "  taskmarket next 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
}

func (o *nextOptions) run(ctx context.Context, argument string) error {
	task, err := parseID("a task", argument)
	if err != nil {
		return err
	}
	return o.withAgent(func(agent *client.Client) error {
		next, err := agent.Next(ctx, task)
		if err != nil {
			return err
		}
		if o.json {
			return o.printJSON(next)
		}
		symbol, err := o.symbol(ctx, agent)
		if err != nil {
			return err
		}
		return o.print(next, symbol)
	})
}

func (o *nextOptions) print(next client.TaskNext, symbol string) error {
	if err := o.printFields(field{"Task", next.TaskID.String()}, field{"Status", string(next.Status)}, field{"You are", string(next.Role)}); err != nil {
		return err
	}
	entries := make([]entry, 0, len(next.Actions))
	for _, action := range next.Actions {
		entries = append(entries, entry{
			about: []string{
				"You can " + strings.ReplaceAll(string(action.Action), "_", " "),
				labelled("from", optionalMoment(action.OpensAt)), labelled("until", optionalMoment(action.Deadline)),
			},
			advice: nextAdvice(action.Action, next.TaskID.String()),
		})
	}
	entries = append(entries, entry{about: []string{"If nobody acts: " + next.IfNobodyActs.Message}})
	for _, turn := range next.IfNobodyActs.Turns {
		about := []string{"  " + moment(turn.At), string(turn.Status)}
		for _, p := range turn.Payments {
			about = append(about, fmt.Sprintf("%s %s to the %s", formatWei(p.Amount, symbol), p.Kind, p.To))
		}
		entries = append(entries, entry{about: about})
	}
	return o.printEntries(entries)
}

// nextAdvice is the command of an action, empty where there is none.
func nextAdvice(action gen.TaskAction, task string) string {
	command := map[gen.TaskAction]string{
		gen.TaskActionFund:       "create-task --resume",
		gen.TaskActionAccept:     "list-applications " + task + ", then accept-application",
		gen.TaskActionReject:     "list-applications " + task + ", then reject-application",
		gen.TaskActionApprove:    "approve-submission " + task,
		gen.TaskActionDispute:    "dispute-task " + task,
		gen.TaskActionRespond:    "answer-dispute " + task,
		gen.TaskActionCancel:     "cancel-task " + task,
		gen.TaskActionMessage:    "send-message " + task,
		gen.TaskActionReview:     "create-review " + task,
		gen.TaskActionUploadFile: "files upload " + task,
	}[action]
	return strings.TrimSpace(labelled("taskmarket", command))
}
