package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// wantErrorJSON decodes the error document on stdout and checks its code.
func (r result) wantErrorJSON(code string) errorReply {
	r.t.Helper()
	var members map[string]any
	r.json(&members)
	for _, name := range []string{"error", "message", "hint", "request_id"} {
		if _, is := members[name].(string); !is {
			r.t.Errorf("taskmarket %s: the member %s is missing: %s", strings.Join(r.args, " "), name, r.stdout)
		}
	}
	var e errorReply
	clitest.Must(r.t, json.Unmarshal([]byte(r.stdout), &e))
	if e.Error != code || e.Message == "" {
		r.t.Errorf("taskmarket %s printed %s, want the code %s", strings.Join(r.args, " "), r.stdout, code)
	}
	return e
}

// With --json, every command prints usage errors as JSON, regardless of the flag's position.
func TestUsageErrorsAsJSON(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, line := range []string{
		"get-task --json", "get-task --json one two", "--json get-task", "get-task --bogus --json", "get-task --json --bogus",
		"bogus --json", "--json=true bogus", "files --json bogus", "--bogus --json", "create-task --json", "config --json bogus",
		"list-tasks --limit --json", "help --json bogus", "mcp --bogus --json",
	} {
		e := u.run(strings.Fields(line)...).ended(cli.ExitUsage).wantErrorJSON("usage")
		if e.RequestID != "" || e.Hint == "" {
			t.Errorf("%s: %+v", line, e)
		}
	}
	root := rootCommand(cli.New(u.streams(nil, nil), nil))
	for _, c := range root.Commands() {
		if c.Name() == "watch" || c.Name() == "help" {
			continue
		}
		u.run(c.Name(), "--no-such-flag", "--json").ended(cli.ExitUsage).wantErrorJSON("usage")
	}
	for _, line := range []string{
		"get-task", "get-task --field id", "get-task --json=false", "get-task one two -- --json", "watch --json --bogus", "watch --json",
	} {
		if r := u.run(strings.Fields(line)...).ended(cli.ExitUsage); r.stdout != "" {
			t.Errorf("%s writes to stdout: %s", line, r.stdout)
		}
	}
}

// The JSON document contains the error code and request id of the API's error. The text on stderr
// and the exit code are the same with and without --json.
func TestErrorsAsJSON(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	e := u.run("get-task", uuid.NewString(), "--json").ended(cli.ExitRefused).wantStderr("taskmarket: ").wantErrorJSON("not_found")
	if e.RequestID == "" || strings.Contains(e.Message, e.RequestID) {
		t.Errorf("the document is %+v", e)
	}
	e = u.run("create-task", "--title", strings.Repeat("x", 300), "--description", "d", "--amount", "1 TASK", "--json", "--yes").
		ended(cli.ExitUsage).wantErrorJSON("invalid_request")
	if !strings.Contains(e.Message, "title") {
		t.Errorf("the document is %+v", e)
	}
	u.run("get-task", uuid.NewString(), "--json", "--api-url", "http://127.0.0.1:1").ended(cli.ExitLater).wantErrorJSON("unavailable")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ended, "get-task", uuid.NewString(), "--json").ended(cli.ExitInterrupted).wantErrorJSON("interrupted")
	u.unset("API_KEY")
	u.run("list-tasks", "--json").ended(cli.ExitUnauthorized).wantErrorJSON("unauthorized")
	var one any
	// Stdout contains only the checks, and no second JSON document for the error.
	u.run("doctor", "--json").ended(cli.ExitFailed).json(&one)
	if r := u.run("get-task", uuid.NewString(), "--field", "id"); r.code == cli.ExitDone || r.stdout != "" {
		t.Errorf("a member of a result is %q", r.stdout)
	}
}

// errorReply is the error document that --json prints.
type errorReply struct {
	Error, Message, Hint string
	RequestID            string `json:"request_id"`
}
