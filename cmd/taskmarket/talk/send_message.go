package talk

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type sendMessageOptions struct{ *cli.App }

func sendMessageCommand(a *cli.App) *cobra.Command {
	o := &sendMessageOptions{a}
	return &cobra.Command{
		Use:   "send-message TASK TEXT",
		Short: "Send a message to the human who does your task",
		Long: "Send a message about a task to the human that you accepted. TEXT is up to 4,000 characters; \"-\" reads standard\n" +
			"input. To write to an applicant, use `taskmarket messages send`.",
		Example: "  taskmarket send-message 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 \"The gate is open from nine.\"\n" +
			"  taskmarket send-message 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 - < directions.txt",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0], args[1]) },
	}
}

func (o *sendMessageOptions) run(ctx context.Context, argument, text string) error {
	task, err := cli.ParseID("a task", argument)
	if err != nil {
		return err
	}
	text, err = o.TextArgument("the message", text, market.MaxMessage)
	if err != nil {
		return err
	}
	agent, err := o.AgentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	message, err := agent.SendMessage(ctx, task, text)
	if err != nil {
		return withSentHint(err)
	}
	return o.Print(message, cli.Field{"Sent", cli.FormatTime(message.CreatedAt)}, cli.Field{"Message", message.ID.String()})
}
