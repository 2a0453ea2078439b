package rpc_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
)

// methodRow returns the row of the documentation's table for a method.
func methodRow(m rpc.Method) string {
	var users []string
	if m.Server {
		users = append(users, "server")
	}
	if m.Client {
		users = append(users, "clients")
	}
	without := "the node cannot be used"
	if len(m.Else) > 0 {
		without = "`" + strings.Join(m.Else, "` or `") + "` is used"
	}
	return "| `" + m.Name + "` | " + strings.Join(users, ", ") + " | " + without + " |"
}

func TestDocumentationListsTheMethodsOfANode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "chain-sync.md"))
	chaintest.Must(t, err)
	var want, got []string
	for _, m := range rpc.Methods() {
		want = append(want, methodRow(m))
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `eth_") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/chain-sync.md lists\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A method counts as missing only if the node does not support it and no other method replaces it.
func TestMissingMethods(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for _, m := range rpc.Methods() {
		p := chaintest.NewProxy(t, net.Dev.URL())
		p.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				if call.Method == m.Name {
					missing := chaintest.MissingMethod(m.Name)["code only"]
					call.Fault = &missing
				}
			}
			return true
		})
		client, err := rpc.DialClient(t.Context(), p.URL)
		chaintest.Must(t, err)
		missing, err := rpc.MissingMethods(t.Context(), client, rpc.NodeOptions{Tries: 1})
		client.Close()
		chaintest.Must(t, err)
		if want := m.Client && len(m.Else) == 0; slices.Equal(missing, []string{m.Name}) != want || !want && len(missing) > 0 {
			t.Errorf("without %s: MissingMethods() = %q", m.Name, missing)
		}
	}
}
