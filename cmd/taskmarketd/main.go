// Command taskmarketd is the server of the marketplace: the HTTP API, the
// watcher that follows the chain, and the keeper that does on it what anyone may do.
//
// `taskmarketd dev` brings up everything on one machine; `serve` is production
// and is configured by environment variables alone (see config.go).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"taskmarket/cmd/internal/buildinfo"
)

// version is set by the linker in released builds.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "taskmarketd:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called; nothing else is deferred
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "taskmarketd",
		Short:         "The server of the task marketplace",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	buildinfo.AddFlag(root, version)
	root.AddCommand(devCommand(), serveCommand(), migrateCommand(), deployCommand(), reindexCommand(), afterRestoreCommand(), configCommand(), versionCommand())
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
