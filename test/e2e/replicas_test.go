package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/store/storetest"
	"taskmarket/test/process"
)

// TestSecondServerTakesOver: two servers serve requests and one of them follows the chain. When
// that one is killed, the other follows the chain.
func TestSecondServerTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	spare := w.newReplica()
	task := w.record(w.agent, "Photograph the harbour")
	if answer, err := w.keyed(spare, w.agent.Key).GetTaskWithResponse(w.ctx, task.ID, nil); err != nil || answer.JSON200 == nil {
		t.Fatalf("the second server does not serve: %v", err)
	}
	w.wantLeader(w.server)

	w.must(w.server.kill())
	w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(task.TermsHash))
	api := w.keyed(spare, w.agent.Key)
	for {
		answer, err := api.GetTaskWithResponse(w.ctx, task.ID, nil)
		w.must(err)
		if answer.JSON200 != nil && answer.JSON200.Status == gen.TaskStatusFunded {
			break
		}
		w.pause("wait for the second server to follow the chain")
	}
	w.wantLeader(spare)
	w.must(w.server.start(w.ctx))
	w.wantLeader(spare)
}

// TestSuspendedLeaderIsFenced: the leader of three servers is repeatedly suspended while it
// works. Another server takes over, and stale writes of the former leader are rejected after it
// resumes.
func TestSuspendedLeaderIsFenced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	w.newReplica()
	w.newReplica()
	for range 2 * len(w.replicas) {
		before, during, after := w.record(w.agent, "Photograph the harbour"), w.record(w.agent, "Photograph the station"), w.record(w.agent, "Photograph the bridge")
		w.settle()
		sleeper := w.leader()
		// A different amount, so the posting is followed but not linked to the task.
		w.net.Post(t, w.net.Agent, chaintest.Tokens(1), common.HexToHash(before.TermsHash))
		w.must(sleeper.proc.Signal(process.Suspend))
		w.endLease()
		w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(during.TermsHash))
		w.settle()
		successor := w.leader()
		if successor == sleeper {
			t.Fatal("the suspended server still leads")
		}
		w.net.Reorg(t, 1) // the suspended leader's data is stale
		w.must(sleeper.proc.Signal(process.Resume))
		w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(after.TermsHash))
		w.settle()
		if w.leader() != successor {
			t.Error("the suspended server leads again")
		}
		w.await(during.ID, gen.TaskStatusNew)
		w.await(after.ID, gen.TaskStatusFunded)
	}
	var epoch int
	w.must(storetest.DB(t, w.records).GetContext(w.ctx, &epoch, `SELECT epoch FROM chain_head`))
	if want := 1 + 2*len(w.replicas); epoch != want {
		t.Errorf("the lease has epoch %d, want %d", epoch, want)
	}
}

// endLease ends the current leader's lease at once.
func (w *world) endLease() {
	w.t.Helper()
	_, err := storetest.DB(w.t, w.records).ExecContext(w.ctx, `UPDATE chain_head SET lease_until = now() - interval '1 s'`)
	w.must(err)
}

// leader returns the server that follows the chain.
func (w *world) leader() *replica {
	w.t.Helper()
	for _, r := range w.replicas {
		if strings.HasPrefix(w.holder(), w.instance(r)) {
			return r
		}
	}
	w.t.Fatalf("the chain is followed by %s, which is not a server of this test", w.holder())
	return nil
}

func (w *world) holder() (holder string) {
	w.t.Helper()
	w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &holder, `SELECT holder FROM chain_head`))
	return holder
}

// instance returns the prefix by which a server identifies itself as the lease's holder.
func (w *world) instance(r *replica) string {
	w.t.Helper()
	host, err := os.Hostname()
	w.must(err)
	return fmt.Sprintf("%s/%d", host, r.proc.PID())
}

func (w *world) wantLeader(r *replica) {
	w.t.Helper()
	if holder := w.holder(); !strings.HasPrefix(holder, w.instance(r)) {
		w.t.Errorf("the chain is followed by %s, want %s", holder, w.instance(r))
	}
}
