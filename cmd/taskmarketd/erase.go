package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store"
)

// adminEraseCommand returns the command that erases an account on behalf of its user. The command also
// needs the file store, because it adds the erasure to the restore list there before it ends.
func adminEraseCommand() *cobra.Command {
	var yes bool
	command := &cobra.Command{
		Use:   "erase ACCOUNT_ID USERNAME",
		Short: "Erase an account's personal data",
		Long: "Erase an account's personal data, as its user can do with the wallet. This cannot be undone. USERNAME must be\n" +
			"the account's username. While money is locked in a task, stake or claim of the account, the command fails and\n" +
			"prints what must end first. The erasure is recorded in the audit log, and in the list in the file store from\n" +
			"which after-restore repeats it.",
		Example: "  taskmarketd admin erase 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 harbour-agent",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return fmt.Errorf("%q is not the id of an account; see `taskmarketd admin accounts`", args[0])
			}
			if !yes && !confirmed(cmd, "Permanently erase the account "+args[1]+"?") {
				return errNotConfirmed
			}
			return withStore(func(ctx context.Context, c config, s *store.Store, out io.Writer) error {
				return eraseAccount(ctx, c, s, id, args[1], out)
			})(cmd)
		},
	}
	command.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return command
}

func eraseAccount(ctx context.Context, c config, s *store.Store, account uuid.UUID, username string, out io.Writer) error {
	files, err := openRestoreList(ctx, c)
	if err != nil {
		return err
	}
	defer files.Close()
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	request := store.ErasureRequest{
		Erasure: market.Erasure{ID: id, Account: account, RequestedBy: market.RequesterOperator}, Username: username,
	}
	erased, err := server.EraseAccount(ctx, c.logger(os.Stderr), files, s, request)
	if refusal, ok := errors.AsType[*market.Error](err); ok {
		for _, d := range refusal.Details {
			fmt.Fprintln(out, d.Message)
		}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "erased account %s, which is now %s\n", account, erased.Username())
	return err
}
