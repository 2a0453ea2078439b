package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
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

// strangeNode returns an agent whose node is a proxy of the world's node.
func strangeNode(t *testing.T) (*agentUser, *chaintest.Proxy) {
	t.Helper()
	p, u := chaintest.NewProxy(t, sharedWorld(t).variable["RPC_URL"]), newAgent(t)
	u.set("RPC_URL", p.URL)
	return u, p
}

// answering makes the node change its answers to single calls. change must be safe for concurrent use.
func answering(p *chaintest.Proxy, change func(*chaintest.Exchange)) {
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			change(c)
		}
		return true
	})
}

// A node whose answers are strange in one way or another does not keep a task from being created and paid once. Only the
// methods of the documentation's table are called.
func TestTaskIsCreatedThroughAStrangeNode(t *testing.T) {
	t.Parallel()
	faults, missing := chaintest.ProviderFaults(), chaintest.MissingMethod("eth_maxPriorityFeePerGas")["a gateway"]
	refusal := func(code int, words string) func(*chaintest.Exchange) {
		return func(c *chaintest.Exchange) {
			if c.Method == "eth_sendRawTransaction" && c.Fault == nil {
				c.Fault = &chaintest.Fault{Code: code, Message: words}
			}
		}
	}
	everyThird := func(fault chaintest.Fault) func(*chaintest.Exchange) {
		var calls atomic.Int32
		return func(c *chaintest.Exchange) {
			if calls.Add(1)%3 == 0 {
				c.Fault = &fault
			}
		}
	}
	var mu sync.Mutex
	called := make(map[string]bool)
	for name, change := range map[string]func(*chaintest.Exchange){
		"one answer of three: own code":     everyThird(faults["own code"]),
		"it has the transaction: own words": refusal(-32000, "rejected by policy 17"),
		"no method for tips": func(c *chaintest.Exchange) {
			if c.Method == "eth_maxPriorityFeePerGas" {
				c.Fault = &missing
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, p := strangeNode(t)
			answering(p, func(c *chaintest.Exchange) {
				mu.Lock()
				called[c.Method] = true
				mu.Unlock()
				change(c)
			})
			if u.run(offering("--yes")...).ok(); u.sent() != 1 {
				t.Errorf("sent %d transactions, want 1", u.sent())
			}
		})
	}
	t.Cleanup(func() {
		for method := range called {
			if !slices.ContainsFunc(rpc.Methods(), func(m rpc.Method) bool { return m.Client && m.Name == method }) {
				t.Errorf("the command calls %s, which chain.Methods does not list for clients", method)
			}
		}
	})
}

// A transaction that no node has is refused, whatever the words. The message contains them, and the next run pays once.
func TestRefusedPaymentIsReported(t *testing.T) {
	t.Parallel()
	u, p := strangeNode(t)
	p.Intercept(func(c *chaintest.Exchange) bool {
		c.Fault = &chaintest.Fault{Code: -32000, Message: "rejected by policy 17"}
		return c.Method == "eth_sendRawTransaction"
	})
	u.run(offering("--yes")...).ended(cli.ExitChain).wantStderr("rejected by policy 17").wantStderr("no node has the transaction")
	if u.sent() != 0 {
		t.Fatalf("sent %d transactions, want none", u.sent())
	}
	p.Intercept(nil)
	if u.run(offering("--yes")...).ok(); u.sent() != 1 {
		t.Errorf("sent %d transactions, want 1", u.sent())
	}
}

// A node that answers nothing but errors is a reason to try again later.
func TestFailingNodeIsReportedAsTemporary(t *testing.T) {
	t.Parallel()
	fault := chaintest.ProviderFaults()["own code"]
	u, p := strangeNode(t)
	u.set("RPC_TRIES", "1")
	answering(p, func(c *chaintest.Exchange) { c.Fault = &fault })
	u.run(offering("--yes")...).ended(cli.ExitLater)
	answering(p, func(c *chaintest.Exchange) {
		if c.Method != "eth_chainId" && c.Method != "eth_getBlockByNumber" {
			c.Fault = &fault
		}
	})
	u.run(offering("--yes")...).ended(cli.ExitLater)
	u.run("rescue").ended(cli.ExitLater)
	if u.sent() != 0 {
		t.Errorf("sent %d transactions, want none", u.sent())
	}
}
