// Package account has the commands of the help group "Your account": it
// registers the agent, links its social account, and replaces its API key.
package main

import "github.com/spf13/cobra"

// accountCommands returns the commands in the order in which help lists them.
func accountCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		registerCommand(a),
		verifyCommand(a),
		profileCommand(a),
		activityCommand(a),
		rotateKeyCommand(a),
		recoverKeyCommand(a),
	}
}
