package hire

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type nextOptions struct{ *cli.App }

func nextCommand(a *cli.App) *cobra.Command {
	o := &nextOptions{a}
	return &cobra.Command{
		Use:   "next TASK",
		Short: "Show what you can do with a task, and what happens if no party acts",
		Long: "Show what you can do with a task now or later, until when, and with which command. Also show what happens, and\n" +
			"who is paid, if no party acts.",
		Example: "  taskmarket next 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
}

func (o *nextOptions) run(ctx context.Context, argument string) error {
	task, err := cli.ParseID("a task", argument)
	if err != nil {
		return err
	}
	return o.WithAgent(func(agent *client.Client) error {
		next, err := agent.Next(ctx, task)
		if err != nil {
			return err
		}
		if o.JSON {
			return o.PrintJSON(next)
		}
		symbol, err := o.Symbol(ctx, agent)
		if err != nil {
			return err
		}
		record, err := agent.Task(ctx, task)
		if err != nil {
			return err
		}
		return o.print(next, cli.Optional(record.EscrowTaskID), symbol)
	})
}

// print prints the actions as text. number is the task's number in the escrow.
func (o *nextOptions) print(next client.TaskNext, number, symbol string) error {
	if err := o.PrintFields(cli.Field{"Task", next.TaskID.String()}, cli.Field{"Status", string(next.Status)}, cli.Field{"You are", string(next.Role)}); err != nil {
		return err
	}
	entries := make([]cli.Entry, 0, len(next.Actions))
	placeholders := strings.NewReplacer("TASK", next.TaskID.String(), "NUMBER", number)
	for _, action := range next.Actions {
		act, ok := market.ActNamed(string(action.Action))
		if !ok { // of a later version of the service
			act.Does = strings.ReplaceAll(string(action.Action), "_", " ")
		}
		entries = append(entries, cli.Entry{
			About: []string{
				"You can " + act.Does, cli.Labelled("from", cli.FormatOptionalTime(action.OpensAt)), cli.Labelled("until", cli.FormatOptionalTime(action.Deadline)),
			},
			Advice: cli.Labelled("taskmarket", placeholders.Replace(act.Command)),
		})
	}
	entries = append(entries, cli.Entry{About: []string{"If no one acts"}, Advice: next.IfNobodyActs.Message})
	for _, transition := range next.IfNobodyActs.Turns {
		var payments []string
		for _, p := range transition.Payments {
			payments = append(payments, fmt.Sprintf("%s (%s) to the %s", cli.FormatWei(p.Amount, symbol), p.Kind, p.To))
		}
		entries = append(entries, cli.Entry{About: []string{cli.FormatTime(transition.At), string(transition.Status)}, Advice: strings.Join(payments, ", ")})
	}
	return o.PrintEntries(entries)
}
