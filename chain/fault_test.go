package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
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

// follow steps over errors of the provider until the journal is at the head.
func follow(t *testing.T, net *chaintest.Net, w *chain.Watcher, j *journal) (faults int) {
	t.Helper()
	head := net.Head(t)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		_, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
			t.Fatalf("Step() = %v, want an error of the provider at most", err)
		}
		if j.cursor.Block == head {
			return faults
		}
		if err != nil {
			faults++
			time.Sleep(time.Millisecond) // as Run does, for longer
		}
	}
	t.Fatalf("the watcher is at %d of %d after %d errors", j.cursor.Block.Number, head.Number, faults)
	return faults
}

// oftenOf applies a fault to the first few calls of a method that it fits.
func oftenOf(times int, method string, change func(*call) bool) func(*call) {
	return func(c *call) {
		if c.Method == method && times > 0 && change(c) {
			times--
		}
	}
}

// onLogs changes the first log of an answer that has some. It does not fit
// where that is no change.
func onLogs(change func(log map[string]any)) func(*call) bool {
	return func(c *call) bool {
		var logs []map[string]any
		if json.Unmarshal(c.Result, &logs) != nil || len(logs) == 0 {
			return false
		}
		was, _ := json.Marshal(logs)
		change(logs[0])
		c.Result, _ = json.Marshal(logs)
		return !bytes.Equal(was, c.Result)
	}
}

// onList changes the answer as a list, of at least two.
func onList(change func(logs []any) []any) func(*call) bool {
	return func(c *call) bool {
		var logs []any
		if json.Unmarshal(c.Result, &logs) != nil || len(logs) < 2 {
			return false
		}
		c.Result, _ = json.Marshal(change(logs))
		return true
	}
}

// changeTopics changes what a log says first.
func changeTopics(change func([]any) []any) func(map[string]any) {
	return func(log map[string]any) {
		if topics, ok := log["topics"].([]any); ok && len(topics) > 0 {
			log["topics"] = change(topics)
		}
	}
}

func set(member string, value any) func(map[string]any) {
	return func(log map[string]any) { log[member] = value }
}

func TestThreat43WatcherRefusesLogsThatDoNotFitTheBlock(t *testing.T) {
	t.Parallel()
	other := common.Hash{0xee}.Hex()
	cases := map[string]func(*call) bool{
		"of another block's hash":   onLogs(set("blockHash", other)),
		"of another block's number": onLogs(set("blockNumber", "0x1")),
		"of a foreign contract":     onLogs(set("address", "0x00000000000000000000000000000000000000ee")),
		"of a foreign transaction":  onLogs(set("transactionHash", other)),
		"with another topic":        onLogs(set("topics", []string{other})),
		"without topics":            onLogs(set("topics", []string{})),
		"with a topic less":         onLogs(changeTopics(func(topics []any) []any { return topics[:len(topics)-1] })),
		"with a topic more":         onLogs(changeTopics(func(topics []any) []any { return append(topics, other) })),
		"with its topics swapped":   onLogs(changeTopics(func(topics []any) []any { slices.Reverse(topics); return topics })),
		"with other data":           onLogs(set("data", "0xee")),
		"without data":              onLogs(set("data", "0x")),
		"with a word more":          onLogs(func(log map[string]any) { log["data"] = fmt.Sprint(log["data"], other[2:]) }),
		"with another index":        onLogs(set("logIndex", "0x63")),
		"of another place":          onLogs(set("transactionIndex", "0x63")),
		"marked as removed":         onLogs(set("removed", true)),
		"with one dropped":          onList(func(logs []any) []any { return logs[1:] }),
		"with one doubled":          onList(func(logs []any) []any { return append(logs[:1:1], logs...) }),
		"shuffled":                  onList(func(logs []any) []any { slices.Reverse(logs); return logs }),
		"with all dropped":          onList(func([]any) []any { return []any{} }),
		"null instead of a list": func(c *call) bool {
			found := len(c.Result) > 2
			c.Result = json.RawMessage("null")
			return found
		},
	}
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.answer = oftenOf(4, "eth_getLogs", change)
			j := newJournal(net.Deployment)
			faults := follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j)
			checkSame(t, net, j)
			if faults != 4 {
				t.Errorf("%d of 4 wrong answers were refused", faults)
			}
		})
	}
}

