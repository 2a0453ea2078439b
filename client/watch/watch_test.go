package watch_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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

const quick = 20 * time.Millisecond

// stream reads the events from a watch one by one.
type stream struct {
	events chan watch.Event
	errors chan error
	ended  chan struct{}
	stop   context.CancelFunc
}

func (w *world) watch(t *testing.T, o watch.Options, change ...func(*client.Options)) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &stream{make(chan watch.Event, 1000), make(chan error, 1000), make(chan struct{}), cancel}
	if o.Interval == 0 {
		o.Interval = quick
	}
	sequence := w.client(t, change...).Watch(ctx, o)
	go s.pump(sequence)
	t.Cleanup(func() {
		cancel()
		<-s.ended
	})
	return s
}

func (s *stream) pump(sequence iter.Seq2[watch.Event, error]) {
	defer close(s.ended)
	for event, err := range sequence {
		if err != nil {
			s.errors <- err
			continue
		}
		s.events <- event
	}
}

// next returns the next n events as strings with name and ID, without their blocks.
func (s *stream) next(t *testing.T, n int) []string {
	t.Helper()
	var got []string
	for range n {
		select {
		case e := <-s.events:
			got = append(got, e.EventName+e.Human+" "+e.EscrowTaskID+e.ApplicationID)
		case <-time.After(10 * time.Second):
			t.Fatalf("got only the events %v", got)
		}
	}
	return got
}

// quiet fails the test if another event arrives.
func (s *stream) quiet(t *testing.T) {
	t.Helper()
	select {
	case e := <-s.events:
		t.Errorf("got an unexpected event: %+v", e)
	case <-time.After(10 * quick):
	}
}

func TestWatchTaskLifecycle(t *testing.T) {
	w := newWorld(t)
	w.Submitted(t, common.Hash{9}, common.Hash{9}) // emits an event before the watch starts
	for name, o := range map[string]func(*client.Options){
		"polling":   func(*client.Options) {},
		"websocket": func(o *client.Options) { o.RPCURL = w.Dev.WSURL() },
	} {
		t.Run(name, func(t *testing.T) {
			options := watch.Options{}
			if name == "websocket" {
				options.Interval = time.Hour // so that only announced blocks can start a pass
			}
			s := w.watch(t, options, o)
			w.untilWatching(t, s)
			id := w.Submitted(t, common.Hash{1}, common.Hash{2})
			task, human := strconv.FormatUint(id, 10), w.Human.Address().Hex()
			want := []string{
				"TaskPosted " + task, "TaskTerms " + task, human + " " + task, "TaskCreated " + task,
				"TaskCreatedWithApplication " + task, "TaskSubmitted " + task, "WorkCommitted " + task,
			}
			got := s.next(t, len(want))
			got[2] = got[2][:len(human)+1] + task // replace the application's ID, which differs from the task's ID
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			s.quiet(t)
		})
	}
}

// untilWatching posts tasks until one is delivered, because a stream yields only the events after
// its first pass. It reads the events of all these tasks.
func (w *world) untilWatching(t *testing.T, s *stream) {
	t.Helper()
	for t.Context().Err() == nil {
		last, _ := w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{})
		select {
		case event := <-s.events:
			// Several tasks may have been posted before the first event arrived.
			for event.EscrowTaskID != strconv.FormatUint(last, 10) {
				select {
				case event = <-s.events:
				case <-time.After(10 * time.Second):
					t.Fatalf("the event of task %d did not arrive", last)
				}
			}
			return
		case <-time.After(5 * quick):
		}
	}
}

func (s *stream) drain(t *testing.T) {
	t.Helper()
	for {
		select {
		case <-s.events:
		case <-time.After(10 * quick):
			return
		}
	}
}

func TestWatchLinesMatchSpecification(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	id, posted := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	stake, applied := w.Apply(t, w.Human, id, chaintest.Tokens(1))
	s := w.watch(t, watch.Options{From: from})
	var got []map[string]any
	for range 2 {
		line, err := json.Marshal(<-s.events)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatal(err)
		}
		got = append(got, members)
	}
	want := []map[string]any{{
		"type": "task_event", "escrowTaskId": strconv.FormatUint(id, 10), "eventName": "TaskPosted",
		"blockNumber": posted.BlockNumber.String(),
	}, {
		"type": "application", "applicationId": strconv.FormatUint(stake, 10), "human": w.Human.Address().Hex(),
		"amount": "50000000000000000", "expiresAt": w.stake(t, stake).ExpiresAt.String(),
		"blockNumber": applied.BlockNumber.String(),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWatchOneAgent(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{1})
	mine, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{2})
	stake, _ := w.Apply(t, w.Human, mine, chaintest.Tokens(1))
	w.Accept(t, w.Agent, mine, stake)
	s := w.watch(t, watch.Options{From: from, Agent: w.Agent.Address()})
	task, human := strconv.FormatUint(mine, 10), w.Human.Address().Hex()
	want := []string{
		"TaskPosted " + task, "TaskTerms " + task, human + " " + strconv.FormatUint(stake, 10),
		"TaskCreated " + task, "TaskCreatedWithApplication " + task,
	}
	if diff := cmp.Diff(want, s.next(t, len(want))); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
}

