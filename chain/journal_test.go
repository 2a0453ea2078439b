package chain_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// journal is a chain.Journal in memory. Like the real one, it rejects steps that do not continue from
// the cursor.
type journal struct {
	deployment market.Deployment

	mu     sync.Mutex
	cursor market.Cursor
	lease  market.Lease
	blocks []market.Block // canonical blocks in ascending order
	logs   []market.Log   // canonical logs in order

	rereads []uint64
	rewinds int
	unknown int                     // number of upcoming commits that succeed but return an error
	refuse  func(market.Step) error // rejects a step if it returns an error; nil accepts all
}

var errLost = errors.New("the connection was lost during COMMIT")

func newJournal(d market.Deployment) *journal {
	return &journal{deployment: d, cursor: market.Cursor{Block: market.Block{Number: d.StartBlock - 1}}}
}

func (j *journal) Lead(_ context.Context, holder string, life time.Duration) (market.Lease, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	if j.lease.Holder != holder {
		if now.Before(j.lease.Until) {
			return market.Lease{}, market.ErrNotLeader
		}
		j.cursor.Epoch++
	}
	j.lease = market.Lease{Holder: holder, Epoch: j.cursor.Epoch, Until: now.Add(life)}
	return j.lease, nil
}

func (j *journal) Release(_ context.Context, lease market.Lease) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lease.Holder == lease.Holder && j.lease.Epoch == lease.Epoch {
		j.lease.Until = time.Time{}
	}
	return nil
}

func (j *journal) Cursor(context.Context) (market.Cursor, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.cursor, nil
}

func (j *journal) CanonicalBlock(_ context.Context, atOrBelow uint64) (market.Block, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range slices.Backward(j.blocks) {
		if b.Number <= atOrBelow {
			return b, nil
		}
	}
	return market.Block{}, market.Errorf(market.KindNotFound, "no block at or below %d", atOrBelow)
}

func (j *journal) CanonicalBlockFrom(_ context.Context, number uint64) (market.Block, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range j.blocks {
		if b.Number >= number {
			return b, nil
		}
	}
	return market.Block{}, market.Errorf(market.KindNotFound, "no block at or above %d", number)
}

func (j *journal) LastIDs(_ context.Context, atOrBelow uint64) (market.LastIDs, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	above := func(l market.Log) bool { return l.Block.Number > atOrBelow }
	return market.LastIDs{}.Count(slices.DeleteFunc(slices.Clone(j.logs), above), j.deployment), nil
}

func (j *journal) Rereads(_ context.Context, after uint64, limit int) ([]uint64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	numbers := slices.Sorted(slices.Values(j.rereads))
	if next := slices.IndexFunc(numbers, func(n uint64) bool { return n > after }); next > 0 {
		numbers = slices.Concat(numbers[next:], numbers[:next])
	}
	return numbers[:min(limit, len(numbers))], nil
}

func (j *journal) Repair(_ context.Context, from market.Cursor, block market.Block, logs []market.Log) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return 0, market.ErrNotLeader
	}
	before := len(j.logs)
	j.rereads = slices.DeleteFunc(j.rereads, func(n uint64) bool { return n == block.Number })
	j.logs = slices.DeleteFunc(j.logs, func(l market.Log) bool { return l.Block == block })
	j.logs = append(j.logs, logs...)
	slices.SortFunc(j.logs, func(a, b market.Log) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	return max(len(j.logs)-before, before-len(j.logs)), nil
}

func (j *journal) Advance(_ context.Context, from market.Cursor, step market.Step) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return market.ErrNotLeader
	}
	if err := continues(from, step); err != nil {
		return err
	}
	if j.refuse != nil {
		if err := j.refuse(step); err != nil {
			return err
		}
	}
	j.blocks = append(j.blocks, step.Blocks...)
	j.logs = append(j.logs, step.Logs...)
	if len(step.Blocks) > 0 {
		j.cursor.Block = step.Blocks[len(step.Blocks)-1]
	}
	j.cursor.Safe, j.cursor.Finalized = step.Safe, step.Finalized
	return j.answer()
}

// continues checks the constraints of the real journal.
func continues(from market.Cursor, step market.Step) error {
	last := from.Block
	for _, b := range step.Blocks {
		switch {
		case b.Number <= last.Number:
			return errors.New("blocks do not ascend")
		case b.Number == last.Number+1 && last.Hash != (common.Hash{}) && b.Parent != last.Hash:
			return errors.New("a block does not build on the one before")
		case b.Number != last.Number+1 && b.Number > step.Finalized:
			return errors.New("a block is left out above finality")
		}
		last = b
	}
	for i, log := range step.Logs {
		if !slices.Contains(step.Blocks, log.Block) || i > 0 && !step.Logs[i-1].Before(log) {
			return errors.New("a log is out of order or not in a block of the step")
		}
	}
	if step.Safe < from.Safe || step.Finalized < from.Finalized {
		return errors.New("a level went down")
	}
	return nil
}

func (j *journal) Rewind(_ context.Context, from market.Cursor, to market.Block) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return market.ErrNotLeader
	}
	if to.Number < j.cursor.Finalized {
		return market.ErrFinalityViolated
	}
	j.blocks = slices.DeleteFunc(j.blocks, func(b market.Block) bool { return b.Number > to.Number })
	j.logs = slices.DeleteFunc(j.logs, func(l market.Log) bool { return l.Block.Number > to.Number })
	j.cursor.Block = to
	j.rewinds++
	return j.answer()
}

func (j *journal) at(from market.Cursor) bool {
	return from.Block.Number == j.cursor.Block.Number && from.Block.Hash == j.cursor.Block.Hash && from.Epoch == j.cursor.Epoch
}

func (j *journal) answer() error {
	if j.unknown > 0 {
		j.unknown--
		return errLost
	}
	return nil
}

// all returns the canonical logs.
func (j *journal) all() []market.Log {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.logs)
}
