package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/follow"
	"taskmarket/chain/send"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/test/bench/measure"
)

const (
	watchTemplate = "watch_template"
	// minFloor is the minimum duration of a floor's measurement: a single response is too quick to
	// measure reliably.
	minFloor   = 500 * time.Millisecond
	proofBatch = 100 // number of calls per batch request, as in the watcher

	livePostings = 25 // number of postings that are followed one by one
	liveGoal     = 5  // in ms, from the start of the step that finds a block to its commit
)

// catchUp measures how fast the watcher follows a chain from its first block, with a database that
// contains the records that the logs refer to.
type catchUp struct {
	world    *world
	head     uint64 // number of the chain's latest block
	postings int
	round    int
	later    []common.Hash // hashes of the terms of the tasks that are posted after the catch-up
	amount   *big.Int
}

// newCatchUp records tasks in the database and posts them on the chain.
func newCatchUp(ctx context.Context, w *world, size size) (*catchUp, error) {
	url, err := w.create(ctx, watchTemplate, "")
	if err != nil {
		return nil, err
	}
	amount := market.MinimumEscrow()
	terms, err := recordTasks(ctx, url, w, amount, size.postings+livePostings)
	if err != nil {
		return nil, err
	}
	if err := post(ctx, w, amount, terms[:size.postings]); err != nil {
		return nil, err
	}
	head, err := w.chain.Client().BlockNumber(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the chain's head: %w", err)
	}
	return &catchUp{world: w, head: head, postings: size.postings, later: terms[size.postings:], amount: amount}, nil
}

// recordTasks creates the agent and its tasks, and returns the hashes of the tasks' terms.
func recordTasks(ctx context.Context, url string, w *world, amount *big.Int, count int) ([]common.Hash, error) {
	agent := uuid.Must(uuid.NewV7())
	if err := recordAgent(ctx, url, agent, w.agent.Address()); err != nil {
		return nil, err
	}
	records, err := store.Open(ctx, url, w.deployment, store.WithQuotas(store.Quotas{Unfunded: count}))
	if err != nil {
		return nil, err
	}
	defer records.Close()
	terms := make([]common.Hash, count)
	for i := range terms {
		task := market.Task{
			ID: uuid.Must(uuid.NewV7()), AgentID: agent, AgentWallet: w.agent.Address(), Amount: amount,
			FeeBasisPoints: feeBasisPoints, ChainID: w.deployment.ChainID, EscrowAddress: w.deployment.Escrow,
			Title: fmt.Sprintf("Photograph shop window %d", i), Description: "Stand in front of it and take one picture.",
		}
		task.TermsHash = task.Terms().Hash()
		if _, err := records.CreateTask(ctx, task); err != nil {
			return nil, err
		}
		terms[i] = task.TermsHash
	}
	return terms, nil
}

func recordAgent(ctx context.Context, url string, id uuid.UUID, wallet common.Address) error {
	db, err := sql.Open("postgres", url+"&binary_parameters=yes")
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `
		WITH made AS (
			INSERT INTO users (id, kind, username, name, wallet, verification_code, code_expires_at)
			VALUES ($1, 'agent', 'poster', 'Poster', $2, 'poster', now())
			RETURNING id
		)
		INSERT INTO agents (id, key_hash, key_prefix)
		SELECT id, sha256('poster'), 'tmk_poster' FROM made`, id, wallet)
	if err != nil {
		return fmt.Errorf("record the posting agent: %w", err)
	}
	return nil
}

func (c *catchUp) target() measure.Target {
	return measure.Target{
		Name: "watcher catch-up",
		Rows: []measure.Spec{{
			// Measures the cost of verification. The floor is the rate at which the node returns the
			// logs, with the headers and receipts that prove them.
			Name: "watcher catch-up / proof", Unit: "events/s", Goal: measure.Goal{Ratio: 0.5, AtLeast: true},
		}, {
			Name: "watcher, one live block, p50", Unit: "ms", Goal: measure.Goal{Ratio: 1}, Peer: "floor: the goal; Ponder 664",
		}},
		Round: c.measure,
	}
}

func (c *catchUp) measure(ctx context.Context, random *rand.Rand) ([]measure.Pair, error) {
	var proof measure.Pair
	live := measure.Pair{Floor: liveGoal}
	err := measure.RunInRandomOrder(random,
		func() (err error) { proof.Floor, err = c.proofRate(ctx); return err },
		func() (err error) { proof.Ours, live.Ours, err = c.follow(ctx); return err })
	return []measure.Pair{proof, live}, err
}

// proofRate requests the logs with their proof repeatedly without processing the responses, and returns the
// number of logs per second.
func (c *catchUp) proofRate(ctx context.Context) (float64, error) {
	began, events := time.Now(), 0
	for time.Since(began) < minFloor {
		logs, err := c.requestProof(ctx)
		if err != nil {
			return 0, err
		}
		events += len(logs)
	}
	return float64(events) / time.Since(began).Seconds(), nil
}

