// Package money contains the commands of the help group "Pay, or get the money back": approvals,
// disputes, cancellations, the balance and reward claims.
package money

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// Commands returns the group's commands, in the order in which help lists them.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		approveSubmissionCommand(a),
		disputeTaskCommand(a),
		getDisputeCommand(a),
		disputeResponseCommand(a),
		cancelTaskCommand(a),
		balanceCommand(a),
		claimCommand(a),
		claimsCommand(a),
	}
}
