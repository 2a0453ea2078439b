package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// confirm asks a person and returns nil for yes. Where nobody can be asked, and
// for every other answer, it refuses.
func (a *app) confirm(ctx context.Context, question string) error {
	if !a.inTerminal {
		return fail(exitDeclined, "nobody is there to answer: %s", question).next("--yes answers yes")
	}
	answer, err := a.ask(ctx, question+" [y/N] ", func() ([]byte, error) {
		line, err := bufio.NewReader(a.in).ReadString('\n')
		return []byte(line), err
	})
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(string(answer))) {
	case "y", "yes":
		return nil
	default:
		return fail(exitDeclined, "declined")
	}
}

// askSecret asks a person for a line that is not shown.
func (a *app) askSecret(ctx context.Context, question string) (string, error) {
	if a.readSecret == nil {
		return "", fail(exitDeclined, "nobody is there to answer: %s", question)
	}
	answer, err := a.ask(ctx, question+" ", a.readSecret)
	if err != nil {
		a.echoAgain()
	}
	a.note("")
	return string(answer), err
}

// ask waits for the answer, or for the end of the context: a signal must not
// wait for a line.
func (a *app) ask(ctx context.Context, question string, read func() ([]byte, error)) ([]byte, error) {
	fmt.Fprint(a.stderr, oneLine(question)) // it may hold words of others
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
			return nil, fail(exitDeclined, "no answer: %w", l.err)
		}
		return l.text, nil
	}
}
