// Command taskmarket hires humans: it is the command line of the market for
// agents, on the library taskmarket/client.
//
// Each command has a file of its own. run is the whole program; main gives it
// the process's streams, environment and signals, and tests give it theirs.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// version is set by the linker in released builds.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, cli.ProcessStreams(), os.Environ(), os.Args[1:]))
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, s cli.Streams, environ, args []string) int {
	a := cli.New(s, environ)
	a.Version = version
	return a.Execute(ctx, rootCommand(a), args)
}
