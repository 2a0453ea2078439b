package rescue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/client/rescue"
	"taskmarket/market"
)

// limitedNode is a proxy that simulates the limits of public nodes. refuse returns the reason for
// rejecting a call, or "" to pass it on.
type limitedNode struct {
	forward http.Handler
	refuse  func(call rpcCall) (status int, text string)

	mu    sync.Mutex
	calls map[string]int
}

type rpcCall struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

func newLimitedNode(t *testing.T, node string, refuse func(rpcCall) (int, string)) (*limitedNode, string) {
	t.Helper()
	target, err := url.Parse(node)
	must(t, err)
	f := &limitedNode{forward: httputil.NewSingleHostReverseProxy(target), refuse: refuse, calls: map[string]int{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, server.URL
}

func (f *limitedNode) count(method string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[method]
}

func (f *limitedNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var call rpcCall
	if bytes.HasPrefix(body, []byte("[")) {
		call = rpcCall{ID: json.RawMessage("null"), Method: "batch"}
	}
	if call.Method != "" || json.Unmarshal(body, &call) == nil {
		f.mu.Lock()
		f.calls[call.Method]++
		f.mu.Unlock()
		if status, text := f.refuse(call); text != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%q}}`, call.ID, text)
			return
		}
	}
	f.forward.ServeHTTP(w, r)
}

// width returns the number of blocks in a request for logs, or 0 for other calls.
func (c rpcCall) width() uint64 {
	var filter struct{ FromBlock, ToBlock string }
	if c.Method != "eth_getLogs" || json.Unmarshal(c.Params[0], &filter) != nil {
		return 0
	}
	return quantity(filter.ToBlock) - quantity(filter.FromBlock) + 1
}

func quantity(hex string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(hex, "0x"), 16, 64)
	return n
}

// pastState reports whether the call requests the state at an older block.
func (c rpcCall) pastState() bool {
	last := len(c.Params) - 1
	return (c.Method == "eth_getCode" || c.Method == "eth_call" || c.Method == "eth_getBalance") && string(c.Params[last]) != `"latest"`
}

// Holdings finds the same records through all kinds of limited nodes.
func TestHistoryFromLimitedNodes(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s := &stage{T: t, net: net, rescue: open(t, net, net.Dev.URL())}
	net.Mine(t, 300)
	s.applied()
	net.Mine(t, 200)
	s.submitted()
	net.Mine(t, 100)
	want := holdings(t, s.rescue, net.Human.Address())
	if len(want.Tasks) != 1 || len(want.Stakes) != 2 {
		t.Fatalf("found %d tasks and %d stakes", len(want.Tasks), len(want.Stakes))
	}
	const limit = 16 // maximum number of blocks in one request for logs
	var busy atomic.Int64
	tests := map[string]struct {
		refuse func(rpcCall) (int, string)
		known  bool // whether the escrow's first block is known
		// logs is the maximum number of requests for logs; each range needs two.
		logs int
	}{
		"no limit": {func(rpcCall) (int, string) { return 0, "" }, false, 3},
		"ranges of 16 blocks": {func(c rpcCall) (int, string) {
			if c.width() > limit {
				return http.StatusOK, "block range is too wide"
			}
			return 0, ""
		}, false, 250},
		"ranges of 16 blocks, reported as an invalid request": {func(c rpcCall) (int, string) {
			if c.width() > limit {
				return http.StatusBadRequest, "query exceeds the plan's range"
			}
			return 0, ""
		}, true, 250},
		"pruned state": {func(c rpcCall) (int, string) {
			if c.pastState() {
				return http.StatusOK, "missing trie node"
			}
			return 0, ""
		}, false, 3},
		"no batches": {func(c rpcCall) (int, string) {
			if c.Method == "batch" {
				return http.StatusBadRequest, "batches are for paying customers"
			}
			return 0, ""
		}, true, 2},
		"occasional rate limiting": {func(rpcCall) (int, string) {
			if busy.Add(1)%7 == 0 {
				return http.StatusTooManyRequests, "slow down"
			}
			return 0, ""
		}, true, 8},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			node, address := newLimitedNode(t, net.Dev.URL(), test.refuse)
			var progress []rescue.Progress
			r := open(t, net, address, func(o *rescue.Options) {
				o.Progress = func(p rescue.Progress) { progress = append(progress, p) }
				if test.known {
					o.Deployment = net.Deployment
				}
			})
			got := holdings(t, r, net.Human.Address())
			if diff := cmp.Diff(want.Tasks, got.Tasks, bigs); diff != "" {
				t.Errorf("tasks (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.Stakes, got.Stakes, bigs); diff != "" {
				t.Errorf("stakes (-want +got):\n%s", diff)
			}
			if asked := node.count("eth_getLogs"); asked > test.logs {
				t.Errorf("sent %d requests for logs, want at most %d", asked, test.logs)
			}
			if last := progress[len(progress)-1]; last.Block != last.Last || last.Last != net.Head(t).Number {
				t.Errorf("the last progress is %+v", last)
			}
		})
	}
}

// Some nodes return "no code" for old state that they have pruned. The logs are found nevertheless.
func TestNodeWithPrunedState(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s := &stage{T: t, net: net}
	s.submitted()
	net.Mine(t, 100)
	head := net.Head(t).Number
	target, err := url.Parse(net.Dev.URL())
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var call rpcCall
		if json.Unmarshal(body, &call) == nil && call.Method == "eth_getCode" && call.pastState() {
			var block string
			if json.Unmarshal(call.Params[1], &block) == nil && quantity(block) < head-10 {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":"0x"}`, call.ID)
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	if got := holdings(t, open(t, net, server.URL), net.Human.Address()); len(got.Tasks) != 1 || len(got.Stakes) != 1 {
		t.Errorf("found %d tasks and %d stakes, want one of each", len(got.Tasks), len(got.Stakes))
	}
}

