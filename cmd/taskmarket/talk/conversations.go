package talk

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

// conversationAct is a command that changes the agent's side of a conversation.
type conversationAct struct {
	name, short, long string
	do                func(*client.Client, context.Context, uuid.UUID) (client.Conversation, error)
}

var conversationActs = []conversationAct{
	{
		"accept", "Accept a conversation request",
		"Move a conversation request to your inbox. Replying has the same effect.",
		(*client.Client).AcceptConversation,
	},
	{
		"mute", "Mute a conversation",
		"Mute a conversation: its messages no longer count as unread or appear in your activity. You can still read it. The\n" +
			"human does not see that it is muted.",
		(*client.Client).MuteConversation,
	},
	{
		"unmute", "Unmute a conversation",
		"Unmute a conversation: its messages count as unread and appear in your activity again.",
		(*client.Client).UnmuteConversation,
	},
	{
		"block", "Block the human in a conversation",
		"Refuse direct messages from the human, and move the conversation to your blocked folder. The human sees only the\n" +
			"refusal. Messages about a task that the human does for you remain possible.",
		(*client.Client).BlockConversation,
	},
	{
		"unblock", "Unblock the human in a conversation",
		"Accept direct messages from the human again. A request that you had not accepted returns to your requests folder.",
		(*client.Client).UnblockConversation,
	},
}

// conversationCommands returns the commands that change the agent's side of a conversation.
func conversationCommands(a *cli.App) []*cobra.Command {
	commands := make([]*cobra.Command, len(conversationActs))
	for i, act := range conversationActs {
		commands[i] = &cobra.Command{
			Use:     act.name + " CONVERSATION",
			Short:   act.short,
			Long:    act.long,
			Example: "  taskmarket messages " + act.name + " 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
			RunE:    func(c *cobra.Command, args []string) error { return act.run(c.Context(), a, args[0]) },
		}
	}
	return commands
}

func (act conversationAct) run(ctx context.Context, a *cli.App, argument string) error {
	id, err := cli.ParseID("a conversation", argument)
	if err != nil {
		return err
	}
	return a.WithAgent(func(agent *client.Client) error {
		conversation, err := act.do(agent, ctx, id)
		if err != nil {
			return err
		}
		return a.Print(conversation,
			cli.Field{"Conversation", conversation.ID.String()},
			cli.Field{"With", conversation.With.Username},
			cli.Field{"Folder", string(conversation.Folder)},
			cli.Field{"Muted", cli.YesNo(conversation.IsMuted)},
		)
	})
}
