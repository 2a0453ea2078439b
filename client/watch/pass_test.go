package watch_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/client/watch"
)

// ofLogs returns a function that falsifies the response to each request for logs.
func ofLogs(lie func(call *chaintest.Exchange)) func([]*chaintest.Exchange) bool {
	return func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == "eth_getLogs" && call.Fault == nil {
				lie(call)
			}
		}
		return true
	}
}

// change returns a function that modifies the logs in each response.
func change(edit func(logs []object) []object) func([]*chaintest.Exchange) bool {
	return ofLogs(func(call *chaintest.Exchange) {
		var logs []object
		if json.Unmarshal(call.Result, &logs) != nil {
			return
		}
		call.Result, _ = json.Marshal(edit(logs))
	})
}

// After a node has misbehaved and responds correctly again, every event is delivered exactly once.
func TestWatchSurvivesWrongAnswers(t *testing.T) {
	lies := map[string]func([]*chaintest.Exchange) bool{
		"an empty list": change(func([]object) []object { return []object{} }),
		"an empty list for missing blocks": func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				switch call.Method {
				case "eth_getLogs":
					call.Result = json.RawMessage("[]")
				case "eth_getBlockByNumber":
					call.Result = json.RawMessage("null")
				}
			}
			return true
		},
		"null":               ofLogs(func(call *chaintest.Exchange) { call.Result = json.RawMessage("null") }),
		"only the last logs": change(func(logs []object) []object { return logs[len(logs)/2:] }),
		"every second log": change(func(logs []object) []object {
			var some []object
			for i := 1; i < len(logs); i += 2 {
				some = append(some, logs[i])
			}
			return append([]object{}, some...)
		}),
		"duplicate logs": change(func(logs []object) []object { return append(logs, logs...) }),
		"logs in reverse order": change(func(logs []object) []object {
			turned := []object{}
			for i := len(logs) - 1; i >= 0; i-- {
				turned = append(turned, logs[i])
			}
			return turned
		}),
		"logs of two forks": change(func(logs []object) []object {
			for _, log := range logs {
				other := object{}
				for name, value := range log {
					other[name] = value
				}
				other["blockHash"] = common.Hash{0xf0}.Hex()
				logs = append(logs, other)
			}
			return logs
		}),
		"removed logs": change(func(logs []object) []object {
			for _, log := range logs {
				removed := object{}
				for name, value := range log {
					removed[name] = value
				}
				removed["removed"], removed["logIndex"] = true, "0x77"
				logs = append(logs, removed)
			}
			return logs
		}),
		"logs of other blocks": change(func(logs []object) []object {
			for _, log := range logs {
				log["blockNumber"] = "0x1"
			}
			return logs
		}),
		"an error response": ofLogs(func(call *chaintest.Exchange) {
			call.Fault = &chaintest.Fault{Code: -32000, Message: "try again"}
		}),
		"a lost connection": func([]*chaintest.Exchange) bool { return false },
		"a head that does not advance": func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				if call.Method == "eth_blockNumber" {
					call.Result = json.RawMessage(`"0x10"`)
				}
			}
			return true
		},
	}
	w := newWorld(t)
	from := w.Head(t).Number + 1
	var streams []*stream
	var proxies []*chaintest.Proxy
	var names []string
	for name, lie := range lies {
		proxy := chaintest.NewProxy(t, w.Dev.URL())
		s := w.watch(t, watch.Options{From: from}, func(o *client.Options) { o.RPCURL = proxy.URL })
		streams, proxies, names = append(streams, s), append(proxies, proxy), append(names, name)
		defer proxy.Misbehave(nil)
		proxy.Misbehave(func(calls []*chaintest.Exchange) bool { return known(calls) || lie(calls) })
	}
	var want []string
	for range 2 {
		id := strconv.FormatUint(w.Submitted(t, common.Hash{1}, common.Hash{2}), 10)
		want = append(want, "TaskPosted "+id, "TaskTerms "+id, w.Human.Address().Hex()+" "+id, "TaskCreated "+id,
			"TaskCreatedWithApplication "+id, "TaskSubmitted "+id, "WorkCommitted "+id)
		w.Mine(t, 1) // adds a block, so that the events are not in the newest one
		time.Sleep(10 * quick)
	}
	for i, s := range streams {
		proxies[i].Misbehave(nil)
		got := s.next(t, len(want))
		for _, event := range want {
			if n := times(got, event); n != 1 {
				t.Errorf("%s: %q was delivered %d times", names[i], event, n)
			}
		}
	}
	w.Mine(t, 1)
	for _, s := range streams {
		s.quiet(t)
	}
}

// known reports whether the calls belong to the checks of the chain and the contracts before the
// first pass.
func known(calls []*chaintest.Exchange) bool {
	switch calls[0].Method {
	case "eth_chainId", "eth_getCode", "eth_call":
		return true
	}
	return len(calls) == 1 && calls[0].Method == "eth_getBlockByNumber" && string(calls[0].Params[0]) == `"0x0"`
}

