package talk

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

func getMessagesCommand(a *cli.App) *cobra.Command {
	return a.ListCommand("a task", &cobra.Command{
		Use:   "get-messages TASK",
		Short: "Read the messages about a task",
		Long: "Read the messages about a task: the newest page, with the latest message at the bottom; with --json, newest\n" +
			"first as in the API. The messages that are shown are marked as read.",
		Example: "  taskmarket get-messages 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket get-messages 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq -r '.messages[0].content'",
	}, listMessages)
}

func listMessages(ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, task uuid.UUID) error {
	return cli.ShowList(ctx, a, pages, cli.List[client.MessagePage, client.Message]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.MessagePage, error) {
			return agent.Messages(ctx, task, p)
		},
		Parts: func(p *client.MessagePage) cli.Parts[client.Message] {
			return cli.Parts[client.Message]{Items: &p.Messages, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show: func(p client.MessagePage) error {
			entries := make([]cli.Entry, len(p.Messages))
			for i, m := range p.Messages {
				entries[i] = messageEntry(m.SenderType, m.CreatedAt, m.ReadAt, m.Content)
			}
			return printMessages(a, entries)
		},
		NotFound: "no messages",
	})
}

// messageEntry returns the entry for a message. It marks a message from the human that the agent has
// not read, and a message from the agent that the human has not read.
func messageEntry(sender gen.Party, sent market.Time, read *market.Time, text string) cli.Entry {
	unread := ""
	switch {
	case read != nil:
	case sender == gen.PartyHuman:
		unread = "unread"
	default:
		unread = "not read by the human"
	}
	return cli.Entry{About: []string{cli.FormatTime(sent), "from the " + string(sender), unread}, Text: text}
}

// printMessages prints the oldest message first. The API returns the newest first.
func printMessages(a *cli.App, entries []cli.Entry) error {
	slices.Reverse(entries)
	return a.PrintEntries(entries)
}
