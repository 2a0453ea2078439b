// Package talk contains the commands of the help group "Messages, files and reviews".
package talk

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the group's commands, in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		sendMessageCommand(a),
		getMessagesCommand(a),
		messagesCommand(a),
		filesCommand(a),
		createReviewCommand(a),
		reviewsCommand(a),
		reportCommand(a),
		noticesCommand(a),
		appealCommand(a),
	}
}
