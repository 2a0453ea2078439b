// Command taskmarketd is the server of the task market. It runs the HTTP API, the watcher that
// follows the chain, and the keeper, which sends transactions that any account is permitted to
// send.
//
// `taskmarketd dev` runs a complete development world on one machine. `taskmarketd serve` is for
// production and is configured by environment variables (see config.go).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"taskmarket/client/visible"
	"taskmarket/cmd/internal/buildinfo"
)

// version is set by the linker in release builds.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "taskmarketd:", visible.Text(err.Error()))
		stop()
		os.Exit(1) //nolint:gocritic // skips no deferred calls: stop was called above
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "taskmarketd",
		Short:         "The server of the task market",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	// The output can contain texts of nodes and users, which must not control the operator's terminal.
	root.SetOut(visible.Writer(os.Stdout))
	root.SetErr(visible.Writer(os.Stderr))
	buildinfo.AddFlag(root, version)
	root.AddCommand(devCommand(), serveCommand(), migrateCommand(), deployCommand(), statusCommand(), keeperCommand(), adminCommand(), reindexCommand(),
		afterRestoreCommand(), adoptFilesCommand(), configCommand(), versionCommand())
	return root
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), buildinfo.Line("taskmarketd", version))
		},
	}
}