// times returns how often the list contains the text.
func times(list []string, text string) (n int) {
	for _, s := range list {
		if s == text {
			n++
		}
	}
	return n
}

// A reorganisation that is deeper than the overlap between passes is detected.
func TestWatchFindsDeepReorganisations(t *testing.T) {
	w := newWorld(t)
	s := w.watch(t, watch.Options{From: w.Head(t).Number + 1, Overlap: 2})
	_, late := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 1)
	raw := w.raw(t, late.TxHash)
	for range 20 {
		w.Mine(t, 2)
		time.Sleep(2 * quick)
	}
	other, receipt := w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 1)
	early := w.raw(t, receipt.TxHash)
	w.Reorg(t, 42, devnet.ForkTx{Raw: early, Block: 0}, devnet.ForkTx{Raw: raw, Block: 1})
	// The two tasks have swapped their IDs, so each transaction has a new effect.
	want := []string{"TaskPosted " + strconv.FormatUint(other-1, 10), "TaskPosted " + strconv.FormatUint(other, 10)}
	got := s.next(t, 2)
	slices.Sort(got) // the order varies because the chain grows during the passes
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
}

// An application that is mined again is not delivered again, although its expiry, and so its JSON,
// depends on the block.
func TestWatchDoesNotRepeatReminedApplication(t *testing.T) {
	w := newWorld(t)
	s := w.watch(t, watch.Options{From: w.Head(t).Number + 1})
	id, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	stake, applied := w.Apply(t, w.Human, id, chaintest.Tokens(1))
	s.next(t, 2)
	before, raw := w.stake(t, stake).ExpiresAt, w.raw(t, applied.TxHash)
	w.Reorg(t, 1)
	w.Warp(t, time.Hour)
	w.resend(t, raw)
	w.Mine(t, 1)
	s.quiet(t)
	if after := w.stake(t, stake).ExpiresAt; after.Cmp(before) <= 0 {
		t.Errorf("the application expires at %s, before the reorganisation at %s", after, before)
	}
}

// A websocket connection that is cut, goes silent or rejects subscriptions delays events but loses
// none.
func TestWatchSurvivesSocketFailure(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	s := w.watch(t, watch.Options{From: w.Head(t).Number + 1, Interval: time.Second}, func(o *client.Options) { o.RPCURL = proxy.WSURL })
	for name, upset := range map[string]func(){
		"cut":              proxy.Cut,
		"silent":           func() { proxy.Mute(true) },
		"no announcements": func() { proxy.Refuse(true); proxy.Cut() },
		"restored":         func() { proxy.Mute(false); proxy.Refuse(false); proxy.Cut() },
	} {
		upset()
		id, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
		if diff := cmp.Diff([]string{"TaskPosted " + strconv.FormatUint(id, 10)}, s.next(t, 1)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	s.quiet(t)
}

func TestWatchReadsWideRangesInParts(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	for range 5 {
		w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
		w.Mine(t, 30)
	}
	for name, refuse := range map[string]func(*chaintest.Exchange) bool{
		"with an error": func(call *chaintest.Exchange) bool {
			call.Fault = &chaintest.Fault{Code: -32005, Message: "range too wide"}
			return true
		},
		"without a response": func(*chaintest.Exchange) bool { return false },
	} {
		proxy := chaintest.NewProxy(t, w.Dev.URL())
		proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				var query struct{ FromBlock, ToBlock hexutil.Uint64 }
				if call.Method == "eth_getLogs" && json.Unmarshal(call.Params[0], &query) == nil && query.ToBlock-query.FromBlock >= 10 {
					return refuse(call)
				}
			}
			return true
		})
		s := w.watch(t, watch.Options{From: from}, func(o *client.Options) { o.RPCURL = proxy.URL })
		if got := s.next(t, 5); len(got) != 5 {
			t.Errorf("%s: got %v", name, got)
		}
		s.quiet(t)
	}
}

// A node that does not have the blocks yet returns an empty list of logs, for longer than the
// overlap covers. The blocks must not count as read.
func TestWatchRejectsLaggingNode(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			switch {
			case known(calls):
			case call.Method == "eth_getLogs":
				call.Result = json.RawMessage("[]")
			case call.Method == "eth_getBlockByNumber":
				call.Result = json.RawMessage("null")
			}
		}
		return true
	})
	defer proxy.Misbehave(nil)
	s := w.watch(t, watch.Options{From: w.Head(t).Number + 1, Overlap: 2}, func(o *client.Options) { o.RPCURL = proxy.URL })
	id, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	for range 5 {
		w.Mine(t, 2)
		s.fails(t)
	}
	proxy.Misbehave(nil)
	if diff := cmp.Diff([]string{"TaskPosted " + strconv.FormatUint(id, 10)}, s.next(t, 1)); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
}

