package keeper_test

import (
	"context"
	"log/slog"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

func newKeeper(net *chaintest.Net, j *jobs, o keeper.Options) *keeper.Keeper {
	return newKeeperOn(net, net.Node, j, o)
}

func newKeeperOn(net *chaintest.Net, node *rpc.Node, j *jobs, o keeper.Options) *keeper.Keeper {
	j.net = net
	return keeper.New(node, net.Keeper, net.Contracts, j, o, slog.New(slog.DiscardHandler))
}

// newProxy returns a proxy that calls change with each call and its response.
func newProxy(t *testing.T, net *chaintest.Net, change func(*chaintest.Exchange)) *chaintest.Proxy {
	t.Helper()
	p := chaintest.NewProxy(t, net.Dev.URL())
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			change(call)
		}
		return true
	})
	return p
}

// eventsOf returns the events of the transactions that the keeper sent, from contracts that a
// watcher follows.
func eventsOf(t *testing.T, net *chaintest.Net, j *jobs) []market.Event {
	t.Helper()
	var events []market.Event
	for _, tx := range j.sent {
		receipt, err := net.Dev.Client().TransactionReceipt(t.Context(), tx.Hash)
		must(t, err)
		for _, log := range receipt.Logs {
			if log.Address == net.Deployment.Token {
				continue
			}
			event, err := net.Contracts.Decode(*log)
			must(t, err)
			events = append(events, event)
		}
	}
	return events
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func step(t *testing.T, k *keeper.Keeper) {
	t.Helper()
	must(t, k.Step(t.Context()))
}

// workOff steps until all jobs are closed. It repeats the steps, because anvil mines a transaction
// shortly after it has responded.
func workOff(t *testing.T, k *keeper.Keeper, j *jobs) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(j.open) > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d jobs stay open, waiting until %v: %s", len(j.open), j.waits, j.open[0].Error)
		}
		step(t, k)
		j.follow(t)
	}
}

// sentBy returns how many transactions of the keeper are mined.
func sentBy(t *testing.T, net *chaintest.Net) uint64 {
	t.Helper()
	n, err := net.Dev.Client().NonceAt(t.Context(), net.Keeper.Address(), nil)
	must(t, err)
	return n
}

func verdictJob(t *testing.T, net *chaintest.Net, approved bool) market.Job {
	t.Helper()
	work := common.Hash{2}
	id := net.Submitted(t, common.Hash{1}, work)
	net.Dispute(t, net.Agent, id)
	return market.Job{Kind: market.OutboxVerdicts, TaskID: id, Approved: approved, Verdicts: net.Verdicts(t, id, work, 1, approved, 2)}
}

// jobs is a keeper.Store in memory.
type jobs struct {
	net     *chaintest.Net
	open    []market.Job
	done    []int64          // ids of the jobs that the method follow has closed
	ended   map[int64]string // failed permanently
	waits   map[int64]time.Time
	sent    []market.Transaction
	sentFor map[int64][]common.Hash // transactions of each job, including replaced ones
	paid    map[common.Hash]*big.Int
	spent   *big.Int // spending in addition to the sent transactions, in wei
	limited int      // number of times that a limit was recorded
	stalls  int      // number of calls of JobStalled

	postponed string // reason of the last call of JobPostponed
	notResent string // reason of the last call of JobNotResent

	former bool  // whether an earlier version of the server did not record all transactions
	killed error // error that JobSent returns after it has recorded the transaction
	holder string
	epoch  int64
	looks  int    // number of reads of the open jobs
	stop   func() // called when the open jobs are read for the second time
}

func newJobs(open ...market.Job) *jobs {
	for i := range open {
		open[i].ID = int64(i + 1)
	}
	return &jobs{
		open: open, ended: make(map[int64]string), waits: make(map[int64]time.Time), paid: make(map[common.Hash]*big.Int), spent: new(big.Int),
		sentFor: make(map[int64][]common.Hash),
	}
}

// LeadKeeper gives the lease to each new holder, unless the holder "another" has it.
func (j *jobs) LeadKeeper(_ context.Context, holder string, _ common.Address, life time.Duration) (market.Lease, error) {
	if j.holder == "another" {
		return market.Lease{}, market.ErrNotLeader
	}
	if j.holder != holder {
		j.epoch++
	}
	j.holder = holder
	return market.Lease{Holder: holder, Epoch: j.epoch, Until: time.Now().Add(life)}, nil
}

func (j *jobs) ReleaseKeeper(_ context.Context, epoch int64) error {
	if epoch == j.epoch {
		j.holder = ""
	}
	return nil
}

func (j *jobs) OpenJobs(context.Context, int) ([]market.Job, error) {
	j.looks++
	if j.looks == 2 && j.stop != nil {
		j.stop()
	}
	return append([]market.Job(nil), j.open...), nil
}

