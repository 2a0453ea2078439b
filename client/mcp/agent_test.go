package mcp_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/client/mcp"
)

// start starts an agent's tools, whose API is away, and returns both ends of
// their stdio.
func start(t *testing.T) (in io.WriteCloser, out io.ReadCloser, ended <-chan error) {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	agent, err := mcp.NewAgent(mcp.AgentOptions{
		Client: client.Options{
			BaseURL: "http://127.0.0.1:1", RPCURL: "http://127.0.0.1:1", APIKey: "tmk_x", Signer: chain.NewKeySigner(key), Flows: client.FileFlows(dir),
		},
		Spending: mcp.Spending{PerPlan: big.NewInt(1), PerDay: big.NewInt(1), File: filepath.Join(dir, "spending.json")},
		Version:  "test", Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	hostOut, agentIn := io.Pipe()
	agentOut, hostIn := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- agent.Serve(ctx, hostOut, hostIn)
		close(over)
		_ = hostIn.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_ = agentIn.Close()
		for range over { // closed at the end of Serve
			continue
		}
		agent.Close()
	})
	return agentIn, agentOut, over
}

func TestToolsOfAnAgent(t *testing.T) {
	t.Parallel()
	in, out, _ := start(t)
	session := connect(t, &sdk.IOTransport{Reader: out, Writer: in})
	wantTools(t, session, "agent.json")
}

// What is no good message is answered or left alone, and the next one is served.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	in, out, _ := start(t)
	lines := bufio.NewReader(out)
	ask := func(message, words string) {
		t.Helper()
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			t.Fatalf("say %.60s: %v", message, err)
		}
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, words) {
			t.Fatalf("%.60s is answered with %.300q (%v), want %q", message, line, err, words)
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"protocolVersion":"2025-11-25"`)
	_, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	if err != nil {
		t.Fatal(err)
	}
	ask(`{"jsonrpc":"2.0","id":2,"method":"tools/steal"}`, "tools/steal")
	ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"steal"}}`, "unknown tool")
	ask(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"execute_plan","arguments":{"plan_id":"x","spends":"0"}}}`, "no such plan")
	ask(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"execute_plan","arguments":{"plan_id":["x"],"spends":"0"}}}`, "do not fit the tool")
	ask(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"plan_create_task","arguments":`+
		strings.Repeat(`{"title":`, 900)+"1"+strings.Repeat("}", 900)+`}}`, "do not fit the tool")
	ask(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{}}}`, "method not found")
	ask(`{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, "execute_plan")
}

// A host that does not speak the protocol is left, with a reason and no panic.
func TestLinesThatEndTheSession(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"no JSON":        "tools",
		"huge":           `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + strings.Repeat("x", 300<<10) + `"}}`,
		"deep":           `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}",
		"other protocol": `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, _, ended := start(t)
			go func() { _, _ = io.WriteString(in, line+"\n") }()
			if err := <-ended; err == nil {
				t.Error("the session ended without a reason")
			}
		})
	}
}

// The end of stdin is the end of the program, in order.
func TestTheHostLeaves(t *testing.T) {
	t.Parallel()
	in, _, ended := start(t)
	_ = in.Close()
	if err := <-ended; err != nil {
		t.Errorf("Serve() error = %v", err)
	}
}
