// Command clients shows that third parties can build on the HTTP API. It starts a development
// world. Then, for each language in docs/clients.md, it runs that document's commands to generate a
// client from the OpenAPI document that the server serves. With each client, a small agent
// registers, links its account, creates a task and reads it back; and once more with an API that adds
// members and values to its responses, as a later version can.
//
// Run it with `make clients` at the module's root. It exits with 1 if a language fails.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"taskmarket/test/process"
)

// timeout is the time limit for all languages together; most of it is for downloading packages.
const timeout = 30 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	err := run(ctx, os.Stdout)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// run generates and tries every client in docs/clients.md, in a new development world.
func run(ctx context.Context, out io.Writer) (err error) {
	root, err := process.ModuleRoot()
	if err != nil {
		return err
	}
	document, err := os.ReadFile(filepath.Join(root, "docs", "clients.md"))
	if err != nil {
		return fmt.Errorf("read the commands: %w", err)
	}
	guides, err := parse(string(document))
	if err != nil {
		return err
	}
	if err := present(); err != nil {
		return err
	}
	w, err := start(ctx, root)
	if err != nil {
		return err
	}
	defer func() {
		if stopped := w.stop(); err == nil {
			err = stopped
		}
	}()
	for _, g := range guides {
		began := time.Now()
		fmt.Fprintf(out, "\n--- %s\n", g.folder)
		if err := w.follow(ctx, root, g, out); err != nil {
			return fmt.Errorf("%s: %w", g.folder, err)
		}
		fmt.Fprintf(out, "--- %s: ok after %d s\n", g.folder, int(time.Since(began).Seconds()))
	}
	return nil
}

// present returns an error if a program that the commands need is not installed.
func present() error {
	for program, from := range map[string]string{
		"npm": "Node", "npx": "Node", "python3": "Python 3.11 with venv",
		"cargo": "Rust, 1.85 or later", "java": "a JDK, 17 or later", "javac": "a JDK, 17 or later", "mvn": "Maven, 3.8 or later",
	} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is missing: install %s", program, from)
		}
	}
	return nil
}
