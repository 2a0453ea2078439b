// Package operate contains the commands of the help group "Operate": configuration, diagnostics,
// withdrawing money without the service, and the MCP server for models.
package operate

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the group's commands, in the order in which help lists them.
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
