package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// confirmHint is the hint for the error that a confirmation cannot be read.
const confirmHint = "use --yes to confirm"

// YesFlag adds the flag that skips the confirmation of a command.
func YesFlag(c *cobra.Command, yes *bool) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "skip the confirmation")
}

// Agree asks for confirmation of an act that the user cannot undo, unless yes is set. It returns nil if the
// command may go on.
func (a *App) Agree(ctx context.Context, yes bool, question string) error {
	if yes {
		return nil
	}
	return a.Confirm(ctx, question)
}

// Confirm asks a yes/no question. It returns nil if the answer is yes, and an error for any other
// answer or if stdin is not a terminal.
func (a *App) Confirm(ctx context.Context, question string) error {
	if !a.InTerminal {
		return Fail(ExitDeclined, "cannot ask for confirmation because stdin is not a terminal: %s", question).WithHint(confirmHint)
	}
	reply, err := a.ask(ctx, question+" [y/N] ", func() ([]byte, error) {
		line, err := bufio.NewReader(a.In).ReadString('\n')
		return []byte(line), err
	})
	if f, ok := errors.AsType[*ExitError](err); ok {
		return f.WithHint(confirmHint)
	}
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(string(reply))) {
	case "y", "yes":
		return nil
	default:
		return Fail(ExitDeclined, "declined")
	}
}

// AskSecret prints a prompt and reads a line without echo. It returns an error if stdin is not a
// terminal.
func (a *App) AskSecret(ctx context.Context, question string) (string, error) {
	if a.ReadSecret == nil {
		return "", Fail(ExitDeclined, "cannot ask for a secret because stdin is not a terminal: %s", question)
	}
	secret, err := a.ask(ctx, question+" ", a.ReadSecret)
	if err != nil {
		a.RestoreEcho()
	}
	a.Note("")
	return string(secret), err
}

// ask prints the question and waits for an answer or for the end of the context.
func (a *App) ask(ctx context.Context, question string, read func() ([]byte, error)) ([]byte, error) {
	fmt.Fprint(a.Stderr, OneLine(question)) // escaped, because the question can contain third-party text
	type line struct {
		text []byte
		err  error
	}
	answered := make(chan line, 1)
	go func() {
		text, err := read()
		answered <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case l := <-answered:
		if l.err != nil && len(l.text) == 0 {
			return nil, Fail(ExitDeclined, "cannot read the answer: %w", l.err)
		}
		return l.text, nil
	}
}