func (j *jobs) JobSent(_ context.Context, epoch, id int64, tx market.Transaction) error {
	if epoch != j.epoch {
		return market.ErrNotLeader
	}
	for i := range j.open {
		if j.open[i].ID == id {
			j.open[i].Sender, j.open[i].Nonce, j.open[i].TxHash, j.open[i].RawTx = tx.Sender, tx.Nonce, tx.Hash.Bytes(), tx.Raw
			j.open[i].Attempts++
			j.open[i].Error = ""
		}
	}
	j.sent = append(j.sent, tx)
	j.sentFor[id] = append(j.sentFor[id], tx.Hash)
	return j.killed
}

func (j *jobs) JobFailed(_ context.Context, epoch, id int64, reason string, retryAt time.Time) error {
	if epoch != j.epoch {
		return market.ErrNotLeader
	}
	if retryAt.IsZero() {
		j.ended[id] = reason
		j.remove(id)
		return nil
	}
	for i := range j.open {
		if j.open[i].ID == id {
			j.open[i].Sender, j.open[i].Nonce, j.open[i].TxHash, j.open[i].RawTx = common.Address{}, 0, nil, nil
			j.open[i].Attempts++
			j.open[i].Error = reason
		}
	}
	j.waits[id] = retryAt
	return nil
}

func (j *jobs) JobPostponed(_ context.Context, epoch, id int64, reason string, until time.Time) error {
	if epoch != j.epoch {
		return market.ErrNotLeader
	}
	j.postponed = reason
	j.waits[id] = until
	return nil
}

func (j *jobs) JobStalled(_ context.Context, epoch, id int64, reason string) error {
	if epoch != j.epoch {
		return market.ErrNotLeader
	}
	j.stalls++
	for i := range j.open {
		if j.open[i].ID == id {
			j.open[i].Error = reason
		}
	}
	return nil
}

func (j *jobs) JobNotResent(_ context.Context, _, _ int64, reason string) error {
	j.notResent = reason
	return nil
}

func (j *jobs) JobDone(_ context.Context, _, id int64) error {
	j.remove(id)
	return nil
}

func (j *jobs) KeeperNonce(_ context.Context, account common.Address) (uint64, error) {
	var next uint64
	for _, job := range j.open {
		if job.RawTx != nil && job.Sender == account {
			next = max(next, job.Nonce+1)
		}
	}
	return next, nil
}

func (j *jobs) FillNonce(context.Context, int64, market.AccountNonce) error {
	return nil // taskmarketd's tests cover it with the real store
}

func (j *jobs) KeeperSpent(_ context.Context, account common.Address, nonce uint64) (*big.Int, error) {
	sum := new(big.Int).Set(j.spent)
	for _, tx := range j.sent {
		switch cost := j.paid[tx.Hash]; {
		case tx.Sender == account && tx.Nonce == nonce:
		case cost != nil:
			sum.Add(sum, cost)
		default:
			sum.Add(sum, tx.MaxCost)
		}
	}
	return sum, nil
}

func (j *jobs) KeeperVersions(_ context.Context, n market.AccountNonce) (hashes []common.Hash, complete bool, err error) {
	for _, tx := range j.sent {
		if tx.Sender == n.Account && tx.Nonce == n.Nonce {
			hashes = append(hashes, tx.Hash)
		}
	}
	return hashes, len(hashes) > 0 && !j.former, nil
}

func (j *jobs) RecordedNonces(_ context.Context, account common.Address, first, end uint64) (count, next uint64, err error) {
	nonces := make(map[uint64]bool)
	for _, tx := range j.sent {
		if tx.Sender == account {
			nonces[tx.Nonce] = tx.Nonce >= first && tx.Nonce < end
			next = max(next, tx.Nonce+1)
		}
	}
	for _, within := range nonces {
		if within {
			count++
		}
	}
	return count, next, nil
}

func (j *jobs) UnpaidTransactions(context.Context, int) ([]market.Transaction, error) {
	var unpaid []market.Transaction
	for _, tx := range j.sent {
		if j.paid[tx.Hash] == nil {
			unpaid = append(unpaid, tx)
		}
	}
	return unpaid, nil
}

func (j *jobs) TransactionPaid(_ context.Context, _ int64, tx market.Transaction, cost *big.Int) error {
	j.paid[tx.Hash] = cost
	return nil
}

func (j *jobs) KeeperLimited(context.Context, int64) error {
	j.limited++
	return nil
}

func (j *jobs) remove(id int64) {
	for i := range j.open {
		if j.open[i].ID == id {
			j.open = append(j.open[:i:i], j.open[i+1:]...)
			return
		}
	}
}

// follow closes the jobs of which a transaction succeeded, as the watcher does. A replaced transaction can be
// the one that is mined.
func (j *jobs) follow(t *testing.T) {
	t.Helper()
	for _, job := range append([]market.Job(nil), j.open...) {
		if slices.ContainsFunc(j.sentFor[job.ID], func(hash common.Hash) bool {
			receipt, err := j.net.Dev.Client().TransactionReceipt(t.Context(), hash)
			return err == nil && receipt.Status == types.ReceiptStatusSuccessful
		}) {
			j.done = append(j.done, job.ID)
			j.remove(job.ID)
		}
	}
}