// For many passes, a node reports a longer chain without logs. Once it responds correctly, every
// event is delivered exactly once, even by a stream that was restarted in between.
func TestWatchRecoversFromInventedBlocks(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "cursor")
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	through := func(o *client.Options) { o.RPCURL = proxy.URL }
	var pretended atomic.Uint64
	pretended.Store(30_000)
	read := make(chan struct{}, 1000)
	s, end := w.resume(t, path, watch.Options{From: w.Head(t).Number + 1}, through)
	w.Submitted(t, common.Hash{1}, common.Hash{2})
	s.next(t, 7)
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool { return known(calls) || pretend(calls, &pretended, read) })
	awaitRead(t, read)
	end()
	_, end = w.resume(t, path, watch.Options{}, through)
	for range 100 { // in each pass, the reported end of the chain is different
		pretended.Add(1)
		awaitRead(t, read)
	}
	end()
	s, _ = w.resume(t, path, watch.Options{}, through)
	awaitRead(t, read)
	proxy.Misbehave(nil)
	id := strconv.FormatUint(w.Submitted(t, common.Hash{3}, common.Hash{4}), 10)
	w.Mine(t, 3)
	want := []string{
		"TaskPosted " + id, "TaskTerms " + id, w.Human.Address().Hex() + " " + id, "TaskCreated " + id,
		"TaskCreatedWithApplication " + id, "TaskSubmitted " + id, "WorkCommitted " + id,
	}
	if diff := cmp.Diff(want, s.next(t, len(want))); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
}

// A stream whose first block is after the end of the chain returns an error.
func TestWatchStartBeyondChainEnd(t *testing.T) {
	w := newWorld(t)
	s := w.watch(t, watch.Options{From: w.Head(t).Number + 1000})
	s.fails(t)
}

// FirstBlock returns the block in which the escrow was deployed, or 1 if the node has pruned old
// state. Some nodes return an error for pruned state, others "no code".
func TestFirstBlock(t *testing.T) {
	w := newWorld(t)
	w.Mine(t, 100)
	head := w.Head(t).Number
	deployed, err := w.client(t).FirstBlock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	logs, err := w.Dev.Client().FilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{w.Deployment.Escrow}})
	if err != nil || len(logs) == 0 || logs[0].BlockNumber != deployed {
		t.Fatalf("FirstBlock() = %d, the logs are %v, error %v", deployed, logs, err)
	}
	for name, pruned := range map[string]chaintest.Exchange{
		"an error": {Fault: &chaintest.Fault{Code: -32000, Message: "missing trie node"}},
		"no code":  {Result: json.RawMessage(`"0x"`)},
	} {
		proxy := chaintest.NewProxy(t, w.Dev.URL())
		proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				var block hexutil.Uint64
				if call.Method == "eth_getCode" && json.Unmarshal(call.Params[1], &block) == nil && uint64(block) < head-10 {
					call.Result, call.Fault = pruned.Result, pruned.Fault
				}
			}
			return true
		})
		got, err := w.client(t, func(o *client.Options) { o.RPCURL = proxy.URL }).FirstBlock(t.Context())
		if err != nil || got != 1 {
			t.Errorf("FirstBlock() with %s = %d, %v, want 1", name, got, err)
		}
	}
}

// pretend responds like a node whose chain ends at the claimed head and contains no logs. It sends
// a signal each time the chain was read up to that head.
func pretend(calls []*chaintest.Exchange, claimed *atomic.Uint64, read chan<- struct{}) bool {
	head := claimed.Load()
	for _, call := range calls {
		switch call.Method {
		case "eth_blockNumber":
			call.Result, _ = json.Marshal(hexutil.Uint64(head))
		case "eth_getLogs":
			call.Fault, call.Result = nil, json.RawMessage("[]")
		case "eth_getBlockByNumber":
			if string(call.Result) == "null" {
				call.Result, _ = json.Marshal(object{"number": call.Params[0], "hash": common.Hash{0xab}})
			}
			if string(call.Params[0]) == strconv.Quote(hexutil.EncodeUint64(head)) {
				select {
				case read <- struct{}{}:
				default:
				}
			}
		}
	}
	return true
}

func awaitRead(t *testing.T, read <-chan struct{}) {
	t.Helper()
	select {
	case <-read:
	case <-time.After(10 * time.Second):
		t.Fatal("the claimed chain was not read")
	}
}

// fails waits for a pass that fails.
func (s *stream) fails(t *testing.T) {
	t.Helper()
	select {
	case <-s.errors: //nolint:errcheck // any failure will do
	case <-time.After(10 * time.Second):
		t.Fatal("no pass failed")
	}
}
