package e2e_test

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/test/actor"
)

const (
	// transactionsPerBlock is the maximum number of transactions with txGas that fit into a block's
	// gas limit of 30 million, with a reserve.
	transactionsPerBlock = 60
	txGas                = 480_000
	// preparers is the number of concurrent requests during preparation.
	preparers = 8
)

// sent is a call with the wallet that sends it. The node signs for all wallets.
type sent struct {
	from common.Address
	call chain.Call
}

// prepareChain configures the node to sign for all wallets, and approves token transfers to the
// contracts for the agent and the humans.
func (a *raceWorld) prepareChain() {
	a.t.Helper()
	a.must(a.net.Dev.ImpersonateAll(a.ctx))
	for _, party := range []*chain.KeySigner{a.net.Agent, a.net.Human, a.net.OtherHuman} {
		a.mined(a.allowances(party.Address())...)
	}
}

func (a *raceWorld) allowances(wallet common.Address) []sent {
	all := new(big.Int).Lsh(big.NewInt(1), 200)
	return []sent{
		{wallet, a.net.Contracts.ApproveToken(a.net.Deployment.Escrow, all)},
		{wallet, a.net.Contracts.ApproveToken(a.net.Deployment.Staking, all)},
	}
}

// mined mines the transactions and returns their receipts. All must succeed.
func (a *raceWorld) mined(txs ...sent) []*types.Receipt {
	a.t.Helper()
	var receipts []*types.Receipt
	for some := range slices.Chunk(txs, transactionsPerBlock) {
		block := a.announce(some...)
		receipts = append(receipts, block.mine()...)
	}
	for i, receipt := range receipts {
		if receipt.Status != types.ReceiptStatusSuccessful {
			a.t.Fatalf("transaction %d of %d failed", i, len(receipts))
		}
	}
	return receipts
}

// block is a block to be mined.
type block struct {
	a      *raceWorld
	hashes []common.Hash // hashes of the block's transactions
}

// announce puts the transactions into the mempool, where they stay until the block is mined. They
// are mined in this order, unless an account's nonces require another order.
func (a *raceWorld) announce(txs ...sent) block {
	a.t.Helper()
	a.must(a.net.Dev.SetMining(a.ctx, false))
	return block{a, a.pending(txs...)}
}

// mine mines the block and returns the receipts of its transactions, successful or not. Later
// transactions are again mined immediately.
func (b block) mine() []*types.Receipt {
	b.a.t.Helper()
	b.a.must(b.a.net.Dev.Mine(b.a.ctx, 1))
	b.a.must(b.a.net.Dev.SetMining(b.a.ctx, true))
	return b.a.receipts(b.hashes)
}

// pending puts the transactions into the mempool and returns their hashes.
func (a *raceWorld) pending(txs ...sent) []common.Hash {
	a.t.Helper()
	hashes, nonces := make([]common.Hash, len(txs)), make(map[common.Address]uint64)
	batch := make([]rpc.BatchElem, len(txs))
	for i, tx := range txs {
		nonce, known := nonces[tx.from]
		if !known {
			var err error
			nonce, err = a.net.Dev.Client().PendingNonceAt(a.ctx, tx.from)
			a.must(err)
		}
		nonces[tx.from] = nonce + 1
		fee := big.NewInt(1e11 - int64(i)*1e6) // blocks are ordered by descending fee
		batch[i] = rpc.BatchElem{Method: "eth_sendTransaction", Result: &hashes[i], Args: []any{map[string]any{
			"from": tx.from, "to": tx.call.To, "data": hexutil.Bytes(tx.call.Data), "nonce": hexutil.Uint64(nonce), "gas": hexutil.Uint64(txGas),
			"maxFeePerGas": (*hexutil.Big)(fee), "maxPriorityFeePerGas": (*hexutil.Big)(fee),
		}}}
	}
	a.call(batch)
	return hashes
}

// receipts returns the transactions' receipts. All transactions must be in one block.
func (a *raceWorld) receipts(hashes []common.Hash) []*types.Receipt {
	a.t.Helper()
	receipts := make([]*types.Receipt, len(hashes))
	batch := make([]rpc.BatchElem, len(hashes))
	for i, hash := range hashes {
		batch[i] = rpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{hash}, Result: &receipts[i]}
	}
	a.call(batch)
	for _, receipt := range receipts {
		if receipt == nil || receipt.BlockHash != receipts[0].BlockHash {
			a.t.Fatalf("not all of %d transactions are in one block", len(hashes))
		}
	}
	return receipts
}

func (a *raceWorld) call(batch []rpc.BatchElem) {
	a.t.Helper()
	a.must(a.net.Dev.Client().Client().BatchCallContext(a.ctx, batch))
	for _, element := range batch {
		a.must(element.Error)
	}
}

// each calls do for every number below n, with limited concurrency.
func (a *raceWorld) each(n int, do func(i int) error) {
	a.t.Helper()
	var group errgroup.Group
	group.SetLimit(preparers)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	a.must(group.Wait())
}

// stage is the progress of a task before a race.
type stage int

