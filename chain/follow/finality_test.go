package follow_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
)

// reporting returns a provider of the chain whose responses to the block tags are blocks of the given ages,
// in blocks below the head.
func reporting(t *testing.T, net *chaintest.Net, ages map[string]uint64) *chaintest.Proxy {
	t.Helper()
	p := chaintest.NewProxy(t, net.Dev.URL())
	p.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
		var tag string
		_ = json.Unmarshal(c.Params[0], &tag)
		age, known := ages[tag]
		if !known {
			return false
		}
		h, err := net.Dev.Client().HeaderByNumber(t.Context(), new(big.Int).SetUint64(net.Head(t).Number-age))
		if err != nil {
			return false
		}
		c.Result, _ = json.Marshal(h)
		return true
	})
	return p
}

// A single provider cannot make the head final by reporting it as finalized, even if it is the one in use.
func TestFinalityNeedsAllProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 3})
	lying := reporting(t, net, map[string]uint64{"safe": 0, "finalized": 0})
	honest := chaintest.NewProxy(t, net.Dev.URL())
	want := func(w *follow.Watcher, j *chaintest.Journal, finalized, safe uint64) {
		t.Helper()
		chaintest.CatchUp(t, w)
		if head := net.Head(t).Number; j.At.Finalized != head-finalized || j.At.Safe != head-safe {
			t.Errorf("at block %d, the levels are %d and %d, want %d and %d blocks below", head, j.At.Finalized, j.At.Safe, finalized, safe)
		}
	}
	for name, urls := range map[string][]string{"in use": {lying.URL, honest.URL}, "as the other": {honest.URL, lying.URL}} {
		j := chaintest.NewJournal(net.Deployment)
		w := chaintest.NewWatcher(net, chaintest.Dial(t, urls...), j, follow.WatcherOptions{})
		want(w, j, 6, 3) // catching up
		net.Mine(t, 1)
		want(w, j, 6, 3) // block by block
		if t.Failed() {
			t.Fatal(name)
		}
	}
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, chaintest.Dial(t, lying.URL, honest.URL), j, follow.WatcherOptions{})
	honest.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	want(w, j, 0, 0) // the only provider that responds
}

// A node that has stopped syncing does not hold back finality, but one that only lags does.
func TestStalledProviderDoesNotHoldBackFinality(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		genesis time.Time
		want    uint64
	}{
		"lagging": {want: 30},
		"stalled": {genesis: time.Unix(1_700_000_000, 0), want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, devnet.Options{Genesis: c.genesis})
			net.Mine(t, 30)
			behind := reporting(t, net, map[string]uint64{"latest": 30, "safe": 30, "finalized": 30})
			j := chaintest.NewJournal(net.Deployment)
			chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, net.Dev.URL(), behind.URL), j, follow.WatcherOptions{}))
			if head := net.Head(t).Number; j.At.Finalized != head-c.want {
				t.Errorf("at block %d, block %d is finalized, want %d", head, j.At.Finalized, head-c.want)
			}
		})
	}
}

// A provider that does not respond delays steps, but does not hold back finality.
func TestSilentProviderDoesNotHoldBackFinality(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 1})
	silent := chaintest.NewProxy(t, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, chaintest.Dial(t, net.Dev.URL(), silent.URL), j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	silent.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(http.ResponseWriter, []string) bool {
			<-t.Context().Done()
			return true
		}
	})
	for range 3 {
		net.Mine(t, 1)
		chaintest.CatchUp(t, w)
		if head := net.Head(t).Number; j.At.Finalized != head-2 {
			t.Errorf("at block %d, block %d is finalized", head, j.At.Finalized)
		}
	}
}
