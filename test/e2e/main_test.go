package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program is the server under test and agentProgram the command line, built once for all tests.
var program, agentProgram string

func TestMain(m *testing.M) {
	code, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func buildAndRun(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "taskmarket-e2e-")
	if err != nil {
		return 0, fmt.Errorf("make a place for the program: %w", err)
	}
	defer os.RemoveAll(dir)
	program, agentProgram = filepath.Join(dir, "taskmarketd"), filepath.Join(dir, "taskmarket")
	if out, err := exec.Command("go", "build", "-tags", "tuned", "-o", dir, "taskmarket/cmd/taskmarketd", "taskmarket/cmd/taskmarket").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the programs: %w: %s", err, out)
	}
	return m.Run(), nil
}