const (
	posted    stage = iota // posted, with an application by each human
	active                 // the first human's application is accepted
	submitted              // the work is submitted
)

// jobAmount is the amount of a job, a twentieth of a token.
func jobAmount() *big.Int { return new(big.Int).Div(chaintest.Tokens(1), big.NewInt(20)) }

// job is a task, prepared for a race.
type job struct {
	task         gen.Task
	escrowID     uint64
	applications []application
}

// application is an application for a job.
type application struct {
	id       uuid.UUID
	escrowID uint64
}

// workHash is not the hash of any recorded submission.
var workHash = common.HexToHash("0xabcdef")

// jobs prepares a task for each round of a race. Every human applies for each task.
func (a *raceWorld) jobs(to stage, humans ...*chain.KeySigner) []job {
	a.t.Helper()
	jobs := make([]job, a.rounds)
	a.each(len(jobs), func(i int) (err error) {
		jobs[i].task, err = a.recorded("Race " + strconv.Itoa(i))
		return err
	})
	receipts := a.mined(forJobs(jobs, a.postingOf)...)
	for i := range jobs {
		jobs[i].escrowID = a.event(receipts[i], market.EventTaskPosted).TaskID
	}
	a.settle()
	for _, human := range humans {
		a.applyForAll(jobs, human)
	}
	for _, step := range a.stepsTo(to, humans) {
		a.mined(forJobs(jobs, step)...)
	}
	a.settle()
	return jobs
}

func (a *raceWorld) postingOf(j job) sent {
	return sent{a.net.Agent.Address(), a.net.Contracts.PostTask(jobAmount(), chaintest.FeeBasisPoints, common.HexToHash(j.task.TermsHash))}
}

// stepsTo returns the transactions that advance a posted job to the stage.
func (a *raceWorld) stepsTo(to stage, humans []*chain.KeySigner) []func(job) sent {
	calls, escrow := a.net.Contracts, a.net.Deployment.Escrow
	accept := func(j job) sent {
		return sent{a.net.Agent.Address(), calls.AcceptApplication(escrow, j.escrowID, j.applications[0].escrowID)}
	}
	submit := func(j job) sent { return sent{humans[0].Address(), calls.SubmitTask(escrow, j.escrowID, workHash)} }
	switch to {
	case posted:
		return nil
	case active:
		return []func(job) sent{accept}
	case submitted:
		return []func(job) sent{accept, submit}
	}
	a.t.Fatalf("there is no stage %d", to)
	return nil
}

func forJobs(jobs []job, tx func(job) sent) []sent {
	txs := make([]sent, len(jobs))
	for i, j := range jobs {
		txs[i] = tx(j)
	}
	return txs
}

// recorded creates a task's record.
func (a *raceWorld) recorded(title string) (gen.Task, error) {
	got, err := a.askWithRetry(a.server, ask{op: "createTask", as: withKey(a.agent.Key), body: gen.CreateTaskRequest{
		Title: title, Description: "Run.", EscrowAmount: jobAmount().String(),
	}})
	if err != nil {
		return gen.Task{}, err
	}
	return readAs[gen.Task](got)
}

// applyForAll applies for every job as the human, and locks the stakes.
func (a *raceWorld) applyForAll(jobs []job, human *chain.KeySigner) {
	a.t.Helper()
	stake := market.RequiredStake(jobAmount())
	person := a.session(human)
	made := make([]gen.ApplicationCreated, len(jobs))
	a.each(len(jobs), func(i int) error {
		got, err := a.askWithRetry(a.server, ask{
			op: "applyForTask", path: []string{jobs[i].task.ID.String()}, body: gen.ApplyForTaskRequest{ApplicationMessage: "I run."}, as: person,
		})
		if err != nil {
			return err
		}
		made[i], err = readAs[gen.ApplicationCreated](got)
		return err
	})
	receipts := a.mined(forJobs(jobs, func(j job) sent {
		return sent{human.Address(), a.net.Contracts.LockStake(j.escrowID, stake)}
	})...)
	for i := range jobs {
		jobs[i].applications = append(jobs[i].applications,
			application{made[i].Application.ID, a.event(receipts[i], market.EventStakeLocked).ApplicationID})
	}
	a.settle()
}

// session signs in to each server as the human. Later calls return the same sessions.
func (a *raceWorld) session(human *chain.KeySigner) signature {
	a.t.Helper()
	if a.sessions[human] == nil {
		people := make(map[*replica]*actor.Person)
		for _, r := range a.replicas {
			people[r] = a.signIn(r, human)
		}
		a.sessions[human] = a.signedIn(people)
	}
	return a.sessions[human]
}

// event returns the first event of the kind in the receipt.
func (a *raceWorld) event(receipt *types.Receipt, kind market.EventKind) market.Event {
	a.t.Helper()
	for _, log := range receipt.Logs {
		if event, err := a.net.Contracts.Decode(*log); err == nil && event.Kind == kind {
			return event
		}
	}
	a.t.Fatalf("transaction %s caused no %s", receipt.TxHash, kind)
	return market.Event{}
}