// TestThreat43WatcherRefusesHeadersThatAreNotTheChains: what a node says of a
// block besides its logs is what its hash is made of.
func TestThreat43WatcherRefusesHeadersThatAreNotTheChains(t *testing.T) {
	t.Parallel()
	other := common.Hash{0xee}.Hex()
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	for member, value := range map[string]string{
		"parentHash": other, "number": "0x7777", "timestamp": "0x7fffffff", "receiptsRoot": other, "stateRoot": other,
		"transactionsRoot": other, "logsBloom": "0x" + strings.Repeat("0", 512), "gasUsed": "0x1",
	} {
		t.Run(member, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.answer = oftenOf(4, "eth_getBlockByNumber", func(c *call) bool {
				var header map[string]any
				if json.Unmarshal(c.Result, &header) != nil || !strings.HasPrefix(string(c.Params[0]), `"0x`) || header[member] == value {
					return false
				}
				header[member] = value
				c.Result, _ = json.Marshal(header)
				return true
			})
			j := newJournal(net.Deployment)
			if faults := follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j); faults == 0 || j.rewinds != 0 {
				t.Errorf("%d faults and %d rewinds, want some and none", faults, j.rewinds)
			}
			checkSame(t, net, j)
		})
	}
}

// TestThreat42LogsOfALaggingNode: heads come from one node and logs from
// another, which is twenty blocks behind and does not say so. Nothing is missed.
func TestThreat42LogsOfALaggingNode(t *testing.T) {
	t.Parallel()
	const behind, rounds = 20, 10
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	lies := 0
	p.answer = func(c *call) {
		number, ok := blockOf(t, net, c)
		if !ok || number+behind <= net.Head(t).Number {
			return
		}
		lies++
		c.Result = json.RawMessage("[]")
		if c.Method == "eth_getBlockReceipts" && lies%2 == 0 {
			c.Result = json.RawMessage("null")
		}
	}
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	for range rounds {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		for range behind {
			stepWhileItCan(t, w)
			net.Mine(t, 1)
		}
	}
	follow(t, net, w, j)
	checkSame(t, net, j)
	if lies < rounds {
		t.Errorf("the node left out %d answers", lies)
	}
}

// stepWhileItCan steps until there is nothing to follow, or an error after which
// Run would wait.
func stepWhileItCan(t *testing.T, w *chain.Watcher) {
	t.Helper()
	for {
		outcome, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
			t.Fatal(err)
		}
		if err != nil || outcome.Progress == chain.CaughtUp {
			return
		}
	}
}

// blockOf is the number of the block that a call asks about by hash.
func blockOf(t *testing.T, net *chaintest.Net, c *call) (number uint64, ok bool) {
	t.Helper()
	var hash common.Hash
	switch c.Method {
	case "eth_getLogs":
		var query struct{ BlockHash *common.Hash }
		if json.Unmarshal(c.Params[0], &query) != nil || query.BlockHash == nil {
			return 0, false
		}
		hash = *query.BlockHash
	case "eth_getBlockReceipts":
		if json.Unmarshal(c.Params[0], &hash) != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	header, err := net.Dev.Client().HeaderByHash(t.Context(), hash)
	if err != nil {
		return 0, false
	}
	return header.Number.Uint64(), true
}

func TestWatcherComparesReceiptsWithTheBloomFilter(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	left := 5
	p.answer = func(c *call) { // a node that has the headers, and nothing in them
		switch {
		case left == 0:
		case c.Method == "eth_getLogs":
			c.Result = json.RawMessage("[]")
		case c.Method == "eth_getBlockReceipts":
			c.Result = json.RawMessage("[]")
			left--
		}
	}
	j := newJournal(net.Deployment)
	if faults := follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j); faults != 5 {
		t.Errorf("%d of 5 wrong answers were refused", faults)
	}
	checkSame(t, net, j)
}

func TestThreat90WatcherOutlivesNodesThatFail(t *testing.T) {
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
		"a cut connection": func(p *proxy) {
			p.http = few(5, func(http.ResponseWriter) { panic(http.ErrAbortHandler) })
		},
		"no answer at all": func(p *proxy) {
			var silent atomic.Bool // the next call comes while this one waits
			p.http = func(_ http.ResponseWriter, methods []string) bool {
				if !slices.Contains(methods, "eth_getLogs") || silent.Swap(true) {
					return false
				}
				time.Sleep(4 * time.Second) // longer than a call may take
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
				t.Error("the fault was not met")
			}
			checkSame(t, net, j)
		})
	}
}

