package operate

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"taskmarket/client/mcp"
	"taskmarket/client/visible"
	"taskmarket/cmd/taskmarket/internal/cli"
)

const (
	flagConfirm     = "confirm"
	flagUnconfirmed = "yes-without-confirmation"

	// confirmTerminal is the value of --confirm that selects the terminal.
	confirmTerminal = "tty"
	// confirmCode is the number of characters that a person types to confirm.
	confirmCode = 4
	// commandGrace is how long a command's children may keep its output open after it was killed.
	commandGrace = time.Second
)

// confirmer returns the function that asks a person about a plan if the MCP host cannot. It returns nil
// without --confirm.
func (o *mcpOptions) confirmer() (func(context.Context, mcp.Confirmation) (bool, error), error) {
	switch {
	case !o.Flags.Changed(flagConfirm):
		return nil, nil
	case strings.TrimSpace(o.confirm) == "":
		return nil, cli.UsageError("--%s is empty: use %s, or a command", flagConfirm, confirmTerminal)
	case o.confirm != confirmTerminal:
		return func(ctx context.Context, c mcp.Confirmation) (bool, error) {
			return askCommand(ctx, o.confirm, o.Stderr, c)
		}, nil
	}
	in, out, err := openTerminal()
	if err != nil {
		return nil, cli.Fail(cli.ExitUsage, "--%s %s: this program has no terminal: %w", flagConfirm, confirmTerminal, err).
			WithHint("start the host in a terminal, or use a command that asks in a window: --confirm COMMAND")
	}
	closeTerminal(in, out)
	var mu sync.Mutex // one question at a time
	return func(ctx context.Context, c mcp.Confirmation) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		return askTerminal(ctx, c)
	}, nil
}

// confirmation describes who confirms actions that cannot be undone.
func (o *mcpOptions) confirmation() string {
	const host = "a person confirms what cannot be undone: in the host if it supports elicitation, otherwise "
	switch {
	case o.unconfirmed:
		return "what cannot be undone is done WITHOUT a person's confirmation (--" + flagUnconfirmed + ")"
	case o.confirm == confirmTerminal:
		return host + "on this terminal (--" + flagConfirm + " " + confirmTerminal + ")"
	case o.confirm != "":
		return host + "through the command of --" + flagConfirm
	}
	return host + "it is refused (--" + flagConfirm + " " + confirmTerminal + " or --" + flagConfirm + " COMMAND asks)"
}

// askTerminal asks on the terminal of the process, because stdin and stdout carry the protocol. The person
// types a new code each time, so that a line typed earlier confirms nothing.
func askTerminal(ctx context.Context, c mcp.Confirmation) (bool, error) {
	in, out, err := openTerminal()
	if err != nil {
		return false, err
	}
	code := rand.Text()[:confirmCode]
	if _, err := fmt.Fprintf(out, "\n%s\nExecute this plan? It cannot be undone. Type %s to confirm, anything else to decline: ", visible.Text(c.Text), code); err != nil {
		closeTerminal(in, out)
		return false, err
	}
	type line struct {
		text string
		err  error
	}
	answered := make(chan line, 1)
	go func() {
		text, err := bufio.NewReader(in).ReadString('\n')
		answered <- line{text, err}
	}()
	defer closeTerminal(in, out)
	select {
	case <-ctx.Done():
		fmt.Fprintln(out, "\nNo longer needed; nothing was done.")
		return false, ctx.Err()
	case l := <-answered:
		return l.err == nil && strings.EqualFold(strings.TrimSpace(l.text), code), nil
	}
}

// closeTerminal closes both files, which can be the same one.
func closeTerminal(in, out *os.File) {
	_ = in.Close()
	if out != in {
		_ = out.Close()
	}
}

// askCommand runs the command with the question as JSON on its standard input. Exit code 0 means yes. The
// command does not receive the program's settings, because they can contain secrets.
func askCommand(ctx context.Context, command string, stderr io.Writer, c mcp.Confirmation) (bool, error) {
	question, err := cli.EncodeJSON(c, "")
	if err != nil {
		return false, err
	}
	shell := exec.CommandContext(ctx, "sh", "-c", command) //nolint:gosec // the operator's own command
	if runtime.GOOS == "windows" {
		shell = exec.CommandContext(ctx, "cmd", "/C", command) //nolint:gosec // the operator's own command
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, cli.EnvPrefix) {
			shell.Env = append(shell.Env, variable)
		}
	}
	// stdout carries the protocol, so the command's output goes to stderr.
	shell.Stdin, shell.Stdout, shell.Stderr, shell.WaitDelay = bytes.NewReader(question), stderr, stderr, commandGrace
	err = shell.Run()
	ended, ok := errors.AsType[*exec.ExitError](err)
	const cannotRun, notFound = 126, 127 // exit codes of a shell
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case ok && ended.ExitCode() != cannotRun && ended.ExitCode() != notFound:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("run the command of --%s: %w", flagConfirm, err)
	}
	return true, nil
}
