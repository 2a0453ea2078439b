// Package operate has the commands of the help group "Operate": it
// shows the configuration, diagnoses, gets money back without the service, and serves models.
package operate

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the commands in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		configCommand(a),
		doctorCommand(a),
		rescueCommand(a),
		mcpCommand(a),
		completionCommand(a),
		versionCommand(a),
	}
}
