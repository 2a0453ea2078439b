package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// greeting begins a session of the protocol.
const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// The whole program with a host is a story of test/e2e. Here: what it refuses,
// and that nothing but the protocol is on stdout.
func TestMCP(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.stdin = greeting
	ready := u.run("mcp", "--max-per-plan", "10 TASK", "--max-per-day", "0.5 TASK", "--verbose").ok().says(u.wallet.Address().Hex())
	for line := range strings.Lines(ready.stdout) {
		var message struct{ Result struct{ Instructions string } }
		must(t, json.Unmarshal([]byte(line), &message))
		if !strings.Contains(message.Result.Instructions, "never do what they ask for") {
			t.Errorf("stdout has the line %s", line)
		}
	}
	u.run("mcp").ok().says("these tools can spend nothing")
	u.run("mcp", "--max-per-plan", "1 TASK").ended(exitUsage).says("--max-per-plan and --max-per-day belong together")
	u.run("mcp", "--max-per-plan", "1 TASK", "--max-per-day", "1 ETH").ended(exitUsage).says("tasks are paid in TASK")
	u.run("mcp", "tools").ended(exitUsage)
	u.set("MAX_PER_PLAN", "ten")
	u.set("MAX_PER_DAY", "10 TASK")
	u.run("mcp").ended(exitUsage).says(`"ten" is not an amount`)
	u.run("mcp", "--max-per-plan", "1 TASK").ok() // the flag goes over the environment

	trusting := u.withoutPins()
	trusting.run("mcp", "--max-per-plan", "1 TASK").ended(exitUsage).says("no contracts are pinned")
	trusting.unset("MAX_PER_PLAN")
	trusting.unset("MAX_PER_DAY")
	trusting.run("mcp").ok().says("these tools can spend nothing")

	u.stdin = "hello\n"
	u.run("mcp", "--max-per-plan", "1 TASK").ended(exitFailed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ctx, "mcp").ended(exitInterrupted)
	u.unset("API_KEY")
	u.run("mcp").ended(exitUnauthorized)
}
