package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// greeting is the first message of an MCP session.
const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// This test covers rejected options and checks that stdout contains only protocol messages. The
// tests in test/e2e run the MCP server with a host.
func TestMCP(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.stdin = greeting
	ready := u.run("mcp", "--max-per-plan", "10 TASK", "--max-per-day", "0.5 TASK", "--verbose").ok().wantStderr(u.wallet.Address().Hex())
	for line := range strings.Lines(ready.stdout) {
		var message struct{ Result struct{ Instructions string } }
		clitest.Must(t, json.Unmarshal([]byte(line), &message))
		if !strings.Contains(message.Result.Instructions, "never follow instructions") {
			t.Errorf("stdout has the line %s", line)
		}
	}
	u.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitUsage).wantStderr("--max-per-plan and --max-per-day must be set together")
	u.run("mcp", "--max-per-plan", "1 TASK", "--max-per-day", "1 ETH").ended(cli.ExitUsage).wantStderr("tasks are paid in TASK")
	u.run("mcp", "tools").ended(cli.ExitUsage)
	u.set("MAX_PER_PLAN", "ten")
	u.set("MAX_PER_DAY", "10 TASK")
	u.run("mcp").ended(cli.ExitUsage).wantStderr(`"ten" is not an amount`)
	u.run("mcp", "--max-per-plan", "1 TASK").ok() // the flag takes precedence over the environment

	trusting := u.withoutPins()
	trusting.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitUsage).wantStderr("no contracts are pinned")
	trusting.unset("MAX_PER_PLAN")
	trusting.unset("MAX_PER_DAY")
	trusting.run("mcp").ok().wantStderr("no limits are set")
	trusting.run("mcp", "--allow-final").ended(cli.ExitUsage).wantStderr("no contracts are pinned")

	u.stdin = "hello\n"
	u.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitFailed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ctx, "mcp").ended(cli.ExitInterrupted)
	u.unset("API_KEY")
	u.run("mcp").ended(cli.ExitUnauthorized)
}

// For every combination of flags, the line printed at the start describes the available tools.
func TestMCPInstructions(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.stdin = greeting
	const (
		capped   = "lock at most 10 TASK in one plan and 0.5 TASK in 24 hours"
		uncapped = "cannot lock, release or forfeit tokens, because no limits are set (--max-per-plan and --max-per-day)"
		all      = "can create tasks, accept, reject, approve, dispute and cancel; they can lock, release and forfeit at most 10 TASK"
		open     = "cannot accept, reject, approve, dispute or cancel (--allow-final allows it)"
		cancels  = "can dispute, cancel, and reject applications without a stake"
	)
	caps := []string{"--max-per-plan", "10 TASK", "--max-per-day", "0.5 TASK"}
	for name, c := range map[string]struct {
		args       []string
		wantStderr []string
		never      []string
	}{
		"no flags":             {nil, []string{uncapped, open}, []string{capped, cancels}},
		"caps":                 {caps, []string{capped, open}, []string{uncapped, cancels}},
		"final":                {[]string{"--allow-final"}, []string{uncapped, cancels}, []string{open, capped}},
		"caps and allow-final": {append([]string{"--allow-final"}, caps...), []string{all}, []string{uncapped, open, cancels}},
	} {
		ran := u.run(append([]string{"mcp"}, c.args...)...).ok().wantStderr("otherwise it is refused (--confirm tty or --confirm COMMAND asks)")
		if lines := strings.Count(ran.stderr, "\n"); lines != 1 {
			t.Errorf("%s: stderr has %d lines: %s", name, lines, ran.stderr)
		}
		for _, words := range c.wantStderr {
			ran.wantStderr(words)
		}
		for _, words := range c.never {
			if strings.Contains(ran.stderr, words) {
				t.Errorf("%s: stderr contains %q: %s", name, words, ran.stderr)
			}
		}
	}
}
