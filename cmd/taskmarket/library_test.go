package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"taskmarket/cmd/taskmarket/internal/clitest"
	gen "taskmarket/gen/client"
)

// The example in the library's documentation hires the human of the development world. A second run
// finds the existing task instead of creating another.
func TestLibraryExample(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	program := filepath.Join(u.dir, "example")
	if out, err := exec.Command("go", "test", "-c", "-o", program, "taskmarket/client").CombinedOutput(); err != nil {
		t.Fatalf("build the example: %v: %s", err, out)
	}
	u.env["TASKMARKET_RUN_EXAMPLE"] = "1"
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
		defer cancel()
		example := exec.CommandContext(ctx, program)
		example.Dir, example.Env, example.Stderr = u.dir, u.environ(), os.Stderr
		if shown, err := example.Output(); err != nil || string(shown) != "the human was paid 9500000000000000000 wei\n" {
			t.Fatalf("the example printed %q, %v", shown, err)
		}
	}
	n := 0
	for task, err := range u.lib.AllTasks(t.Context(), gen.ListTasksParams{}) {
		clitest.Must(t, err)
		if n++; task.Status != gen.TaskStatusApproved {
			t.Errorf("the task is %s", task.Status)
		}
	}
	if n != 1 {
		t.Errorf("the example posted %d tasks", n)
	}
}
