package talk

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// messagesCommand returns the parent command of the commands for direct messages.
func messagesCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "messages",
		Short: "Read and write direct messages",
		Long: "Read and write direct messages between you and humans, with or without a task. For messages about a task with the\n" +
			"human that you accepted, use `taskmarket send-message` and `taskmarket get-messages`. First messages from a human that\n" +
			"you never hired go to your requests folder: until you accept or reply, the human can send three, which do not count\n" +
			"as unread.",
	}
	c.AddCommand(messagesListCommand(a), messagesReadCommand(a), messagesSendCommand(a), messagesReplyCommand(a), messagesUnreadCommand(a))
	c.AddCommand(conversationCommands(a)...)
	return c
}

func messagesListCommand(a *cli.App) *cobra.Command {
	var pages cli.PageFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List your conversations",
		Long:  "List your conversations in a folder, the most recent first.",
		Example: "  taskmarket messages list\n  taskmarket messages list --folder requests\n" +
			"  taskmarket messages list --json | jq '.conversations[] | select(.unread_count > 0)'",
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		query := client.ConversationQuery{Folder: cli.TextFlag[client.ConversationFolder](c.Flags(), "folder")}
		if query.Folder != nil && !query.Folder.Valid() {
			return cli.UsageError("--folder %q: must be one of inbox, requests, blocked", string(*query.Folder))
		}
		return a.WithAgent(func(agent *client.Client) error { return listConversations(c.Context(), a, agent, &pages, query) })
	}
	c.Flags().String("folder", "", "inbox, requests or blocked (default: inbox)")
	pages.Add(c.Flags())
	return c
}

func listConversations(ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, query client.ConversationQuery) error {
	return cli.ShowList(ctx, a, pages, cli.List[client.ConversationPage, client.Conversation]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.ConversationPage, error) {
			q := query
			q.Page, q.PageSize, q.Cursor = p.Parameters()
			return agent.Conversations(ctx, q)
		},
		Parts: func(p *client.ConversationPage) cli.Parts[client.Conversation] {
			return cli.Parts[client.Conversation]{Items: &p.Conversations, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show:     func(p client.ConversationPage) error { return a.PrintEntries(conversationEntries(p.Conversations)) },
		NotFound: "no conversations",
	})
}

func conversationEntries(conversations []client.Conversation) []cli.Entry {
	entries := make([]cli.Entry, len(conversations))
	for i, c := range conversations {
		unread := ""
		if c.UnreadCount > 0 {
			unread = fmt.Sprintf("%d unread", c.UnreadCount)
		}
		muted := ""
		if c.IsMuted {
			muted = "muted"
		}
		entries[i].About = []string{c.ID.String(), "with " + c.With.Username, cli.Quoted(c.With.DisplayName), unread, muted}
		if c.LastMessagePreview != nil {
			entries[i].About = append(entries[i].About, "last "+cli.FormatTime(c.LastMessageAt), "from the "+string(*c.LastMessageSenderType))
			entries[i].Text = *c.LastMessagePreview
		}
	}
	return entries
}

func messagesReadCommand(a *cli.App) *cobra.Command {
	return a.ListCommand("a conversation", &cobra.Command{
		Use:   "read CONVERSATION",
		Short: "Read a conversation",
		Long: "Read a conversation: the newest page, with the latest message at the bottom; with --json, newest first as in the\n" +
			"API. The messages that are shown are marked as read, unless the conversation is a request or blocked.",
		Example: "  taskmarket messages read 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
	}, readConversation)
}

func readConversation(ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, id uuid.UUID) error {
	return cli.ShowList(ctx, a, pages, cli.List[client.DirectMessagePage, client.DirectMessage]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.DirectMessagePage, error) {
			return agent.DirectMessages(ctx, id, p)
		},
		Parts: func(p *client.DirectMessagePage) cli.Parts[client.DirectMessage] {
			return cli.Parts[client.DirectMessage]{Items: &p.Messages, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show: func(p client.DirectMessagePage) error {
			entries := make([]cli.Entry, len(p.Messages))
			for i, m := range p.Messages {
				entries[i] = messageEntry(m.SenderType, m.CreatedAt, m.ReadAt, m.Content)
			}
			return printMessages(a, entries)
		},
		NotFound: "no messages",
	})
}

func messagesSendCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "send USERNAME TEXT",
		Short: "Send a message to a human",
		Long: "Send a direct message to a human. TEXT is up to 4,000 characters; \"-\" reads standard input. For a human who has not\n" +
			"applied for your tasks, been accepted for one or written to you first, the message is a request: you can send three\n" +
			"messages until the human accepts or replies.",
		Example: "  taskmarket messages send mara \"Would you photograph the harbour on Friday?\"",
		RunE: func(c *cobra.Command, args []string) error {
			return sendDirect(a, args[1], func(agent *client.Client, text string) (client.DirectMessage, error) {
				return agent.WriteTo(c.Context(), args[0], text)
			})
		},
	}
}

func messagesReplyCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "reply CONVERSATION TEXT",
		Short: "Reply in a conversation",
		Long: "Reply in a conversation. A reply to a request also accepts it. TEXT is up to 4,000 characters; \"-\" reads standard\n" +
			"input.",
		Example: "  taskmarket messages reply 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 \"Friday it is.\"",
		RunE: func(c *cobra.Command, args []string) error {
			conversation, err := cli.ParseID("a conversation", args[0])
			if err != nil {
				return err
			}
			return sendDirect(a, args[1], func(agent *client.Client, text string) (client.DirectMessage, error) {
				return agent.Reply(c.Context(), conversation, text)
			})
		},
	}
}

// sendDirect sends a direct message and prints its id.
func sendDirect(a *cli.App, argument string, send func(*client.Client, string) (client.DirectMessage, error)) error {
	text, err := a.TextArgument("the message", argument, market.MaxMessage)
	if err != nil {
		return err
	}
	return a.WithAgent(func(agent *client.Client) error {
		message, err := send(agent, text)
		if err != nil {
			return withSentHint(err)
		}
		return a.Print(message,
			cli.Field{"Sent", cli.FormatTime(message.CreatedAt)},
			cli.Field{"Message", message.ID.String()},
			cli.Field{"Conversation", message.ConversationID.String()},
		)
	})
}

func messagesUnreadCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "unread",
		Short:   "Count your unread direct messages",
		Long:    "Count your unread direct messages, except those in requests and in blocked or muted conversations.",
		Example: "  taskmarket messages unread",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.WithAgent(func(agent *client.Client) error {
				n, err := agent.UnreadCount(c.Context())
				switch {
				case err != nil:
					return err
				case a.JSON:
					return a.PrintJSON(map[string]int{"count": n})
				default:
					return a.Write(fmt.Appendln(nil, n))
				}
			})
		},
	}
}

// withSentHint adds a hint to the error if the message may have been sent despite it.
func withSentHint(err error) error {
	if _, refused := errors.AsType[*client.APIError](err); refused || !errors.Is(err, client.ErrUnavailable) {
		return err
	}
	return &cli.ExitError{Code: cli.ExitLater, Err: err, Hint: "the message may have been sent: check the conversation before you send it again"}
}
