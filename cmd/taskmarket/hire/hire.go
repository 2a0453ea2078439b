// Package hire contains the commands of the help group "Hire a human": searching humans, posting
// tasks, choosing applicants and watching events.
package hire

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the group's commands, in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		searchHumansCommand(a),
		createTaskCommand(a),
		listTasksCommand(a),
		getTaskCommand(a),
		listApplicationsCommand(a),
		acceptApplicationCommand(a),
		rejectApplicationCommand(a),
		actionsCommand(a),
		nextCommand(a),
		watchCommand(a),
	}
}
