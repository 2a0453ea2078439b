package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskmarket/test/process"
)

// controlPause is the pause between two checks for commands of the operator.
const controlPause = 200 * time.Millisecond

// server is a `taskmarketd serve` that the operator controls.
type server struct {
	dir             string
	listen, metrics string // addresses
	proc            *process.Process
}

func (s *server) program() string { return s.path("taskmarketd") }
func (s *server) env() string     { return s.path("server.env") }
func (s *server) log() string     { return s.path("server.log") }

func (s *server) metricsURL() string { return "http://" + s.metrics + "/metrics" }

func (s *server) path(name string) string { return filepath.Join(s.dir, name) }

// newServer builds the program and chooses the addresses.
func newServer(ctx context.Context, dir string) (*server, error) {
	s := &server{dir: dir}
	for _, address := range []*string{&s.listen, &s.metrics} {
		port, err := process.FreePort()
		if err != nil {
			return nil, err
		}
		*address = fmt.Sprintf("127.0.0.1:%d", port)
	}
	if out, err := exec.CommandContext(ctx, "go", "build", "-tags", "tuned", "-o", s.program(), "taskmarket/cmd/taskmarketd").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w: %s", err, out)
	}
	return s, nil
}

// checkPrograms returns an error unless the operator's shell finds the programs that steps of the runbook
// use.
func checkPrograms() error {
	tools, err := toolsPath()
	if err != nil {
		return err
	}
	missing := missingPrograms(tools + string(os.PathListSeparator) + os.Getenv("PATH"))
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the runbook uses programs that are not in PATH: %s; `make tools` installs cast, and packages such as postgresql-client and curl contain the others",
		strings.Join(missing, ", "))
}

// missingPrograms returns the programs of the runbook that no folder of the path contains.
func missingPrograms(path string) (missing []string) {
	for _, name := range []string{"cast", "curl", "psql"} {
		found := slices.ContainsFunc(filepath.SplitList(path), func(folder string) bool {
			_, err := exec.LookPath(filepath.Join(folder, name))
			return err == nil
		})
		if !found {
			missing = append(missing, name)
		}
	}
	return missing
}

// toolsPath returns the folder with the programs that `make tools` installs.
func toolsPath() (string, error) {
	tools, err := process.ToolsDir()
	return filepath.Join(tools, "node_modules", ".bin"), err
}

// write writes a file that exports the variables in a shell. The PATH in it also contains the programs
// that checkPrograms checks.
func (s *server) write(variables map[string]string) error {
	tools, err := toolsPath()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("export PATH='%s:%s':\"$PATH\"\n", s.dir, tools)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		text += fmt.Sprintf("export TASKMARKET_%s='%s'\n", name, variables[name])
	}
	return os.WriteFile(s.env(), []byte(text), 0o600)
}

// start starts the server with the variables in the file. It appends to the log of earlier processes.
func (s *server) start() error {
	var err error
	s.proc, err = process.Start(process.Spec{
		Name: "taskmarketd", Path: "/bin/sh", Dir: s.dir,
		Args:  []string{"-c", `. "$1" && exec taskmarketd serve >>"$2" 2>&1`, "sh", s.env(), s.log()},
		Grace: 30 * time.Second, // the server waits up to 15 s for open requests
	})
	return err
}

// obey performs the operator's commands until ctx ends, and then stops the server. A command is an
// empty file named STOP, RESTART or START.
func (s *server) obey(ctx context.Context) error {
	for ctx.Err() == nil {
		for _, command := range []string{"STOP", "RESTART", "START"} {
			if _, err := os.Stat(s.path(command)); err != nil {
				continue
			}
			if err := errors.Join(s.perform(command), os.Remove(s.path(command))); err != nil {
				fmt.Fprintln(os.Stderr, "faults:", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(controlPause):
		}
	}
	return s.proc.Stop()
}

func (s *server) perform(command string) error {
	if err := s.proc.Stop(); err != nil || command == "STOP" {
		return err
	}
	return s.start()
}

// status returns the output of `taskmarketd status` in the server's environment.
func (s *server) status(ctx context.Context) ([]byte, error) {
	command := exec.CommandContext(ctx, "/bin/sh", "-c", `. "$1" && exec taskmarketd status`, "sh", s.env())
	out, err := command.CombinedOutput()
	if err != nil {
		return out, fmt.Errorf("print the status: %w", err)
	}
	return out, nil
}

// ready reports whether the server can serve.
func (s *server) ready(ctx context.Context) bool {
	response, err := get(ctx, "http://"+s.listen+"/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// awaitReady returns when the server can serve.
func (s *server) awaitReady(ctx context.Context) error {
	for {
		if s.ready(ctx) {
			return nil
		}
		select {
		case <-s.proc.Done():
			return fmt.Errorf("the server ended while starting: %w: %s", s.proc.Err(), s.tail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w: %s", ctx.Err(), s.tail())
		case <-time.After(controlPause):
		}
	}
}

func (s *server) tail() string {
	raw, _ := os.ReadFile(s.log())
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
