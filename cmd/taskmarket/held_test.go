package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
)

// moderate decides on a task with the service's own command.
func (w *world) moderate(t *testing.T, task, measure string) {
	t.Helper()
	decide := exec.CommandContext(t.Context(), filepath.Join(w.dir, "taskmarketd"), "admin", "moderation", "decide", "task", task, measure,
		"--facts", "It asks for a passport.", "--clause", "3.1 Identity documents")
	decide.Env = append(os.Environ(), cli.EnvPrefix+"DATABASE_URL="+w.variable["DEV_DATABASE_URL"])
	if out, err := decide.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", decide, err, out)
	}
}

// While a moderation rule holds a task, the command does not pay for it, even if it is repeated,
// resumed or run with --unsigned. After a moderator's decision, the same command pays once.
func TestHeldTaskIsNotPaidFor(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	args := []string{
		"create-task", "--title", "Harbour photos", "--description", "Upload a selfie holding your passport.", "--amount", "10 TASK", "--yes",
	}
	before := u.sent()
	refused := u.run(args...).ended(cli.ExitLater)
	for _, words := range []string{"is held until a moderator decides, by 20", "nothing was signed", "hint: run the same command again", "taskmarket notices"} {
		refused.wantStderr(words)
	}
	u.run(append(args, "--json")...).ended(cli.ExitLater).wantErrorJSON("unavailable")
	u.run("create-task", "--resume", "--yes").ended(cli.ExitLater)
	unsigned := append(args[:len(args)-1:len(args)-1], "--unsigned", "--wallet", u.wallet.Address().Hex())
	if r := u.run(unsigned...).ended(cli.ExitLater); strings.Contains(r.stdout, "typed_data") {
		t.Errorf("a permit was printed: %s", r.stdout)
	}
	var page client.TaskPage
	u.run("list-tasks", "--json").ok().json(&page)
	if len(page.Tasks) != 1 || u.sent() != before {
		t.Fatalf("%d tasks, %d transactions", len(page.Tasks), u.sent()-before)
	}
	id := page.Tasks[0].ID.String()
	if r := u.run("get-task", id).ok(); !strings.Contains(r.stdout, "held by the rule") || !strings.Contains(r.stdout, "a moderator decides by 20") {
		t.Errorf("get-task shows no hold: %s", r.stdout)
	}
	if r := u.run("next", id).ok(); strings.Contains(r.stdout, "lock its amount") {
		t.Errorf("next offers to fund the task: %s", r.stdout)
	}
	sharedWorld(t).moderate(t, id, "none")
	var task client.Task
	u.run(append(args, "--json")...).ok().json(&task)
	if task.ID.String() != id || task.Status != gen.TaskStatusFunded || u.sent() != before+1 {
		t.Errorf("task %s is %s after %d transactions", task.ID, task.Status, u.sent()-before)
	}
}

// The command does not pay for a task that a moderator has removed. It shows how to appeal.
func TestRemovedTaskIsNotPaidFor(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	args := []string{"create-task", "--title", "Passport photos", "--description", "Upload a selfie holding your passport.", "--amount", "10 TASK", "--key", "removed", "--yes"}
	u.run(args...).ended(cli.ExitLater)
	var page client.TaskPage
	u.run("list-tasks", "--json").ok().json(&page)
	sharedWorld(t).moderate(t, page.Tasks[0].ID.String(), "remove")
	u.run(args...).ended(cli.ExitRefused).wantStderr("was removed by a moderator").wantStderr("taskmarket appeal")
	if r := u.run("notices").ok(); !strings.Contains(r.stdout, "remove the task "+page.Tasks[0].ID.String()) {
		t.Errorf("notices shows no measure: %s", r.stdout)
	}
}