// If a node reports an impossible block number as the head, Holdings returns an error. The search
// for logs would otherwise never end.
func TestImpossibleHead(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	proxy := chaintest.NewProxy(t, net.Dev.URL())
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			switch {
			case call.Method == "eth_getLogs":
				call.Result, call.Fault = json.RawMessage("[]"), nil
			case call.Method == "eth_getBlockByNumber" && string(call.Params[0]) == `"latest"`:
				var head map[string]any
				if json.Unmarshal(call.Result, &head) != nil {
					return false
				}
				head["number"] = "0xffffffffffffffff"
				call.Result, _ = json.Marshal(head)
			}
		}
		return true
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := open(t, net, proxy.URL).Holdings(ctx, net.Human.Address())
	if market.KindOf(err) != market.KindChainUnavailable || ctx.Err() != nil {
		t.Errorf("Holdings() error = %v, want %s", err, market.KindChainUnavailable)
	}
}

// Contracts that do not belong to the market, or that differ from the pinned ones, are rejected.
func TestOtherContractsAreRejected(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	elsewhere := common.HexToAddress("0xe1")
	tests := map[string]func(*market.Deployment){
		"no contract at the address":    func(d *market.Deployment) { d.Escrow = elsewhere },
		"the token as the escrow":       func(d *market.Deployment) { d.Escrow = net.Deployment.Token },
		"another chain":                 func(d *market.Deployment) { d.ChainID = 1 },
		"another token":                 func(d *market.Deployment) { d.Token = elsewhere },
		"another staking contract":      func(d *market.Deployment) { d.Staking = elsewhere },
		"another treasury":              func(d *market.Deployment) { d.Treasury = elsewhere },
		"no distributor at the address": func(d *market.Deployment) { d.Distributor = elsewhere },
	}
	for name, change := range tests {
		d := net.Deployment
		change(&d)
		r, err := rescue.Open(t.Context(), rescue.Options{RPCURL: net.Dev.URL(), Deployment: d})
		if err == nil {
			r.Close()
		}
		if !errors.Is(err, client.ErrOtherContracts) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestUnreachableNode(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	began := time.Now()
	_, err := rescue.Open(t.Context(), rescue.Options{
		RPCURL: closed.URL + "/key-of-a-provider", Deployment: market.Deployment{Escrow: common.HexToAddress("0xe1")},
	})
	if market.KindOf(err) != market.KindChainUnavailable || strings.Contains(err.Error(), "key-of-a-provider") {
		t.Errorf("got %v", err)
	}
	if time.Since(began) > 5*time.Second {
		t.Errorf("the error took %s", time.Since(began))
	}
}
