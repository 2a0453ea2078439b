package keeper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/market"
)

// jobs is a keeper.Store in memory.
type jobs struct {
	net     *chaintest.Net
	open    []market.Job
	done    []int64          // ids of the jobs that follow closed
	ended   map[int64]string // failed permanently
	waits   map[int64]time.Time
	sent    []market.Transaction
	paid    map[common.Hash]*big.Int
	spent   *big.Int // spending in addition to the sent transactions, in wei
	limited int      // number of times that a limit was recorded
	killed  error    // error that JobSent returns after it has recorded the transaction
	holder  string
	epoch   int64
	looks   int    // number of reads of the open jobs
	stop    func() // called when the open jobs are read for the second time
}

func newJobs(open ...market.Job) *jobs {
	for i := range open {
		open[i].ID = int64(i + 1)
	}
	return &jobs{
		open: open, ended: make(map[int64]string), waits: make(map[int64]time.Time), paid: make(map[common.Hash]*big.Int), spent: new(big.Int),
	}
}

// LeadKeeper gives the lease to each new holder, unless the holder named another has it.
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
		}
	}
	j.sent = append(j.sent, tx)
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
		}
	}
	j.waits[id] = retryAt
	return nil
}

func (j *jobs) JobPostponed(_ context.Context, epoch, id int64, _ string, until time.Time) error {
	if epoch != j.epoch {
		return market.ErrNotLeader
	}
	j.waits[id] = until
	return nil
}

func (j *jobs) JobNotResent(context.Context, int64, int64, string) error { return nil }

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

// follow closes the jobs whose transactions succeeded, like the watcher.
func (j *jobs) follow(t *testing.T) {
	t.Helper()
	for _, job := range append([]market.Job(nil), j.open...) {
		receipt, err := j.net.Dev.Client().TransactionReceipt(t.Context(), common.BytesToHash(job.TxHash))
		if err == nil && receipt.Status == types.ReceiptStatusSuccessful {
			j.done = append(j.done, job.ID)
			j.remove(job.ID)
		}
	}
}

func newKeeper(net *chaintest.Net, j *jobs, o keeper.Options) *keeper.Keeper {
	return newKeeperOn(net, net.Node, j, o)
}

func newKeeperOn(net *chaintest.Net, node *chain.Node, j *jobs, o keeper.Options) *keeper.Keeper {
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

// workOff steps until the followed chain has closed all jobs. anvil mines shortly after it
// responds.
func workOff(t *testing.T, k *keeper.Keeper, j *jobs) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); len(j.open) > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d jobs stay open, waiting until %v", len(j.open), j.waits)
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

func TestKeeperRelaysVerdicts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	released, refunded := verdictJob(t, net, true), verdictJob(t, net, false)
	released.Verdicts[0], released.Verdicts[1] = released.Verdicts[1], released.Verdicts[0] // the keeper must sort them
	j := newJobs(released, refunded)
	k := newKeeper(net, j, keeper.Options{})
	workOff(t, k, j)
	if len(j.done) != 2 || sentBy(t, net) != 2 {
		t.Errorf("done %v, %d transactions; want both done by two", j.done, sentBy(t, net))
	}
	ends := make(map[uint64]market.EventKind)
	for _, event := range eventsOf(t, net, j) {
		if event.Kind == market.EventTaskReleased || event.Kind == market.EventTaskRefunded {
			ends[event.TaskID] = event.Kind
		}
	}
	if ends[released.TaskID] != market.EventTaskReleased || ends[refunded.TaskID] != market.EventTaskRefunded {
		t.Errorf("ends are %v", ends)
	}
}

// One signature that the contract rejects does not block the other verdicts.
func TestKeeperOmitsInvalidVerdicts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for name, signature := range map[string][]byte{
		"of a wallet without code": bytes.Repeat([]byte{7}, 96),
		"wrapped":                  append(bytes.Repeat([]byte{7}, 96), bytes.Repeat([]byte{0x64, 0x92}, 16)...),
		"too short for a wallet":   bytes.Repeat([]byte{7}, 45),
		"of another key":           bytes.Repeat([]byte{7}, 65),
	} {
		t.Run(name, func(t *testing.T) {
			work := common.Hash{2}
			id := net.Submitted(t, common.BytesToHash([]byte(name)), work)
			net.Dispute(t, net.Agent, id)
			verdicts := net.Verdicts(t, id, work, 1, false, 3)
			verdicts[1].Signature = signature
			j := newJobs(market.Job{Kind: market.OutboxVerdicts, TaskID: id, Verdicts: verdicts})
			workOff(t, newKeeper(net, j, keeper.Options{}), j)
			if len(j.done) != 1 {
				t.Errorf("done %v, ended %v, waits %v", j.done, j.ended, j.waits)
			}
		})
	}
}

