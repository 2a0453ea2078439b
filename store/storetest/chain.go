package storetest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store"
)

// BlockTime is the time between two blocks in a Chain.
const BlockTime = 2 * time.Second

// Chain is a simulated chain with the contracts' logs. Like the watcher, it commits its blocks to a
// store.
type Chain struct {
	// Store receives the blocks as they are mined. If it is nil, Feed can commit them later.
	Store *store.Store
	// Fork is included in the block hashes, so that a reorganised chain has different hashes.
	// Rewind increments it.
	Fork uint64
	// Safe and Finalized are the safe and finalized block numbers that a node would report. They
	// are included in later steps.
	Safe, Finalized uint64

	d      market.Deployment
	start  time.Time
	passed time.Duration // time added before the next block
	blocks []mined
	state  *State
}

type mined struct {
	block market.Block
	logs  []market.Log
}

// Tx is a transaction. Its logs depend on the state of the chain that includes it. It emits no logs
// if the contracts would revert it.
type Tx struct {
	Hash common.Hash
	Run  func(*State) []Emission
}

// Emission is a log whose position on the chain is not yet known.
type Emission struct {
	Address common.Address
	Event   market.Event
}

// NewChain returns a chain that starts one hour ago, at the first block of the store's
// deployment, with a panel of one validator and a fee of 5%.
func NewChain(tb testing.TB, s *store.Store) *Chain {
	tb.Helper()
	c := &Chain{Store: s, d: s.Deployment(), start: time.Now().UTC().Truncate(time.Second).Add(-time.Hour)}
	c.state = newState(c.d)
	validator := wallet(tb)
	c.Mine(tb, Tx{Hash: Hash(tb), Run: func(*State) []Emission {
		return []Emission{
			{c.d.Escrow, market.Event{Kind: market.EventFeeChanged, FeeBasisPoints: 500}},
			{c.d.Escrow, market.Event{Kind: market.EventValidatorAdded, Caller: validator, Panel: 1}},
			{c.d.Escrow, market.Event{Kind: market.EventQuorumChanged, Quorum: 1, Panel: 1}},
		}
	}})
	return c
}

// Mine adds a block with the transactions, commits it and returns it.
func (c *Chain) Mine(tb testing.TB, txs ...Tx) market.Block {
	tb.Helper()
	m := c.next(txs)
	c.blocks = append(c.blocks, m)
	if c.Store != nil {
		c.commit(tb, c.Store, m)
	}
	return m.block
}

// Wait mines an empty block after the duration.
func (c *Chain) Wait(tb testing.TB, d time.Duration) market.Block {
	tb.Helper()
	c.Pass(d)
	return c.Mine(tb)
}

// Pass delays the next block by the duration.
func (c *Chain) Pass(d time.Duration) { c.passed += d }

// Rewind drops the last depth blocks, as in a reorganisation.
func (c *Chain) Rewind(tb testing.TB, depth int) {
	tb.Helper()
	c.blocks = c.blocks[:len(c.blocks)-depth]
	c.Fork++
	c.passed = 0
	c.state = newState(c.d)
	for _, m := range c.blocks {
		c.state.follow(m.block.Time, m.logs)
	}
	if c.Store == nil {
		return
	}
	repeat(tb, "rewind", func() error { return c.Store.Journal.Rewind(tb.Context(), cursor(tb, c.Store), c.Head()) })
}

// Feed commits the blocks that the store does not have, in steps of the given size. Like the
// watcher when it reads finalized blocks, it omits empty blocks, except at the end of a step.
func (c *Chain) Feed(tb testing.TB, s *store.Store, batch int) {
	tb.Helper()
	head := cursor(tb, s).Block.Number
	for first := 0; first < len(c.blocks); {
		if c.blocks[first].block.Number <= head {
			first++
			continue
		}
		last := min(first+batch, len(c.blocks))
		c.commit(tb, s, c.blocks[first:last]...)
		first = last
	}
}