func (c *catchUp) requestLogs(ctx context.Context) ([]types.Log, error) {
	logs, err := c.world.chain.Client().FilterLogs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(c.world.deployment.StartBlock), ToBlock: new(big.Int).SetUint64(c.head),
		Addresses: c.world.deployment.Contracts(),
	})
	if err != nil {
		return nil, fmt.Errorf("request the logs: %w", err)
	}
	return logs, nil
}

// requestProof requests the logs and their proof: all block headers, and the receipts of blocks
// with logs.
func (c *catchUp) requestProof(ctx context.Context) ([]types.Log, error) {
	logs, err := c.requestLogs(ctx)
	if err != nil {
		return nil, err
	}
	var headers, receipts []rpc.BatchElem
	for number := c.world.deployment.StartBlock; number <= c.head; number++ {
		headers = append(headers, rpc.BatchElem{
			Method: "eth_getBlockByNumber", Args: []any{hexutil.EncodeUint64(number), false}, Result: new(types.Header),
		})
	}
	for i, log := range logs {
		if i == 0 || log.BlockHash != logs[i-1].BlockHash {
			receipts = append(receipts, rpc.BatchElem{Method: "eth_getBlockReceipts", Args: []any{log.BlockHash}, Result: new(json.RawMessage)})
		}
	}
	for batch := range slices.Chunk(slices.Concat(headers, receipts), proofBatch) {
		if err := c.world.chain.Client().Client().BatchCallContext(ctx, batch); err != nil {
			return nil, fmt.Errorf("request headers and receipts: %w", err)
		}
	}
	return logs, nil
}

// follow runs a watcher on a new copy of the records until it reaches the head. It returns the
// number of events per second that were committed, and the median time to follow one new block.
func (c *catchUp) follow(ctx context.Context) (rate, live float64, err error) {
	c.round++
	name := fmt.Sprintf("watch_%d", c.round)
	url, err := c.world.create(ctx, name, watchTemplate)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, c.world.drop(ctx, name)) }()
	db, err := store.Open(ctx, url, c.world.deployment)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	watcher := follow.NewWatcher(c.world.node, db.Journal, chain.NewContracts(c.world.deployment),
		follow.WatcherOptions{}, slog.New(slog.DiscardHandler))
	if rate, err = catchUpRate(ctx, watcher); err != nil {
		return 0, 0, err
	}
	if err := c.check(ctx, url); err != nil {
		return 0, 0, err
	}
	live, err = c.followLive(ctx, watcher)
	return rate, live, err
}

// catchUpRate follows the chain up to the head and returns the number of events per second.
func catchUpRate(ctx context.Context, watcher *follow.Watcher) (float64, error) {
	began, events := time.Now(), 0
	for {
		outcome, err := watcher.Step(ctx)
		if err != nil {
			return 0, fmt.Errorf("follow the chain: %w", err)
		}
		events += outcome.Logs
		if outcome.Progress == follow.CaughtUp {
			return float64(events) / time.Since(began).Seconds(), nil
		}
	}
}

// followLive posts tasks one by one, and returns the median duration in ms of the steps that find and
// commit the blocks with these postings. It then restores the chain.
func (c *catchUp) followLive(ctx context.Context, watcher *follow.Watcher) (median float64, err error) {
	snapshot, err := c.world.chain.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.world.chain.Revert(ctx, snapshot)) }()
	nonce, err := send.NewSender(c.world.node, c.world.agent).NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	contracts := chain.NewContracts(c.world.deployment)
	var durations []time.Duration
	for i, terms := range c.later {
		call := contracts.PostTask(c.amount, feeBasisPoints, terms)
		if err := c.world.sendAll(ctx, nonce+uint64(i), []chain.Call{call}); err != nil {
			return 0, err
		}
		if err := c.world.chain.Mine(ctx, 1); err != nil {
			return 0, err
		}
		began := time.Now()
		outcome, err := watcher.Step(ctx)
		if err != nil {
			return 0, fmt.Errorf("follow a new block: %w", err)
		}
		if outcome.Logs > 0 { // a block can be mined before its transaction has reached the mempool
			durations = append(durations, time.Since(began))
		}
	}
	if len(durations) <= len(c.later)/2 {
		return 0, fmt.Errorf("follow new blocks: only %d of %d contained a posting", len(durations), len(c.later))
	}
	slices.Sort(durations)
	return float64(durations[len(durations)/2]) / float64(time.Millisecond), nil
}

// check verifies the result of the measured run: every posted task is funded.
func (c *catchUp) check(ctx context.Context, url string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	var funded int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM tasks WHERE status = 'funded'`).Scan(&funded); err != nil {
		return fmt.Errorf("count the funded tasks: %w", err)
	}
	if funded != c.postings {
		return fmt.Errorf("the watcher recorded the funding of only %d of %d tasks", funded, c.postings)
	}
	return nil
}
