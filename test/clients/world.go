package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskmarket/test/process"
)

// readyPoll is the interval between checks of whether the world is up.
const readyPoll = 100 * time.Millisecond

// world is a running `taskmarketd dev`, and the folder that contains it and the copies of the
// examples.
type world struct {
	dir       string
	server    *process.Process
	variables []string // environment variables of the world, as KEY=value strings
}

// start starts the world, without automatic participants.
func start(ctx context.Context, root string) (*world, error) {
	w := &world{dir: filepath.Join(root, ".dev", "clients")}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return nil, fmt.Errorf("create the world's folder: %w", err)
	}
	env := filepath.Join(w.dir, "env")
	if err := os.Remove(env); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove the variables of the last world: %w", err)
	}
	server, err := process.Start(process.Spec{
		Path: filepath.Join(root, "bin", "taskmarketd"), Args: []string{"dev", "--manual"}, Log: filepath.Join(w.dir, "world.log"),
		Env:   append(os.Environ(), "TASKMARKET_DEV_DIR="+w.dir),
		Grace: time.Minute, // leaves the program enough time to stop its child processes
	})
	if err != nil {
		return nil, err
	}
	w.server = server
	for {
		raw, err := os.ReadFile(env)
		if err == nil {
			w.variables = strings.Fields(string(raw))
			return w, nil
		}
		select {
		case <-server.Done():
			return nil, fmt.Errorf("the world ended: %w: %s", server.Err(), server.LogTail())
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for the world: %w: %s", ctx.Err(), server.LogTail()), server.Stop())
		case <-time.After(readyPoll):
		}
	}
}

func (w *world) stop() error { return w.server.Stop() }

// follow runs a guide's commands in a fresh copy of its folder, with the world's environment
// variables, as a reader would do in a terminal. Then it runs the last command, the agent, again with an
// API that sends additions. It stops at the first failure.
func (w *world) follow(ctx context.Context, root string, g guide, out io.Writer) error {
	dir := filepath.Join(w.dir, filepath.Base(g.folder))
	if err := copyFiles(filepath.Join(root, g.folder), dir); err != nil {
		return err
	}
	shell := func(commands string, variables ...string) error {
		shell := exec.CommandContext(ctx, "sh", "-eux", "-c", commands)
		shell.Dir, shell.Env = dir, slices.Concat(os.Environ(), w.variables, variables)
		shell.Stdout, shell.Stderr = out, out
		return shell.Run()
	}
	// The dependencies of the Rust client are compiled once.
	target := "CARGO_TARGET_DIR=" + filepath.Join(w.dir, "target")
	if err := shell(g.commands, target); err != nil {
		return fmt.Errorf("run the commands of docs/clients.md: %w", err)
	}
	later, err := newLaterAPI(w.variable("TASKMARKET_API_URL"))
	if err != nil {
		return err
	}
	defer later.close()
	if err := shell(g.run(), target, "TASKMARKET_API_URL="+later.url()); err != nil {
		return fmt.Errorf("run the agent with an API that sends unknown members and values: %w", err)
	}
	return later.check()
}

// variable returns the value of an environment variable of the world.
func (w *world) variable(name string) string {
	for _, pair := range w.variables {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// copyFiles replaces the destination folder with a copy of the source folder's files. It skips
// subfolders, which exist only if the commands were run in the source folder.
func copyFiles(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("make a fresh copy: %w", err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("make a fresh copy: %w", err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("make a fresh copy: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return fmt.Errorf("make a fresh copy: %w", err)
		}
		if err := os.WriteFile(filepath.Join(to, entry.Name()), content, 0o644); err != nil {
			return fmt.Errorf("make a fresh copy: %w", err)
		}
	}
	return nil
}