// A contract wallet accepts a signature while the gas price is zero, as in a simulation, and
// rejects it in a block. If enough validators signed with keys, the keeper uses no wallet
// signatures. If wallet signatures are necessary, the keeper eventually selects honest wallets.
func TestKeeperToleratesAWalletThatRejectsInABlock(t *testing.T) {
	t.Parallel()
	yes := common.FromHex("631626ba7e60e01b")      // PUSH4 the selector of isValidSignature, SHL 224
	returnWord := common.FromHex("5f5260205ff3")   // MSTORE at 0, RETURN 32 bytes
	deny := append(common.FromHex("3a15"), yes...) // GASPRICE, ISZERO, times yes
	deny = append(append(deny, 0x02), returnWord...)
	affirm := append(append([]byte(nil), yes...), returnWord...)
	for name, wallets := range map[string]map[int][]byte{
		"two keys":              {1: deny},
		"a key and two wallets": {0: deny, 2: affirm},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net, work := chaintest.New(t), common.Hash{2}
			id := net.Submitted(t, common.Hash{1}, work)
			net.Dispute(t, net.Agent, id)
			verdicts := net.Verdicts(t, id, work, 1, false, 3)
			for i, code := range wallets {
				verdicts[i].Signature = bytes.Repeat([]byte{7}, 96)
				must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setCode", verdicts[i].Validator, hexutil.Bytes(code)))
			}
			j := newJobs(market.Job{Kind: market.OutboxVerdicts, TaskID: id, Verdicts: verdicts})
			workOff(t, newKeeper(net, j, keeper.Options{}), j)
			if len(j.done) != 1 {
				t.Errorf("done %v, ended %v, waits %v", j.done, j.ended, j.waits)
			}
			if tried := sentBy(t, net); len(wallets) == 1 && tried != 1 {
				t.Errorf("%d transactions, want 1: the keys are a quorum", tried)
			}
		})
	}
}

func TestKeeperWaitsUntilAJobIsDue(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Dispute(t, net.Agent, id)
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id})
	k := newKeeper(net, j, keeper.Options{})
	step(t, k)
	if len(j.sent) != 0 || !j.waits[1].After(time.Now()) {
		t.Fatalf("sent %v, waits %v before it is due; want it to wait", j.sent, j.waits)
	}
	net.Warp(t, market.DisputedReview)
	workOff(t, k, j)
	if len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("done %v, %d transactions; want one of each", j.done, sentBy(t, net))
	}
}

// Neither a receipt nor a revert because the task has ended closes a job: a reorg can drop the end
// of the task. The next attempt is soon, independent of the number of reverts.
func TestKeeperDoesNotCloseTaskJobs(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Approve(t, net.Agent, id)
	net.Warp(t, market.ApprovedReview)
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id}, market.Job{Kind: market.OutboxSettle, TaskID: id, Attempts: 20})
	k := newKeeper(net, j, keeper.Options{})
	for end := time.Now().Add(10 * time.Second); len(j.waits) == 0 || sentBy(t, net) == 0; step(t, k) {
		if time.Now().After(end) {
			t.Fatalf("%d mined, waits %v; want one settlement and one refusal", sentBy(t, net), j.waits)
		}
	}
	step(t, k)
	if len(j.open) != 2 || len(j.ended) != 0 {
		t.Errorf("%d jobs are open, ended %v; want both open", len(j.open), j.ended)
	}
	for job, at := range j.waits {
		if wait := time.Until(at); wait > time.Minute {
			t.Errorf("job %d waits for %s, want less than a minute", job, wait)
		}
	}
}