// Head returns the last block, or the block before the first one if the chain is empty.
func (c *Chain) Head() market.Block {
	if len(c.blocks) == 0 {
		return market.Block{Number: c.d.StartBlock - 1}
	}
	return c.blocks[len(c.blocks)-1].block
}

// Length returns the number of blocks in the chain.
func (c *Chain) Length() int { return len(c.blocks) }

// Logs returns the number of logs in the chain.
func (c *Chain) Logs() int {
	n := 0
	for _, m := range c.blocks {
		n += len(m.logs)
	}
	return n
}

// State returns the current state of the contracts.
func (c *Chain) State() *State { return c.state }

// Step returns a step that contains the last n blocks.
func (c *Chain) Step(n int) market.Step { return c.step(c.blocks[len(c.blocks)-n:]...) }

// next returns a new block with the logs that the transactions emit.
func (c *Chain) next(txs []Tx) mined {
	parent := c.Head()
	block := market.Block{Number: parent.Number + 1, Parent: parent.Hash, Time: parent.Time.Add(BlockTime)}
	if parent.Time.IsZero() {
		block.Time = c.start
	}
	block.Time = block.Time.Add(c.passed)
	c.passed = 0
	digest := sha256.New()
	digest.Write(binary.BigEndian.AppendUint64(parent.Hash[:], c.Fork))
	for _, tx := range txs {
		digest.Write(tx.Hash[:])
	}
	digest.Write(binary.BigEndian.AppendUint64(nil, uint64(block.Time.Unix())))
	block.Hash = common.Hash(digest.Sum(nil))

	m := mined{block: block}
	for i, tx := range txs {
		c.state.Now = block.Time
		var logs []market.Log
		for _, e := range tx.Run(c.state) {
			logs = append(logs, market.Log{
				ChainID: c.d.ChainID, Address: e.Address, Block: block, TxHash: tx.Hash, TxIndex: uint(i),
				Index: uint(len(m.logs) + len(logs)), Topics: []common.Hash{sha256.Sum256([]byte(e.Event.Kind)), tx.Hash},
				Data: []byte(e.Event.Kind), Event: e.Event,
			})
		}
		c.state.follow(block.Time, logs)
		m.logs = append(m.logs, logs...)
	}
	return m
}

func (c *Chain) step(blocks ...mined) market.Step {
	step := market.Step{Safe: c.Safe, Finalized: c.Finalized}
	for i, m := range blocks {
		if len(m.logs) > 0 || i == len(blocks)-1 {
			step.Blocks = append(step.Blocks, m.block)
		}
		step.Logs = append(step.Logs, m.logs...)
	}
	return step
}

func (c *Chain) commit(tb testing.TB, s *store.Store, blocks ...mined) {
	tb.Helper()
	what := fmt.Sprintf("advance to block %d", blocks[len(blocks)-1].block.Number)
	repeat(tb, what, func() error { return s.Journal.Advance(tb.Context(), cursor(tb, s), c.step(blocks...)) })
}

// repeat retries a step for up to a minute while the store is unavailable, as the watcher does: on a busy
// machine, a step can wait too long for a lock.
func repeat(tb testing.TB, what string, step func() error) {
	tb.Helper()
	err := step()
	for end := time.Now().Add(time.Minute); market.KindOf(err) == market.KindUnavailable && time.Now().Before(end); {
		err = step()
	}
	if err != nil {
		tb.Fatalf("%s: %v", what, err)
	}
}

func cursor(tb testing.TB, s *store.Store) market.Cursor {
	tb.Helper()
	from, err := s.Journal.Cursor(tb.Context())
	if err != nil {
		tb.Fatalf("read the cursor: %v", err)
	}
	return from
}

// Hash returns a random hash.
func Hash(tb testing.TB) common.Hash {
	tb.Helper()
	return common.HexToHash(randomHex(tb) + randomHex(tb) + randomHex(tb) + randomHex(tb))
}
