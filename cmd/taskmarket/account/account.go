// Package account contains the commands of the help group "Your account": registration,
// verification, the profile, the activity feed, the API key, and the export and deletion of the account.
package account

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the group's commands, in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		registerCommand(a),
		verifyCommand(a),
		profileCommand(a),
		changeUsernameCommand(a),
		activityCommand(a),
		rotateKeyCommand(a),
		recoverKeyCommand(a),
		exportAccountCommand(a),
		eraseAccountCommand(a),
	}
}
