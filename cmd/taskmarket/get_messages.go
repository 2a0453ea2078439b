package main

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

func getMessagesCommand(a *app) *cobra.Command {
	return a.listOf("a task", &cobra.Command{
		Use:   "get-messages TASK",
		Short: "Read what you and the human wrote about a task",
		Long: "Read what you and the human wrote about a task: the newest messages, the last one at the bottom; with --json the\n" +
			"newest first, as the API answers. The human's messages count as read then.",
		Example: "  taskmarket get-messages 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n" +
			"  taskmarket get-messages 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 --json | jq -r '.messages[0].content'",
	}, listMessages)
}

func listMessages(ctx context.Context, a *app, agent *client.Client, pages *pageFlags, task uuid.UUID) error {
	return showList(ctx, a, pages, list[client.MessagePage, client.Message]{
		fetch: func(ctx context.Context, p client.PageQuery) (client.MessagePage, error) {
			return agent.Messages(ctx, task, p)
		},
		parts: func(p *client.MessagePage) parts[client.Message] {
			return parts[client.Message]{&p.Messages, &p.NextCursor, &p.PageSize, p.Total}
		},
		show: func(p client.MessagePage) error {
			entries := make([]entry, len(p.Messages))
			for i, m := range p.Messages {
				entries[i] = letter(m.SenderType, m.CreatedAt, m.ReadAt, m.Content)
			}
			return printLetters(a, entries)
		},
		notFound: "no messages",
	})
}

// letter shows one message: the human's is new until now, the agent's waits for the
// human.
func letter(sender gen.Party, sent market.Time, read *market.Time, text string) entry {
	unread := ""
	switch {
	case read != nil:
	case sender == gen.PartyHuman:
		unread = "new"
	default:
		unread = "not read yet"
	}
	return entry{about: []string{moment(sent), "from the " + string(sender), unread}, text: text}
}

// printLetters shows messages in the order in which they were written; the API
// answers the newest first.
func printLetters(a *app, entries []entry) error {
	slices.Reverse(entries)
	return a.printEntries(entries)
}
