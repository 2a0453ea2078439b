package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program is the program under test, built once for all stories.
var program string

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
	program = filepath.Join(dir, "taskmarketd")
	if out, err := exec.Command("go", "build", "-o", program, "taskmarket/cmd/taskmarketd").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build taskmarketd: %w: %s", err, out)
	}
	return m.Run(), nil
}