// After a reorganisation that moves one delivered posting and drops another, only the events of a new
// posting are delivered.
func TestWatchFollowsReorganisations(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	s := w.watch(t, watch.Options{From: from})
	_, kept := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{1})
	_, dropped := w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{2})
	s.next(t, 4)
	raw := w.raw(t, kept.TxHash)
	w.Reorg(t, 2)
	s.quiet(t)
	w.Mine(t, 1)
	w.resend(t, raw)
	s.quiet(t)
	third, _ := w.Post(t, w.OtherAgent, chaintest.Tokens(2), common.Hash{3})
	number := strconv.FormatUint(third, 10)
	if diff := cmp.Diff([]string{"TaskPosted " + number, "TaskTerms " + number}, s.next(t, 2)); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
	if _, err := w.Dev.Client().TransactionReceipt(t.Context(), dropped.TxHash); !errors.Is(err, ethereum.NotFound) {
		t.Errorf("the reorganisation dropped no transaction: error %v", err)
	}
}

// An event that a reorganisation adds to a block that was already read is delivered.
func TestWatchFindsLateEvents(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	_, late := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	raw := w.raw(t, late.TxHash)
	w.Reorg(t, 1)
	w.Mine(t, 5)
	s := w.watch(t, watch.Options{From: from})
	w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{})
	first := s.next(t, 1)
	w.Reorg(t, 5, devnet.ForkTx{Raw: raw, Block: 0})
	if diff := cmp.Diff(first, s.next(t, 1)); diff != "" { // the new task has the same ID, but was posted by another transaction
		t.Error(diff)
	}
	s.quiet(t)
}

// Events emitted while the node is unavailable arrive late, but none is lost. The error does not contain the
// node's URL.
func TestWatchSurvivesNodeFailure(t *testing.T) {
	w := newWorld(t)
	from := w.Head(t).Number + 1
	node, err := url.Parse(w.Dev.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(node)
	var away atomic.Bool
	flaky := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if away.Load() {
			http.Error(rw, "unavailable", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(rw, r)
	})
	s := w.watch(t, watch.Options{From: from}, func(o *client.Options) { o.RPCURL = serve(t, flaky) })
	w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 1)
	away.Store(true)
	w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	if err := <-s.errors; strings.Contains(err.Error(), "://") {
		t.Errorf("the error contains the node's URL: %v", err)
	}
	away.Store(false)
	s.next(t, 1)
	s.quiet(t)
}

func TestWatchEnds(t *testing.T) {
	w := newWorld(t)
	s := w.watch(t, watch.Options{})
	s.stop()
	<-s.ended
	if len(s.errors) != 0 {
		t.Errorf("ended with error %v", <-s.errors)
	}
	w.config["chain_id"] = 1
	s = w.watch(t, watch.Options{})
	if err := <-s.errors; !errors.Is(err, client.ErrOtherContracts) {
		t.Errorf("got error %v", err)
	}
	<-s.ended
}

// resend sends again a transaction that a reorganisation dropped.
func (w *world) resend(t *testing.T, raw []byte) {
	t.Helper()
	if err := w.Dev.Client().Client().CallContext(t.Context(), nil, "eth_sendRawTransaction", hexutil.Encode(raw)); err != nil {
		t.Fatal(err)
	}
}

// raw returns the encoded bytes of a mined transaction.
func (w *world) raw(t *testing.T, hash common.Hash) []byte {
	t.Helper()
	tx, _, err := w.Dev.Client().TransactionByHash(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An event that happens between reading the head and the next step is delivered at once, not after
// the next interval. This is tested at the start and after a lost subscription. The proxy triggers
// the event after the node has responded, but before it forwards the response.
func TestWatchHasNoGapBetweenReadAndSubscription(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	between := func() {
		var once sync.Once
		proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
			if slices.ContainsFunc(calls, func(c *chaintest.Exchange) bool { return c.Method == "eth_blockNumber" }) {
				once.Do(func() { w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{}) })
			}
			return true
		})
	}
	between()
	s := w.watch(t, watch.Options{Interval: time.Hour}, func(o *client.Options) { o.RPCURL = proxy.WSURL })
	if got := s.next(t, 1); !strings.HasPrefix(got[0], "TaskPosted ") {
		t.Errorf("at the start: %v", got)
	}
	s.drain(t)
	between()
	proxy.Cut()
	if got := s.next(t, 1); !strings.HasPrefix(got[0], "TaskPosted ") {
		t.Errorf("after the subscription was lost: %v", got)
	}
}
