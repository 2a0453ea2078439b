// Package talk has the commands of the help group "Talk and judge": it
// exchanges messages and files, and rates.
package talk

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the commands in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		sendMessageCommand(a),
		getMessagesCommand(a),
		messagesCommand(a),
		filesCommand(a),
		createReviewCommand(a),
		reviewsCommand(a),
	}
}
