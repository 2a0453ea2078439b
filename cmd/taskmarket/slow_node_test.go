package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// slowProxy returns the address of a proxy that delays each request to upstream by d.
func slowProxy(tb testing.TB, upstream string, d time.Duration) (address string) {
	tb.Helper()
	u, err := url.Parse(upstream)
	clitest.Must(tb, err)
	front := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) }}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(d)
		front.ServeHTTP(w, r)
	}))
	tb.Cleanup(node.Close)
	return node.URL
}

// A node that takes 2.5 s for each call is slow, but causes no failure.
func TestSlowNodeIsUsable(t *testing.T) {
	t.Parallel()
	node := slowProxy(t, sharedWorld(t).variable["RPC_URL"], 2500*time.Millisecond)
	for name, use := range map[string]func(*agentUser){
		"create-task": func(a *agentUser) {
			a.run("create-task", "--title", "Photograph the harbour", "--description", "By daylight.", "--amount", "1 TASK", "--yes").ok()
		},
		"doctor": func(a *agentUser) { a.run("doctor").ok() },
		"rescue": func(a *agentUser) {
			a.hireable()
			if listed := a.run("rescue").ok().stdout; !strings.Contains(listed, "1 TASK  stays locked") {
				a.t.Errorf("rescue listed %s", listed)
			}
		},
		"watch": func(a *agentUser) {
			a.set("WS_URL", "") // forces polling, because a subscription would bypass the slow proxy
			watch := a.watch("--since", "0")
			a.hireable()
			if line := watch.next(); line["eventName"] != "TaskPosted" {
				a.t.Errorf("the watch printed %v first, want TaskPosted", line)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t)
			a.set("RPC_URL", node)
			began := time.Now()
			use(a)
			t.Logf("%s took %s", name, time.Since(began))
		})
	}
}

func TestRPCTimeoutSetting(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	u.set("RPC_URL", slowProxy(t, sharedWorld(t).variable["RPC_URL"], time.Second))
	u.set("WALLET_ADDRESS", newWallet(t).Address().Hex())
	u.set("RPC_TRIES", "1")
	u.run("rescue", "--rpc-timeout", "200ms").ended(cli.ExitLater).wantStderr("could not connect to the node")
	u.run("rescue", "--rpc-timeout", "20s").ok()
	u.run("rescue", "--rpc-timeout", "20").ended(cli.ExitUsage).wantStderr(`rpc_timeout (flag --rpc-timeout) is "20", not a duration from 100ms to 5m0s, such as 30s`)
	u.set("RPC_TRIES", "11")
	u.run("rescue").ended(cli.ExitUsage).wantStderr(`rpc_tries (environment TASKMARKET_RPC_TRIES) is "11", not a number from 1 to 10`)
}