func TestThreat90WatcherBearsLimitsOfRanges(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 4 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 80)
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
			refused := 0
			p.answer = func(c *call) {
				if c.Method != "eth_getLogs" {
					return
				}
				if c.Fault = limit(c); c.Fault != nil {
					refused++
				}
			}
			j := newJournal(net.Deployment)
			catchUp(t, newWatcher(net, node, j, chain.WatcherOptions{}))
			checkSame(t, net, j)
			if refused == 0 {
				t.Error("the limit was not met")
			}
		})
	}
}

// wider refuses a question about more blocks than the limit.
func wider(c *call, limit int64) *fault {
	var query struct{ FromBlock, ToBlock string }
	if json.Unmarshal(c.Params[0], &query) != nil || query.FromBlock == "" {
		return nil
	}
	from, _ := strconv.ParseInt(query.FromBlock, 0, 64)
	to, _ := strconv.ParseInt(query.ToBlock, 0, 64)
	if to-from >= limit {
		return &fault{Code: -32602, Message: "block range is too wide"}
	}
	return nil
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

func TestWatcherTurnsToAProviderThatKnowsItsBlock(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	lying, good := newProxy(t, net.Dev.URL()), newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, lying.URL, good.URL)
	// It has not executed the newest blocks, but says so in no way.
	lying.answer = oftenOf(1<<30, "eth_getLogs", func(c *call) bool {
		c.Result = json.RawMessage("[]")
		return true
	})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	if faults := follow(t, net, w, j); faults != 1 {
		t.Errorf("%d faults, want one and then the other provider", faults)
	}
	checkSame(t, net, j)

	good.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	lying.set(func(p *proxy) { p.answer = nil })
	net.Mine(t, 3)
	follow(t, net, w, j)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.rewinds)
	}
}

func TestThreat94WatcherIsNotSentBackAndForthBetweenProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	ahead, behind := newProxy(t, net.Dev.URL()), newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, ahead.URL, behind.URL)
	behind.answer = oftenOf(1<<30, "eth_getBlockByNumber", func(c *call) bool { return lag(t, net, c, 5) })
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{Patience: time.Hour})
	flaky := 0
	ahead.http = func(w http.ResponseWriter, _ []string) bool {
		if flaky++; flaky%3 == 0 {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	for range 8 {
		net.Mine(t, 2)
		for range 4 {
			_, err := w.Step(t.Context())
			if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
				t.Fatal(err)
			}
		}
	}
	behind.set(func(p *proxy) { p.answer = nil })
	follow(t, net, w, j)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds without a reorganisation", j.rewinds)
	}
}