func TestKeeperResendsTheTransactionAfterACrash(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	if err := newKeeper(net, j, keeper.Options{}).Step(t.Context()); !errors.Is(err, j.killed) {
		t.Fatalf("Step() = %v, want %v", err, j.killed)
	}
	if n := sentBy(t, net); n != 0 {
		t.Fatalf("%d transactions before the restart", n)
	}
	j.killed = nil
	again := newKeeper(net, j, keeper.Options{})
	workOff(t, again, j)
	if len(j.sent) != 1 || len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("signed %v, done %v, %d mined; want one transaction for one job", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperCountsRecordedNonces(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	j.killed = errors.New("killed after the record, before the broadcast")
	if err := newKeeper(net, j, keeper.Options{}).Step(t.Context()); !errors.Is(err, j.killed) || len(j.sent) != 1 {
		t.Fatalf("Step() = %v after %d records, want %v after one", err, len(j.sent), j.killed)
	}
	j.killed = nil
	j.open[0], j.open[1] = j.open[1], j.open[0] // moves the job without a transaction to the front
	workOff(t, newKeeper(net, j, keeper.Options{}), j)
	if len(j.done) != 2 || len(j.sent) != 2 || sentBy(t, net) != 2 {
		t.Errorf("signed %v, done %v, %d mined; want two of each", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperUsesOneNoncePerJob(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{ReplaceAfter: time.Nanosecond})
	for range 5 {
		step(t, k)
	}
	if len(j.sent) != 2 || j.open[0].Nonce != 0 || j.open[1].Nonce != 1 {
		t.Errorf("signed %v with nonces %d and %d, want two with 0 and 1", j.sent, j.open[0].Nonce, j.open[1].Nonce)
	}
	net.Mine(t, 1)
	step(t, k)
	if used := k.Status().UsedNonces; used != 2 {
		t.Errorf("after a step, the status has %d used nonces, want 2", used)
	}
	workOff(t, k, j)
	if len(j.done) != 2 {
		t.Errorf("done %v, want both", j.done)
	}
}

func TestKeeperReplacesWithTheSameNonce(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{ReplaceAfter: time.Nanosecond})
	step(t, k)
	dear := hexutil.EncodeBig(big.NewInt(900_000_000_000))
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", dear))
	net.Mine(t, 1)
	if n := sentBy(t, net); n != 0 {
		t.Fatalf("%d transactions mined below the base fee", n)
	}
	step(t, k)
	net.Mine(t, 1)
	workOff(t, k, j)
	if len(j.sent) != 2 || j.sent[0].Hash == j.sent[1].Hash || len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("signed %v, done %v, %d mined; want two signed and one mined", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperRestartsAJobWhoseNonceIsUsed(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	net.Send(t, net.Keeper, net.Contracts.ApproveToken(net.Agent.Address(), common.Big0)) // uses the nonce
	again := newKeeper(net, j, keeper.Options{ReplaceAfter: 200 * time.Millisecond})
	workOff(t, again, j)
	if len(j.done) != 1 || sentBy(t, net) != 2 {
		t.Errorf("done %v, %d mined; want the job done by the second transaction", j.done, sentBy(t, net))
	}
}

// A node that lags behind the one that counted the nonce does not have the receipt yet.
func TestKeeperWaitsForALateReceipt(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	var receipts atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionReceipt" && receipts.Add(1) <= 3 {
			e.Result = json.RawMessage("null")
		}
	})
	j := newJobs(verdictJob(t, net, true))
	k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{})
	workOff(t, k, j)
	if len(j.done) != 1 || len(j.sent) != 1 || len(j.waits) != 0 {
		t.Errorf("done %v, sent %v, waits %v; want the one transaction done", j.done, j.sent, j.waits)
	}
}

func TestKeeperRunsUntilItIsCancelled(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), market.Job{Kind: "unheard of"})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- newKeeper(net, j, keeper.Options{Poll: time.Millisecond}).Run(ctx) }()
	for end := time.Now().Add(10 * time.Second); sentBy(t, net) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was sent")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	if len(j.ended) != 1 {
		t.Errorf("ended %v, want the job of an unknown kind", j.ended)
	}
}

