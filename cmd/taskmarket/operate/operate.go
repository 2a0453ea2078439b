// Package operate contains the commands of the help group "Operate": the configuration,
// diagnostics, the rescue without the service, and the server of tools for models.
package operate

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the commands in the order of help.
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
