// Package money has the commands of the help group "Pay, or get the money back": it
// pays, disputes, cancels, and shows and claims tokens.
package main

import "github.com/spf13/cobra"

// moneyCommands returns the commands in the order in which help lists them.
func moneyCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		approveSubmissionCommand(a),
		disputeTaskCommand(a),
		getDisputeCommand(a),
		answerDisputeCommand(a),
		cancelTaskCommand(a),
		balanceCommand(a),
		claimCommand(a),
		claimsCommand(a),
	}
}