func TestKeeperLogsALowBalance(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for name, balance := range map[string]*big.Int{"enough": big.NewInt(1e16), "too little": big.NewInt(1e16 - 1)} {
		must(t, net.Dev.SetBalance(t.Context(), net.Keeper.Address(), balance))
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		j := newJobs()
		j.stop = cancel // the balance is read after the first step, so the keeper can stop
		must(t, keeper.New(net.Node, net.Keeper, net.Contracts, j, keeper.Options{Poll: time.Millisecond},
			slog.New(slog.NewTextHandler(&log, nil))).Run(ctx))
		if warned := strings.Contains(log.String(), "gas balance is low"); warned != (name == "too little") {
			t.Errorf("%s: the log contains %q", name, log.String())
		}
	}
}

func TestKeeperRetriesLater(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id})
	k := newKeeper(net, j, keeper.Options{})
	var last time.Duration
	for i := range 12 {
		step(t, k)
		wait := time.Until(j.waits[1]).Round(time.Second)
		if wait < last || wait > time.Hour {
			t.Errorf("wait %d is %s after one of %s, want them to grow up to an hour", i, wait, last)
		}
		last = wait
	}
	if last != time.Hour {
		t.Errorf("the last wait is %s, want an hour", last)
	}
}

func TestKeeperStandsByWithoutTheLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.holder = "another"
	step(t, newKeeper(net, j, keeper.Options{}))
	if len(j.sent) != 0 || sentBy(t, net) != 0 {
		t.Errorf("signed %v, %d mined; want nothing", j.sent, sentBy(t, net))
	}
}

// Another keeper acquires the lease while this one prepares a transaction: the transaction is
// neither recorded nor sent.
func TestKeeperDoesNotSendInAFormerEpoch(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	var sent atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		switch e.Method {
		case "eth_estimateGas":
			j.epoch++
			j.holder = "another"
		case "eth_sendRawTransaction":
			sent.Add(1)
		}
	})
	step(t, newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{}))
	net.Mine(t, 1)
	if len(j.sent) != 0 || sentBy(t, net) != 0 || sent.Load() != 0 {
		t.Errorf("recorded %v, %d mined; want nothing", j.sent, sentBy(t, net))
	}
}

func TestKeeperReleasesItsLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs()
	ctx, cancel := context.WithCancel(t.Context())
	j.stop = cancel
	must(t, newKeeper(net, j, keeper.Options{Poll: time.Millisecond}).Run(ctx))
	if j.epoch != 1 || j.holder != "" {
		t.Errorf("epoch %d is held by %q after the keeper has stopped, want epoch 1 to be free", j.epoch, j.holder)
	}
}

// A keeper with another key takes over: it uses its own nonces, broadcasts the former keeper's
// transaction unchanged, and replaces it only if it is not mined.
func TestKeeperTakesOverFromAnotherKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	former := j.open[0]
	j.open = append(j.open, verdictJob(t, net, false))
	j.open[1].ID = 2
	own := *net
	own.Keeper = net.OtherHuman
	used := sentBy(t, &own)
	workOff(t, newKeeper(&own, j, keeper.Options{}), j)
	if len(j.done) != 2 || sentBy(t, net) != 1 || sentBy(t, &own) != used+1 {
		t.Errorf("done %v, %d mined of the former keeper, %d of the other; want one each", j.done, sentBy(t, net), sentBy(t, &own)-used)
	}
	if len(j.sent) != 2 || j.sent[0].Hash != common.BytesToHash(former.TxHash) || j.sent[1].Sender != own.Keeper.Address() || j.sent[1].Nonce != used {
		t.Errorf("sent %+v, want nonce %d of %s for the second job", j.sent, used, own.Keeper.Address())
	}
}

func TestKeeperReplacesAPendingTransactionOfAnotherKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	dear := hexutil.EncodeBig(big.NewInt(900_000_000_000)) // above the former keeper's fee cap
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", dear))
	net.Mine(t, 1)
	own := *net
	own.Keeper = net.OtherHuman
	workOff(t, newKeeper(&own, j, keeper.Options{ReplaceAfter: 10 * time.Millisecond}), j)
	if len(j.done) != 1 || sentBy(t, net) != 0 {
		t.Errorf("done %v, %d mined of the former keeper; want the job done by the other", j.done, sentBy(t, net))
	}
}