func TestWatcherDoesNotTurnToAnotherBranch(t *testing.T) {
	t.Parallel()
	genesis := devnet.Options{Genesis: time.Unix(1_700_000_000, 0), SlotsPerEpoch: 64}
	net, branch := chaintest.New(t, genesis), chaintest.New(t, genesis)
	net.Warp(t, time.Hour) // from here on the two differ, if they did not before
	branch.Mine(t, 20)
	flaky := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, flaky.URL, branch.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	follow(t, net, w, j)
	net.Mine(t, 1)
	times := 5
	flaky.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool {
			if times--; times < 0 {
				return false
			}
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	if faults := follow(t, net, w, j); faults != 5 || j.rewinds != 0 {
		t.Errorf("%d faults and %d rewinds, want 5 and none", faults, j.rewinds)
	}
	checkSame(t, net, j)
}

func TestWatcherLeavesAProviderThatStandsStill(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	frozen := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, frozen.URL, net.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{Patience: 10 * time.Millisecond})
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

// lag answers as a node would that is some blocks behind.
func lag(t *testing.T, net *chaintest.Net, c *call, blocks uint64) bool {
	t.Helper()
	head := net.Head(t).Number - blocks
	var asked string
	if json.Unmarshal(c.Params[0], &asked) != nil {
		return false
	}
	switch number, err := strconv.ParseUint(strings.TrimPrefix(asked, "0x"), 16, 64); {
	case asked == "latest":
		h, err := net.Dev.Client().HeaderByNumber(t.Context(), new(big.Int).SetUint64(head))
		if err != nil {
			return false
		}
		c.Result, _ = json.Marshal(h)
	case err == nil && number > head:
		c.Result = json.RawMessage("null")
	}
	return true
}

func TestThreat91WatcherRefusesAnotherChain(t *testing.T) {
	t.Parallel()
	net, other := chaintest.New(t), chaintest.New(t, devnet.Options{Genesis: time.Unix(1_700_000_000, 0)})
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	catchUp(t, w)
	before := j.cursor
	other.Mine(t, 50)
	p.set(func(p *proxy) { p.upstream = other.Dev.URL() })
	for range 3 {
		if _, err := w.Step(t.Context()); !errors.Is(err, chain.ErrWrongChain) {
			t.Fatalf("Step() = %v, want %v", err, chain.ErrWrongChain)
		}
	}
	if j.cursor != before || j.rewinds != 0 {
		t.Errorf("cursor moved from %+v to %+v", before, j.cursor)
	}
	p.set(func(p *proxy) { p.upstream = net.Dev.URL() })
	net.Mine(t, 1)
	follow(t, net, w, j)
	checkSame(t, net, j)
}

func TestThreat91DialRefusesWhatIsNotTheChain(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	closed := newProxy(t, net.Dev.URL())
	closed.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	cases := map[string]struct {
		urls    []string
		chainID uint64
		wrong   bool
	}{
		"another chain id": {urls: []string{net.Dev.URL()}, chainID: 1, wrong: true},
		"nobody":           {chainID: 1},
		"not a URL":        {urls: []string{"secret"}, chainID: 1},
		"nobody who works": {urls: []string{closed.URL}, chainID: devnet.ChainID},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := chain.Dial(t.Context(), c.urls, c.chainID, chain.NodeOptions{})
			if err == nil || errors.Is(err, chain.ErrWrongChain) != c.wrong {
				t.Errorf("Dial() = %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("Dial() = %v, which repeats the URL", err)
			}
		})
	}
	if node := chaintest.Dial(t, closed.URL, net.Dev.URL()); node.ChainID() != devnet.ChainID {
		t.Errorf("chain id is %d", node.ChainID())
	}
}

func TestCatchUpOutlivesANodeThatFails(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	front := newProxy(t, net.Dev.URL())
	w := newWatcher(net, chaintest.Dial(t, front.URL), j, chain.WatcherOptions{})
	acceptedTask(t, net)
	refusals := 3
	front.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool {
			if refusals == 0 {
				return false
			}
			refusals--
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	outcome, err := w.CatchUp(t.Context())
	if err != nil || outcome.Progress != chain.CaughtUp {
		t.Fatalf("CatchUp() = %q, %v, want %q", outcome.Progress, err, chain.CaughtUp)
	}
	checkSame(t, net, j)
}

func TestReadsTurnToAnotherProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	first := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, first.URL, net.Dev.URL())
	first.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	reader := chain.NewReader(node, net.Contracts)
	for range 5 {
		if _, _, err := reader.Balances(t.Context(), net.Agent.Address()); err != nil {
			t.Fatal(err)
		}
	}
	if n := first.count("eth_call"); n > 1 {
		t.Errorf("the provider that rests was asked %d times", n)
	}
	alone := chain.NewReader(chaintest.Dial(t, newProxy(t, net.Dev.URL()).URL), net.Contracts)
	if _, err := alone.PermitNonce(t.Context(), net.Agent.Address()); err != nil {
		t.Fatal(err)
	}
}

func TestReadsSayThatTheChainIsAway(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	p.set(func(p *proxy) { p.upstream = "http://127.0.0.1:1" })
	reader := chain.NewReader(node, net.Contracts)
	call := net.Contracts.Settle(net.Deployment.Escrow, 1)
	_, _, balances := reader.Balances(t.Context(), net.Agent.Address())
	_, proof := reader.ProveFunding(t.Context(), common.Hash{1}, &market.Task{})
	cases := map[string]error{
		"Balances":     balances,
		"Simulate":     reader.Simulate(t.Context(), net.Agent.Address(), call),
		"ProveFunding": proof,
		"VerifyDigest": chain.NewVerifier(node).VerifyDigest(t.Context(), net.Agent.Address(), common.Hash{}, []byte{1}),
	}
	for name, err := range cases {
		if market.KindOf(err) != market.KindChainUnavailable {
			t.Errorf("%s = %v, want kind %q", name, err, market.KindChainUnavailable)
		}
	}
}
