package chaintest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// Journal is a follow.Journal in memory. Like the real one, it rejects steps that do not continue from
// the cursor.
type Journal struct {
	deployment market.Deployment

	mu     sync.Mutex
	At     market.Cursor
	Lease  market.Lease
	blocks []market.Block // canonical blocks in ascending order
	Logs   []market.Log   // canonical logs in order

	Doubted []uint64
	Rewinds int
	Unknown int                     // number of upcoming commits that succeed but return an error
	Refuse  func(market.Step) error // rejects a step if it returns an error; nil accepts all
}

// ErrLost is the error of a commit whose answer is lost.
var ErrLost = errors.New("the connection was lost during COMMIT")

// NewJournal returns an empty journal.
func NewJournal(d market.Deployment) *Journal {
	return &Journal{deployment: d, At: market.Cursor{Block: market.Block{Number: d.StartBlock - 1}}}
}

// Lead implements follow.Journal.
func (j *Journal) Lead(_ context.Context, holder string, life time.Duration) (market.Lease, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	if j.Lease.Holder != holder {
		if now.Before(j.Lease.Until) {
			return market.Lease{}, market.ErrNotLeader
		}
		j.At.Epoch++
	}
	j.Lease = market.Lease{Holder: holder, Epoch: j.At.Epoch, Until: now.Add(life)}
	return j.Lease, nil
}

// Release implements follow.Journal.
func (j *Journal) Release(_ context.Context, lease market.Lease) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Lease.Holder == lease.Holder && j.Lease.Epoch == lease.Epoch {
		j.Lease.Until = time.Time{}
	}
	return nil
}

// Cursor implements follow.Journal.
func (j *Journal) Cursor(context.Context) (market.Cursor, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.At, nil
}

// CanonicalBlock implements follow.Journal.
func (j *Journal) CanonicalBlock(_ context.Context, atOrBelow uint64) (market.Block, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range slices.Backward(j.blocks) {
		if b.Number <= atOrBelow {
			return b, nil
		}
	}
	return market.Block{}, market.Errorf(market.KindNotFound, "no block at or below %d", atOrBelow)
}

// CanonicalBlockFrom implements follow.Journal.
func (j *Journal) CanonicalBlockFrom(_ context.Context, number uint64) (market.Block, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range j.blocks {
		if b.Number >= number {
			return b, nil
		}
	}
	return market.Block{}, market.Errorf(market.KindNotFound, "no block at or above %d", number)
}

// LastIDs implements follow.Journal.
func (j *Journal) LastIDs(_ context.Context, atOrBelow uint64) (market.LastIDs, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	above := func(l market.Log) bool { return l.Block.Number > atOrBelow }
	return market.LastIDs{}.Count(slices.DeleteFunc(slices.Clone(j.Logs), above), j.deployment), nil
}

// Rereads implements follow.Journal.
func (j *Journal) Rereads(_ context.Context, after uint64, limit int) ([]uint64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	numbers := slices.Sorted(slices.Values(j.Doubted))
	if next := slices.IndexFunc(numbers, func(n uint64) bool { return n > after }); next > 0 {
		numbers = slices.Concat(numbers[next:], numbers[:next])
	}
	return numbers[:min(limit, len(numbers))], nil
}

// Repair implements follow.Journal.
func (j *Journal) Repair(_ context.Context, from market.Cursor, block market.Block, logs []market.Log) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return 0, market.ErrNotLeader
	}
	before := len(j.Logs)
	j.Doubted = slices.DeleteFunc(j.Doubted, func(n uint64) bool { return n == block.Number })
	j.Logs = slices.DeleteFunc(j.Logs, func(l market.Log) bool { return l.Block == block })
	j.Logs = append(j.Logs, logs...)
	slices.SortFunc(j.Logs, func(a, b market.Log) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	return max(len(j.Logs)-before, before-len(j.Logs)), nil
}

// Advance implements follow.Journal.
func (j *Journal) Advance(_ context.Context, from market.Cursor, step market.Step) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return market.ErrNotLeader
	}
	if err := continues(from, step); err != nil {
		return err
	}
	if j.Refuse != nil {
		if err := j.Refuse(step); err != nil {
			return err
		}
	}
	j.blocks = append(j.blocks, step.Blocks...)
	j.Logs = append(j.Logs, step.Logs...)
	if len(step.Blocks) > 0 {
		j.At.Block = step.Blocks[len(step.Blocks)-1]
	}
	j.At.Safe, j.At.Finalized = step.Safe, step.Finalized
	return j.lostResponse()
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

// Rewind implements follow.Journal.
func (j *Journal) Rewind(_ context.Context, from market.Cursor, to market.Block) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.at(from) {
		return market.ErrNotLeader
	}
	if to.Number < j.At.Finalized {
		return market.ErrFinalityViolated
	}
	j.blocks = slices.DeleteFunc(j.blocks, func(b market.Block) bool { return b.Number > to.Number })
	j.Logs = slices.DeleteFunc(j.Logs, func(l market.Log) bool { return l.Block.Number > to.Number })
	j.At.Block = to
	j.Rewinds++
	return j.lostResponse()
}

func (j *Journal) at(from market.Cursor) bool {
	return from.Block.Number == j.At.Block.Number && from.Block.Hash == j.At.Block.Hash && from.Epoch == j.At.Epoch
}

func (j *Journal) lostResponse() error {
	if j.Unknown > 0 {
		j.Unknown--
		return ErrLost
	}
	return nil
}

// All returns the canonical logs.
func (j *Journal) All() []market.Log {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.Logs)
}
