package chaintest

import (
	"errors"
	"math/big"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
)

// NewWatcher returns a watcher of the chain's contracts that polls often.
func NewWatcher(net *Net, node *rpc.Node, j follow.Journal, o follow.WatcherOptions) *follow.Watcher {
	if o.Poll == 0 {
		o.Poll = time.Millisecond
	}
	return follow.NewWatcher(node, j, net.Contracts, o, Quiet())
}

// CatchUp steps until the watcher has caught up, and fails on any error.
func CatchUp(t *testing.T, w *follow.Watcher) follow.Outcome {
	t.Helper()
	for range 5_000 {
		outcome, err := w.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Progress == follow.CaughtUp || outcome.Progress == follow.Standby {
			return outcome
		}
	}
	t.Fatal("the watcher does not catch up")
	return follow.Outcome{}
}

// CheckSame compares the journal with the logs of a single query to the chain.
func CheckSame(t *testing.T, net *Net, j *Journal) {
	t.Helper()
	logs, err := net.Dev.Client().FilterLogs(t.Context(), ethereum.FilterQuery{
		FromBlock: big.NewInt(1), Addresses: net.Deployment.Contracts(),
	})
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		Block, Tx common.Hash
		Index     uint
		Data      string
	}
	var want, got []place
	for _, l := range logs {
		want = append(want, place{l.BlockHash, l.TxHash, l.Index, string(l.Data)})
	}
	for _, l := range j.All() {
		got = append(got, place{l.Block.Hash, l.TxHash, l.Index, string(l.Data)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs of the chain and of the journal (-chain +journal):\n%s", diff)
	}
	if head := net.Head(t); j.At.Block != head {
		t.Errorf("cursor is %+v, want the head %+v", j.At.Block, head)
	}
}

// Follow steps until the journal is at the head, and ignores the provider's errors. It returns the
// number of errors.
func Follow(t *testing.T, net *Net, w *follow.Watcher, j *Journal) (faults int) {
	t.Helper()
	head := net.Head(t)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		_, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*rpc.ProviderError](err); err != nil && !faulty {
			t.Fatalf("Step() = %v, want nil or a ProviderError", err)
		}
		if j.At.Block == head {
			return faults
		}
		if err != nil {
			faults++
			time.Sleep(time.Millisecond) // a short pause; Run pauses for longer
		}
	}
	t.Fatalf("the watcher is at %d of %d after %d errors", j.At.Block.Number, head.Number, faults)
	return faults
}

// StepWhileItCan steps until the watcher has caught up or an error occurs after which Run would
// pause.
func StepWhileItCan(t *testing.T, w *follow.Watcher) {
	t.Helper()
	for {
		outcome, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*rpc.ProviderError](err); err != nil && !faulty {
			t.Fatal(err)
		}
		if err != nil || outcome.Progress == follow.CaughtUp {
			return
		}
	}
}
