package mcp_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client/mcp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// api is a fake API that records its requests.
type api struct{ requests []*http.Request }

// ServeHTTP implements http.Handler.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.requests = append(a.requests, r)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"tasks": [], "total": 0, "page": 1, "page_size": 20}`)
}

type noChain struct{}

func (noChain) PermitNonce(context.Context, common.Address) (*big.Int, error) {
	return new(big.Int), nil
}

// serve starts the market's tool server for the API a and returns its URL.
func serve(t *testing.T, a *api) (url string) {
	t.Helper()
	handler, err := mcp.NewHandler(mcp.HandlerOptions{API: a, BaseURL: "http://market.example", Version: "test", Funding: noChain{}, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func connect(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// wantTools compares a golden file with everything that a model receives before it calls a tool.
func wantTools(t *testing.T, session *sdk.ClientSession, golden string) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(map[string]any{
		"instructions": strings.Split(session.InitializeResult().Instructions, "\n"), "tools": list.Tools,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", golden)
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("the tools differ from %s (-update rewrites it):\n%s", path, diff)
	}
	for _, tool := range list.Tools {
		wantAnnotations(t, tool)
	}
}

// wantAnnotations checks that a tool's annotations are consistent, and that it accepts only known
// arguments of limited size.
func wantAnnotations(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	hints := tool.Annotations
	if hints.DestructiveHint == nil || hints.ReadOnlyHint && (*hints.DestructiveHint || !hints.IdempotentHint) {
		t.Errorf("%s has contradictory hints: %+v", tool.Name, hints)
	}
	input, ok := tool.InputSchema.(map[string]any)
	if !ok || input["additionalProperties"] != false {
		t.Errorf("%s accepts unknown arguments", tool.Name)
	}
	properties, _ := input["properties"].(map[string]any)
	for name, property := range properties {
		wantBound(t, tool.Name+"."+name, property)
	}
}

// wantBound checks that an argument has a maximum size or value.
func wantBound(t *testing.T, name string, property any) {
	t.Helper()
	p, _ := property.(map[string]any)
	switch p["type"] {
	case "string":
		if p["maxLength"] == nil && p["enum"] == nil && p["format"] == nil {
			t.Errorf("%s is a string of any length", name)
		}
	case "integer", "number":
		if p["maximum"] == nil {
			t.Errorf("%s has no maximum", name)
		}
	case "array":
		if p["maxItems"] == nil {
			t.Errorf("%s is a list of any length", name)
		}
		wantBound(t, name+"[]", p["items"])
	case "boolean":
	default:
		t.Errorf("%s has the unexpected type %v", name, p["type"])
	}
}

func TestServerTools(t *testing.T) {
	t.Parallel()
	session := connect(t, &sdk.StreamableClientTransport{Endpoint: serve(t, &api{})})
	wantTools(t, session, "handler.json")
}

// A tool's API requests have the API key and the remote address of the MCP request.
func TestRequestsCarryVisitorsCredentials(t *testing.T) {
	t.Parallel()
	a := &api{}
	url := serve(t, a)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tasks","arguments":{"status":["new","funded"],"q":"a b"}}}`
	post(t, url, call, "X-Api-Key", "tmk_one", "X-Forwarded-For", "192.0.2.7")
	post(t, url, call, "Authorization", "bearer tmk_two")
	post(t, url, call)
	if len(a.requests) != 3 {
		t.Fatalf("the API received %d requests", len(a.requests))
	}
	for i, key := range []string{"tmk_one", "tmk_two", ""} {
		r := a.requests[i]
		if r.Header.Get("X-Api-Key") != key || r.URL.Path != "/api/v1/tasks/" || r.URL.Query().Get("status") != "new,funded" ||
			r.URL.Query().Get("q") != "a b" || !strings.HasPrefix(r.RemoteAddr, "127.0.0.1:") || r.Header.Get("Authorization") != "" {
			t.Errorf("request %d is %s from %s with %v", i, r.URL, r.RemoteAddr, r.Header)
		}
	}
	if a.requests[0].Header.Get("X-Forwarded-For") != "192.0.2.7" || a.requests[1].Header.Get("X-Forwarded-For") != "" {
		t.Error("the visitor's address is missing or was sent with another request")
	}
}

// post sends a message as an MCP client does, with additional headers.
func post(t *testing.T, url, body string, headers ...string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// A malformed message is rejected at once, reaches no tool and does not affect later messages.
func TestMalformedMessages(t *testing.T) {
	t.Parallel()
	a := &api{}
	url := serve(t, a)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tasks","arguments":` + arguments + `}}`
	}
	for name, hostile := range map[string]struct {
		body    string
		headers []string
		want    string
	}{
		"huge":                        {body: call(`{"q":"` + strings.Repeat("x", 300<<10) + `"}`), want: "larger than 262144 bytes"},
		"deep":                        {body: call(strings.Repeat(`{"q":`, 20_000) + "1" + strings.Repeat("}", 20_000)), want: "single JSON message"},
		"deep list":                   {body: call(`{"status":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"), want: "single JSON message"},
		"batch":                       {body: "[" + strings.Repeat(list+",", 1000) + list + "]", want: "batches are not supported"},
		"batch after space":           {body: " \r\n\t[" + list + "]", want: "batches are not supported"},
		"not JSON":                    {body: "tools", want: "single JSON message"},
		"an empty body":               {body: "", want: "single JSON message"},
		"two messages":                {body: list + list, want: "single JSON message"},
		"another JSON-RPC version":    {body: `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`, want: "malformed payload"},
		"an unknown protocol version": {body: list, headers: []string{"Mcp-Protocol-Version", "1999-01-01"}, want: "Unsupported protocol version"},
		"a future protocol version":   {body: list, headers: []string{"Mcp-Protocol-Version", "2999-01-01"}, want: "protocolVersion"},
		"unknown method":              {body: `{"jsonrpc":"2.0","id":1,"method":"tools/steal"}`, want: "tools/steal"},
		"an event stream":             {body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}`, want: "method not found"},
		"an event stream in a later protocol version": {
			body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{` +
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			headers: []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"}, want: "method not found",
		},
		"unknown tool":                     {body: strings.Replace(call(`{}`), "list_tasks", "steal", 1), want: "unknown tool"},
		"unknown argument":                 {body: call(`{"scope":"mine","as":"admin"}`), want: "invalid arguments"},
		"an argument in the wrong case":    {body: call(`{"Scope":"mine"}`), want: "invalid arguments"},
		"an argument of the wrong type":    {body: call(`{"page_size":"1"}`), want: "invalid arguments"},
		"a page that is too large":         {body: call(`{"page_size":1000000000}`), want: "invalid arguments"},
		"arguments that are not an object": {body: call(`[1]`), want: "not a JSON object"},
		"a path as an id":                  {body: strings.Replace(call(`{"task_id":"../agents/me"}`), "list_tasks", "get_task", 1), want: "invalid arguments"},
		"two API keys":                     {body: call(`{}`), headers: []string{"X-Api-Key", "a", "X-Api-Key", "b"}, want: "API key once"},
		"an API key in both headers":       {body: call(`{}`), headers: []string{"X-Api-Key", "a", "Authorization", "Bearer a"}, want: "API key once"},
		"another authorization scheme":     {body: call(`{}`), headers: []string{"Authorization", "Basic YTpi"}, want: "Bearer scheme"},
		"another content type":             {body: list, headers: []string{"Content-Type", "text/plain"}, want: "tools"},
		"a compressed body":                {body: list, headers: []string{"Content-Encoding", "gzip"}, want: "send it without Content-Encoding"},
		"a byte order mark":                {body: "\ufeff" + list, want: "get_board"},
	} {
		t.Run(name, func(t *testing.T) {
			if status, got := post(t, url, hostile.body, hostile.headers...); !strings.Contains(got, hostile.want) || status >= http.StatusInternalServerError {
				t.Errorf("got status %d and %.300q, want %q", status, got, hostile.want)
			}
		})
	}
	if len(a.requests) != 0 {
		t.Errorf("%d malformed messages reached the API", len(a.requests))
	}
	if status, got := post(t, url, list); status != http.StatusOK || !strings.Contains(got, "get_board") {
		t.Errorf("a valid request then returns %d %.100q", status, got)
	}
}
