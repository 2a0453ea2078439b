// Command taskmarket hires humans from the command line. It is built on the library
// taskmarket/client.
//
// main only calls run with the process's streams, environment and signals. Tests call run with
// their own.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// version is set by the linker in release builds.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal restores the default handler, so a second one ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, cli.ProcessStreams(), os.Environ(), os.Args[1:]))
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, s cli.Streams, environ, args []string) int {
	a := cli.New(s, environ)
	a.Version = version
	return a.Execute(ctx, rootCommand(a), args)
}
