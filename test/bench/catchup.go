package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/test/bench/measure"
)

const (
	watchTemplate = "watch_template"
	// leastFloor is how long the raw logs are asked for: one answer alone
	// takes too little time to be told from the machine's noise.
	leastFloor = 500 * time.Millisecond
)

// catchUp measures how fast the watcher follows a chain from its first block,
// into a database whose records the logs belong to.
type catchUp struct {
	world    *world
	head     uint64 // the last block with a posting
	postings int
	round    int
}

// newCatchUp records tasks and posts them on the chain.
func newCatchUp(ctx context.Context, w *world, size size) (*catchUp, error) {
	url, err := w.create(ctx, watchTemplate, "")
	if err != nil {
		return nil, err
	}
	amount := market.MinimumEscrow()
	terms, err := recordTasks(ctx, url, w, amount, size.postings)
	if err != nil {
		return nil, err
	}
	if err := post(ctx, w, amount, terms); err != nil {
		return nil, err
	}
	head, err := w.chain.Client().BlockNumber(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the chain's head: %w", err)
	}
	return &catchUp{world: w, head: head, postings: size.postings}, nil
}

// recordTasks records the agent and its tasks, and returns their terms hashes.
func recordTasks(ctx context.Context, url string, w *world, amount *big.Int, count int) ([]common.Hash, error) {
	agent := uuid.Must(uuid.NewV7())
	if err := recordAgent(ctx, url, agent, w.agent.Address()); err != nil {
		return nil, err
	}
	records, err := store.Open(ctx, url, w.deployment)
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
			Name: "watcher catch-up", Unit: "events/s", Goal: measure.Goal{Ratio: 0.5, AtLeast: true}, Peer: "Ponder 0.06",
		}},
		Round: c.measure,
	}
}

func (c *catchUp) measure(ctx context.Context, random *rand.Rand) ([]measure.Pair, error) {
	var pair measure.Pair
	err := measure.Either(random,
		func() (err error) { pair.Floor, err = c.raw(ctx); return err },
		func() (err error) { pair.Ours, err = c.follow(ctx); return err })
	return []measure.Pair{pair}, err
}

// raw asks the node for the same logs without doing anything with them, and
// returns how many come in a second.
func (c *catchUp) raw(ctx context.Context) (float64, error) {
	query := ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(c.world.deployment.StartBlock), ToBlock: new(big.Int).SetUint64(c.head),
		Addresses: c.world.deployment.Contracts(),
	}
	began, events := time.Now(), 0
	for time.Since(began) < leastFloor {
		logs, err := c.world.chain.Client().FilterLogs(ctx, query)
		if err != nil {
			return 0, fmt.Errorf("ask for the logs: %w", err)
		}
		events += len(logs)
	}
	return float64(events) / time.Since(began).Seconds(), nil
}

// follow lets a watcher catch up in a fresh copy of the records and returns
// how many events a second become committed rows.
func (c *catchUp) follow(ctx context.Context) (rate float64, err error) {
	c.round++
	name := fmt.Sprintf("watch_%d", c.round)
	url, err := c.world.create(ctx, name, watchTemplate)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.world.drop(ctx, name)) }()
	journal, err := store.Open(ctx, url, c.world.deployment)
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	watcher := chain.NewWatcher(c.world.node, journal, chain.NewContracts(c.world.deployment),
		chain.WatcherOptions{}, slog.New(slog.DiscardHandler))
	began, events := time.Now(), 0
	for {
		outcome, err := watcher.Step(ctx)
		if err != nil {
			return 0, fmt.Errorf("follow the chain: %w", err)
		}
		events += outcome.Logs
		if outcome.Progress == chain.CaughtUp {
			break
		}
	}
	took := time.Since(began)
	return float64(events) / took.Seconds(), c.check(ctx, url)
}

// check makes sure that what was measured is what was asked for: every task
// is funded.
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
		return fmt.Errorf("the watcher funded %d tasks of %d", funded, c.postings)
	}
	return nil
}
