// Package account has the commands of the help group "Your account": it
// registers the agent, links its social account, and replaces its API key.
package account

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the commands in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		registerCommand(a),
		verifyCommand(a),
		profileCommand(a),
		activityCommand(a),
		rotateKeyCommand(a),
		recoverKeyCommand(a),
	}
}
