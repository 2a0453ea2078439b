package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/market"
)

// messagesCommand has the direct messages between the agent and humans.
func messagesCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "messages",
		Short: "Read and write direct messages",
		Long:  "Direct messages between you and humans, with or without a task. About a task that somebody does, use\nsend-message and get-messages.",
	}
	c.AddCommand(messagesListCommand(a), messagesReadCommand(a), messagesSendCommand(a), messagesReplyCommand(a), messagesUnreadCommand(a))
	return c
}

func messagesListCommand(a *app) *cobra.Command {
	var pages pageFlags
	c := &cobra.Command{
		Use:     "list",
		Short:   "List your conversations",
		Long:    "List your conversations, the latest first.",
		Example: "  taskmarket messages list\n  taskmarket messages list --json | jq '.conversations[] | select(.unread_count > 0)'",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withAgent(func(agent *client.Client) error {
				return showList(c.Context(), a, &pages, list[client.ConversationPage, client.Conversation]{
					fetch: agent.Conversations,
					parts: func(p *client.ConversationPage) parts[client.Conversation] {
						return parts[client.Conversation]{&p.Conversations, &p.NextCursor, &p.PageSize, p.Total}
					},
					show:     func(p client.ConversationPage) error { return a.printEntries(conversationEntries(p.Conversations)) },
					notFound: "no conversations",
				})
			})
		},
	}
	pages.add(c.Flags())
	return c
}

func conversationEntries(conversations []client.Conversation) []entry {
	entries := make([]entry, len(conversations))
	for i, c := range conversations {
		unread := ""
		if c.UnreadCount > 0 {
			unread = fmt.Sprintf("%d not read yet", c.UnreadCount)
		}
		entries[i].about = []string{c.ID.String(), "with " + c.With.Username, quoted(c.With.Name), unread}
		if c.LastMessage != nil {
			entries[i].about = append(entries[i].about, "last "+moment(c.LastMessage.CreatedAt), "from the "+string(c.LastMessage.SenderType))
			entries[i].text = c.LastMessage.Content
		}
	}
	return entries
}

func messagesReadCommand(a *app) *cobra.Command {
	return a.listOf("a conversation", &cobra.Command{
		Use:   "read CONVERSATION",
		Short: "Read a conversation",
		Long: "Read a conversation: its newest messages, the last one at the bottom; with --json the newest first, as the API\n" +
			"answers. The human's messages count as read then.",
		Example: "  taskmarket messages read 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
	}, readConversation)
}

func readConversation(ctx context.Context, a *app, agent *client.Client, pages *pageFlags, id uuid.UUID) error {
	return showList(ctx, a, pages, list[client.DirectMessagePage, client.DirectMessage]{
		fetch: func(ctx context.Context, p client.PageQuery) (client.DirectMessagePage, error) {
			return agent.DirectMessages(ctx, id, p)
		},
		parts: func(p *client.DirectMessagePage) parts[client.DirectMessage] {
			return parts[client.DirectMessage]{&p.Messages, &p.NextCursor, &p.PageSize, p.Total}
		},
		show: func(p client.DirectMessagePage) error {
			entries := make([]entry, len(p.Messages))
			for i, m := range p.Messages {
				entries[i] = letter(m.SenderType, m.CreatedAt, m.ReadAt, m.Content)
			}
			return printLetters(a, entries)
		},
		notFound: "no messages",
	})
}

func messagesSendCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "send USERNAME TEXT",
		Short: "Write to a human",
		Long: "Write to a human, who finds it in the conversation of the two of you. The text is one argument, or standard\n" +
			"input for \"-\", of up to 4,000 characters.",
		Example: "  taskmarket messages send mara \"Would you photograph the harbour on Friday?\"",
		RunE: func(c *cobra.Command, args []string) error {
			return sendDirect(a, args[1], func(agent *client.Client, text string) (client.DirectMessage, error) {
				return agent.WriteTo(c.Context(), args[0], text)
			})
		},
	}
}

func messagesReplyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "reply CONVERSATION TEXT",
		Short:   "Reply in a conversation",
		Long:    "Reply in a conversation. The text is one argument, or standard input for \"-\", of up to 4,000 characters.",
		Example: "  taskmarket messages reply 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 \"Friday it is.\"",
		RunE: func(c *cobra.Command, args []string) error {
			conversation, err := parseID("a conversation", args[0])
			if err != nil {
				return err
			}
			return sendDirect(a, args[1], func(agent *client.Client, text string) (client.DirectMessage, error) {
				return agent.Reply(c.Context(), conversation, text)
			})
		},
	}
}

// sendDirect sends a direct message and says where it is.
func sendDirect(a *app, argument string, send func(*client.Client, string) (client.DirectMessage, error)) error {
	text, err := a.textArgument("the message", argument, market.MaxMessage)
	if err != nil {
		return err
	}
	return a.withAgent(func(agent *client.Client) error {
		message, err := send(agent, text)
		if err != nil {
			return notSureSent(err)
		}
		if a.json {
			return a.printJSON(message)
		}
		return a.printFields(
			field{"Sent", moment(message.CreatedAt)},
			field{"Message", message.ID.String()},
			field{"Conversation", message.ConversationID.String()},
		)
	})
}

func messagesUnreadCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "unread",
		Short:   "Count the direct messages that you have not read",
		Long:    "Count the direct messages that you have not read.",
		Example: "  taskmarket messages unread",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withAgent(func(agent *client.Client) error {
				n, err := agent.UnreadCount(c.Context())
				switch {
				case err != nil:
					return err
				case a.json:
					return a.printJSON(map[string]int{"unread_count": n})
				default:
					return a.write(fmt.Appendln(nil, n))
				}
			})
		},
	}
}

// notSureSent adds what to do when nobody knows whether the text has arrived.
func notSureSent(err error) error {
	if _, refused := errors.AsType[*client.APIError](err); refused || !errors.Is(err, client.ErrUnavailable) {
		return err
	}
	return &failure{code: exitLater, err: err, hint: "it may have arrived nevertheless: read the messages before you send it again"}
}
