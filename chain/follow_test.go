package chain_test

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

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

func TestThreat90WatcherSurvivesFailingNodes(t *testing.T) {
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
	cases := map[string]func(p *proxy){
		"500":         func(p *proxy) { p.http = few(5, status(http.StatusInternalServerError)) },
		"429":         func(p *proxy) { p.http = few(5, status(http.StatusTooManyRequests)) },
		"HTML for OK": func(p *proxy) { p.http = few(5, status(http.StatusOK)) },
		"a closed connection": func(p *proxy) {
			p.http = few(5, func(http.ResponseWriter) { panic(http.ErrAbortHandler) })
		},
		"no response": func(p *proxy) {
			var silent atomic.Bool // set once the proxy has delayed a call
			p.http = func(_ http.ResponseWriter, methods []string) bool {
				if !slices.Contains(methods, "eth_getLogs") || silent.Swap(true) {
					return false
				}
				time.Sleep(4 * time.Second) // longer than the timeout for a call
				return true
			}
		},
		"null for its newest blocks": func(p *proxy) {
			p.answer = oftenOf(6, "eth_getBlockByNumber", func(c *call) bool {
				c.Result = json.RawMessage("null")
				return strings.HasPrefix(string(c.Params[0]), `"0x`)
			})
		},
		"errors for calls": func(p *proxy) {
			p.answer = oftenOf(6, "eth_getBlockByNumber", func(c *call) bool {
				c.Fault = &fault{Code: -32603, Message: "internal error"}
				return true
			})
		},
		"no receipts yet": func(p *proxy) {
			p.answer = oftenOf(3, "eth_getBlockReceipts", func(c *call) bool {
				c.Result = json.RawMessage("null")
				return true
			})
		},
		"another block's header": func(p *proxy) {
			p.answer = oftenOf(3, "eth_getBlockByNumber", func(c *call) bool {
				var header map[string]any
				if json.Unmarshal(c.Result, &header) != nil || !strings.HasPrefix(string(c.Params[0]), `"0x`) {
					return false
				}
				header["number"] = "0x7777"
				c.Result, _ = json.Marshal(header)
				return true
			})
		},
		"a header with a forged parent": func(p *proxy) {
			p.answer = oftenOf(3, "eth_getBlockByNumber", func(c *call) bool {
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
			p := newProxy(t, net.Dev.URL())
			node := chaintest.DialWith(t, chain.NodeOptions{CallTimeout: 3 * time.Second}, p.URL)
			p.set(misbehave)
			j := newJournal(net.Deployment)
			if follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j) == 0 {
				t.Error("the fault did not occur")
			}
			checkSame(t, net, j)
		})
	}
}

func TestThreat90WatcherAdaptsToRangeLimits(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 4 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 160)
	}
	cases := map[string]func(*call) *fault{
		"1 block":    func(c *call) *fault { return wider(c, 1) },
		"100 blocks": func(c *call) *fault { return wider(c, 100) },
		"250 blocks": func(c *call) *fault { return wider(c, 250) },
		"too many results": func(c *call) *fault {
			if strings.Count(string(c.Result), "logIndex") > 6 {
				return &fault{Code: -32005, Message: "query returned more than 6 results"}
			}
			return nil
		},
	}
	for name, limit := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			var refused atomic.Int64
			p.answer = func(c *call) {
				if c.Method != "eth_getLogs" {
					return
				}
				if c.Fault = limit(c); c.Fault != nil {
					refused.Add(1)
				}
			}
			j := newJournal(net.Deployment)
			catchUp(t, newWatcher(net, node, j, chain.WatcherOptions{}))
			checkSame(t, net, j)
			if refused.Load() == 0 {
				t.Error("the limit was not reached")
			}
		})
	}
}

func TestWatcherFollowsWithoutLevels(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	p.answer = oftenOf(1<<30, "eth_getBlockByNumber", func(c *call) bool {
		if tag := string(c.Params[0]); tag == `"safe"` || tag == `"finalized"` {
			c.Fault = &fault{Code: -39001, Message: "unknown block"}
		}
		return true
	})
	j := newJournal(net.Deployment)
	catchUp(t, newWatcher(net, node, j, chain.WatcherOptions{}))
	checkSame(t, net, j)
	if j.cursor.Finalized != 0 || j.cursor.Safe != 0 {
		t.Errorf("levels are %d and %d, want none", j.cursor.Safe, j.cursor.Finalized)
	}
}

func TestWatcherLeavesAStalledProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	frozen := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, frozen.URL, net.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{StallTimeout: 10 * time.Millisecond})
	catchUp(t, w)
	mined := uint64(0)
	frozen.set(func(p *proxy) {
		p.answer = oftenOf(1<<30, "eth_getBlockByNumber", func(c *call) bool { return lag(t, net, c, mined) })
	})
	for range 5 {
		net.Mine(t, 1)
		frozen.set(func(*proxy) { mined++ })
	}
	follow(t, net, w, j)
	checkSame(t, net, j)
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
			node := chaintest.Dial(t, newProxy(t, net.Dev.URL()).URL, net.Dev.URL())
			j := newJournal(net.Deployment)
			w := newWatcher(net, node, j, chain.WatcherOptions{})
			catchUp(t, w)
			net.Mine(t, 1)
			j.refuse = func(market.Step) error { return c.err }
			if _, err := w.Step(t.Context()); !errors.Is(c.err, market.ErrNotLeader) && !errors.Is(err, c.err) {
				t.Errorf("Step() = %v, want the error %v", err, c.err)
			}
			if first := node.Providers()[0]; first.Resting != c.leave {
				t.Errorf("the provider is %+v after the step, want resting = %t", first, c.leave)
			}
			j.refuse = nil
			follow(t, net, w, j)
			if first := node.Providers()[0]; first.Current == c.leave {
				t.Errorf("the provider is %+v after the next step, want another one = %t", first, c.leave)
			}
			checkSame(t, net, j)
		})
	}
}

// Times after the year 9999 cannot be encoded as JSON.
func TestWatcherRejectsTimesAfterTheYear9999(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	bad := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, bad.URL, net.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	catchUp(t, w)
	net.Mine(t, 1)
	head := net.Head(t).Number
	bad.set(func(p *proxy) {
		p.answer = func(c *call) {
			if c.Method == "eth_getLogs" && c.Fault != nil { // the node does not know the changed block
				c.Fault, c.Result = nil, json.RawMessage("[]")
			}
			var header map[string]any
			if number, ok := numbered(c); ok && number == head && json.Unmarshal(c.Result, &header) == nil && header != nil {
				header["timestamp"] = "0x3afff44180" // 10000-01-01T00:00:00Z
				c.Result, _ = json.Marshal(header)
			}
		}
	})
	if follow(t, net, w, j) == 0 {
		t.Error("the time was not rejected")
	}
	checkSame(t, net, j)
}

func TestWatcherFollowsTheHead(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{})
	catchUp(t, w)
	checkSame(t, net, j)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	catchUp(t, w)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.rewinds)
	}
}

func TestWatcherFollowsRangesBehindFinality(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 3 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 40)
	}
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Range: 50})
	steps := 0
	for outcome := (chain.Outcome{}); outcome.Progress != chain.CaughtUp; steps++ {
		var err error
		if outcome, err = w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkSame(t, net, j)
	if steps > 20 {
		t.Errorf("%d steps for %d blocks, want ranges", steps, net.Head(t).Number)
	}
}

func TestWatcherRaisesTheLevelsWithoutABlock(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 4})
	net.Mine(t, 30)
	j := newJournal(net.Deployment)
	late := newWatcher(net, net.Node, j, chain.WatcherOptions{Depth: 6})
	catchUp(t, late)
	head := net.Head(t).Number
	if j.cursor.Safe != head-6 || j.cursor.Finalized != head-8 {
		t.Errorf("levels are %d and %d at block %d, want 6 (the followed block) and 8 below", j.cursor.Safe, j.cursor.Finalized, head)
	}
	j.cursor.Safe, j.cursor.Finalized = 1, 1
	before := j.cursor.Block
	catchUp(t, late)
	if j.cursor.Safe != head-6 || j.cursor.Finalized != head-8 || j.cursor.Block != before {
		t.Errorf("cursor is %+v, want the levels raised and the block kept", j.cursor)
	}
}

func TestWatcherWaitsForConfirmations(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Mine(t, 10)
	j := newJournal(net.Deployment)
	outcome := catchUp(t, newWatcher(net, net.Node, j, chain.WatcherOptions{Depth: 3}))
	if want := net.Head(t).Number - 3; outcome.Block.Number != want {
		t.Errorf("followed to block %d, want %d", outcome.Block.Number, want)
	}
}

// A stored level never falls, so a level above the followed blocks would turn a later reorganisation into
// a violation of finality.
func TestWatcherStoresNoLevelAboveTheFollowedBlocks(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Mine(t, 20)
	bad := newProxy(t, net.Dev.URL())
	bad.set(func(p *proxy) {
		p.answer = func(c *call) { // reports a head far above the blocks that it has
			var header map[string]any
			if _, ok := numbered(c); ok || c.Method != "eth_getBlockByNumber" || json.Unmarshal(c.Result, &header) != nil || header == nil {
				return
			}
			header["number"] = "0xffffff"
			c.Result, _ = json.Marshal(header)
		}
	})
	j := newJournal(net.Deployment)
	w := newWatcher(net, chaintest.Dial(t, bad.URL), j, chain.WatcherOptions{Range: 1})
	for range 5 {
		if _, err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c := j.cursor; c.Safe != c.Block.Number || c.Finalized != c.Block.Number {
		t.Errorf("levels are %d and %d at block %d, want none above it", c.Safe, c.Finalized, c.Block.Number)
	}
}
