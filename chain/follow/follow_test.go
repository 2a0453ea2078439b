package follow_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

func TestWatcherSurvivesFailingNodes(t *testing.T) {
	t.Parallel()
	few := func(times int, answer func(http.ResponseWriter)) func(http.ResponseWriter, []string) bool {
		return func(w http.ResponseWriter, _ []string) bool {
			if times--; times < 0 {
				return false
			}
			answer(w)
			return true
		}
	}
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { http.Error(w, "<html>no</html>", code) }
	}
	cases := map[string]func(p *chaintest.Proxy){
		"500":         func(p *chaintest.Proxy) { p.HTTP = few(5, status(http.StatusInternalServerError)) },
		"429":         func(p *chaintest.Proxy) { p.HTTP = few(5, status(http.StatusTooManyRequests)) },
		"HTML for OK": func(p *chaintest.Proxy) { p.HTTP = few(5, status(http.StatusOK)) },
		"a closed connection": func(p *chaintest.Proxy) {
			p.HTTP = few(5, func(http.ResponseWriter) { panic(http.ErrAbortHandler) })
		},
		"no response": func(p *chaintest.Proxy) {
			var silent atomic.Bool // set once the proxy has delayed a call
			p.HTTP = func(_ http.ResponseWriter, methods []string) bool {
				if !slices.Contains(methods, "eth_getLogs") || silent.Swap(true) {
					return false
				}
				time.Sleep(4 * time.Second) // longer than the timeout for a call
				return true
			}
		},
		"null for its newest blocks": func(p *chaintest.Proxy) {
			p.Answer = chaintest.OftenOf(6, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				c.Result = json.RawMessage("null")
				return strings.HasPrefix(string(c.Params[0]), `"0x`)
			})
		},
		"errors for calls": func(p *chaintest.Proxy) {
			p.Answer = chaintest.OftenOf(6, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				c.Fault = &chaintest.Fault{Code: -32603, Message: "internal error"}
				return true
			})
		},
		"no receipts yet": func(p *chaintest.Proxy) {
			p.Answer = chaintest.OftenOf(3, "eth_getBlockReceipts", func(c *chaintest.Exchange) bool {
				c.Result = json.RawMessage("null")
				return true
			})
		},
		"another block's header": func(p *chaintest.Proxy) {
			p.Answer = chaintest.OftenOf(3, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				var header map[string]any
				if json.Unmarshal(c.Result, &header) != nil || !strings.HasPrefix(string(c.Params[0]), `"0x`) {
					return false
				}
				header["number"] = "0x7777"
				c.Result, _ = json.Marshal(header)
				return true
			})
		},
		"a header with a forged parent": func(p *chaintest.Proxy) {
			p.Answer = chaintest.OftenOf(3, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				var header map[string]any
				if json.Unmarshal(c.Result, &header) != nil || !strings.HasPrefix(string(c.Params[0]), `"0x`) {
					return false
				}
				header["parentHash"] = common.Hash{0xee}.Hex()
				c.Result, _ = json.Marshal(header)
				return true
			})
		},
	}
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	for name, misbehave := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.DialWith(t, rpc.NodeOptions{CallTimeout: 3 * time.Second}, p.URL)
			p.Set(misbehave)
			j := chaintest.NewJournal(net.Deployment)
			if chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j) == 0 {
				t.Error("the fault did not occur")
			}
			chaintest.CheckSame(t, net, j)
		})
	}
}

func TestWatcherAdaptsToRangeLimits(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 4 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 160)
	}
	cases := map[string]func(*chaintest.Exchange) *chaintest.Fault{
		"1 block":    func(c *chaintest.Exchange) *chaintest.Fault { return chaintest.Wider(c, 1) },
		"100 blocks": func(c *chaintest.Exchange) *chaintest.Fault { return chaintest.Wider(c, 100) },
		"250 blocks": func(c *chaintest.Exchange) *chaintest.Fault { return chaintest.Wider(c, 250) },
		"too many results": func(c *chaintest.Exchange) *chaintest.Fault {
			if strings.Count(string(c.Result), "logIndex") > 6 {
				return &chaintest.Fault{Code: -32005, Message: "query returned more than 6 results"}
			}
			return nil
		},
	}
	for name, limit := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			var refused atomic.Int64
			p.Answer = func(c *chaintest.Exchange) {
				if c.Method != "eth_getLogs" {
					return
				}
				if c.Fault = limit(c); c.Fault != nil {
					refused.Add(1)
				}
			}
			j := chaintest.NewJournal(net.Deployment)
			chaintest.CatchUp(t, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}))
			chaintest.CheckSame(t, net, j)
			if refused.Load() == 0 {
				t.Error("the limit was not reached")
			}
		})
	}
}

func TestWatcherFollowsWithoutLevels(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	p.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
		if tag := string(c.Params[0]); tag == `"safe"` || tag == `"finalized"` {
			c.Fault = &chaintest.Fault{Code: -39001, Message: "unknown block"}
		}
		return true
	})
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}))
	chaintest.CheckSame(t, net, j)
	if j.At.Finalized != 0 || j.At.Safe != 0 {
		t.Errorf("levels are %d and %d, want none", j.At.Safe, j.At.Finalized)
	}
}

func TestWatcherLeavesAStalledProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	frozen := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, frozen.URL, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{StallTimeout: 10 * time.Millisecond})
	chaintest.CatchUp(t, w)
	mined := uint64(0)
	frozen.Set(func(p *chaintest.Proxy) {
		p.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool { return chaintest.Lag(t, net, c, mined) })
	})
	for range 5 {
		net.Mine(t, 1)
		frozen.Set(func(*chaintest.Proxy) { mined++ })
	}
	chaintest.Follow(t, net, w, j)
	chaintest.CheckSame(t, net, j)
}

// The database can reject answers that passed all checks. Another provider may return other answers.
func TestWatcherLeavesAProviderWhoseStepIsRejected(t *testing.T) {
	t.Parallel()
	unstorable := errors.New("violates a constraint")
	for name, c := range map[string]struct {
		err   error
		leave bool
	}{
		"a constraint":            {err: unstorable, leave: true},
		"an unavailable database": {err: market.Errorf(market.KindUnavailable, "the database is busy")},
		"another leader":          {err: market.ErrNotLeader},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			node := chaintest.Dial(t, chaintest.NewProxy(t, net.Dev.URL()).URL, net.Dev.URL())
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
			chaintest.CatchUp(t, w)
			net.Mine(t, 1)
			j.Refuse = func(market.Step) error { return c.err }
			if _, err := w.Step(t.Context()); !errors.Is(c.err, market.ErrNotLeader) && !errors.Is(err, c.err) {
				t.Errorf("Step() = %v, want the error %v", err, c.err)
			}
			if first := node.Providers()[0]; first.Resting != c.leave {
				t.Errorf("the provider is %+v after the step, want resting = %t", first, c.leave)
			}
			j.Refuse = nil
			chaintest.Follow(t, net, w, j)
			if first := node.Providers()[0]; first.Current == c.leave {
				t.Errorf("the provider is %+v after the next step, want another one = %t", first, c.leave)
			}
			chaintest.CheckSame(t, net, j)
		})
	}
}

// Times after the year 9999 cannot be encoded as JSON.
func TestWatcherRejectsTimesAfterTheYear9999(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	bad := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, bad.URL, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	net.Mine(t, 1)
	head := net.Head(t).Number
	bad.Set(func(p *chaintest.Proxy) {
		p.Answer = func(c *chaintest.Exchange) {
			if c.Method == "eth_getLogs" && c.Fault != nil { // the node does not know the changed block
				c.Fault, c.Result = nil, json.RawMessage("[]")
			}
			var header map[string]any
			if number, ok := chaintest.Numbered(c); ok && number == head && json.Unmarshal(c.Result, &header) == nil && header != nil {
				header["timestamp"] = "0x3afff44180" // 10000-01-01T00:00:00Z
				c.Result, _ = json.Marshal(header)
			}
		}
	})
	if chaintest.Follow(t, net, w, j) == 0 {
		t.Error("the time was not rejected")
	}
	chaintest.CheckSame(t, net, j)
}

func TestWatcherFollowsTheHead(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	chaintest.CheckSame(t, net, j)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	chaintest.CatchUp(t, w)
	chaintest.CheckSame(t, net, j)
	if j.Rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.Rewinds)
	}
}

func TestWatcherFollowsRangesBehindFinality(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 3 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 40)
	}
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Range: 50})
	steps := 0
	for outcome := (follow.Outcome{}); outcome.Progress != follow.CaughtUp; steps++ {
		var err error
		if outcome, err = w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	chaintest.CheckSame(t, net, j)
	if steps > 20 {
		t.Errorf("%d steps for %d blocks, want ranges", steps, net.Head(t).Number)
	}
}

func TestWatcherRaisesTheLevelsWithoutABlock(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 4})
	net.Mine(t, 30)
	j := chaintest.NewJournal(net.Deployment)
	late := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{})
	chaintest.CatchUp(t, late)
	head := net.Head(t).Number
	if j.At.Safe != head-4 || j.At.Finalized != head-8 {
		t.Errorf("levels are %d and %d at block %d, want 4 and 8 below", j.At.Safe, j.At.Finalized, head)
	}
	j.At.Safe, j.At.Finalized = 1, 1
	before := j.At.Block
	chaintest.CatchUp(t, late)
	if j.At.Safe != head-4 || j.At.Finalized != head-8 || j.At.Block != before {
		t.Errorf("cursor is %+v, want the levels raised and the block kept", j.At)
	}
}

// A stored level never falls, so a level above the followed blocks would turn a later reorganisation into
// a violation of finality.
func TestWatcherStoresNoLevelAboveTheFollowedBlocks(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Mine(t, 20)
	bad := chaintest.NewProxy(t, net.Dev.URL())
	bad.Set(func(p *chaintest.Proxy) {
		p.Answer = func(c *chaintest.Exchange) { // reports a head far above the blocks that it has
			var header map[string]any
			if _, ok := chaintest.Numbered(c); ok || c.Method != "eth_getBlockByNumber" || json.Unmarshal(c.Result, &header) != nil || header == nil {
				return
			}
			header["number"] = "0xffffff"
			c.Result, _ = json.Marshal(header)
		}
	})
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, chaintest.Dial(t, bad.URL), j, follow.WatcherOptions{Range: 1})
	for range 5 {
		if _, err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c := j.At; c.Safe != c.Block.Number || c.Finalized != c.Block.Number {
		t.Errorf("levels are %d and %d at block %d, want none above it", c.Safe, c.Finalized, c.Block.Number)
	}
}
