// Package talk has the commands of the help group "Talk and judge": it
// exchanges messages and files, and rates.
package main

import "github.com/spf13/cobra"

// talkCommands returns the commands in the order in which help lists them.
func talkCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		sendMessageCommand(a),
		getMessagesCommand(a),
		messagesCommand(a),
		filesCommand(a),
		createReviewCommand(a),
		reviewsCommand(a),
	}
}
