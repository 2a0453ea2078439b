package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

const (
	// rereadsAtOnce bounds how many blocks are read again between two steps.
	rereadsAtOnce = 16
	// rereadTimeout bounds an attempt with a provider that is not in use, and the time of rereads between
	// two steps once one has failed.
	rereadTimeout = 10 * time.Second
)

// rereadAll reads again the blocks whose logs are in doubt, beginning after the last block of the previous
// call. A failure does not stop the watcher: it is logged, and the block is read again later. After a failure,
// the call ends once rereadTimeout has passed, and the next call continues with the other blocks.
func (w *Watcher) rereadAll(ctx context.Context, cursor market.Cursor) {
	start := time.Now()
	numbers, failed := w.journal.Rereads(ctx, w.reread, rereadsAtOnce)
	providers := w.node.FromCurrent()
	for _, number := range numbers {
		w.reread = number
		failed = errors.Join(failed, w.rereadFrom(ctx, providers, cursor, number))
		if failed != nil && (time.Since(start) > rereadTimeout || errors.Is(failed, market.ErrNotLeader)) || ctx.Err() != nil {
			break
		}
	}
	if failed != nil && ctx.Err() == nil {
		w.rereadAt = time.Now().Add(w.options.StallTimeout)
		w.log.WarnContext(ctx, "rereading blocks with doubtful logs failed; will retry", slog.Any("err", failed))
	}
}

// rereadFrom reads a block again from one provider after the other until one has proven its logs. A provider
// that fails becomes the last one in the list, so that the next block is not read from it first.
func (w *Watcher) rereadFrom(ctx context.Context, providers []*rpc.Provider, cursor market.Cursor, number uint64) error {
	var failed error
	for range providers {
		p := providers[0]
		err := w.rereadBy(ctx, p, cursor, number)
		if _, faulty := errors.AsType[*rpc.ProviderError](err); !faulty {
			return err
		}
		failed = errors.Join(failed, err)
		copy(providers, providers[1:])
		providers[len(providers)-1] = p
	}
	return failed
}

// rereadBy reads a block again from one provider.
func (w *Watcher) rereadBy(ctx context.Context, p *rpc.Provider, cursor market.Cursor, number uint64) error {
	if p == w.node.FromCurrent()[0] {
		return w.rereadBlock(ctx, p, cursor, number)
	}
	if p.Resting(time.Now()) {
		return p.Errorf("the provider is not asked, because it failed recently")
	}
	ctx, cancel := context.WithTimeout(ctx, rereadTimeout)
	defer cancel()
	if err := w.node.Check(ctx, p); err != nil {
		p.Fault(err)
		return err
	}
	// An error does not open the circuit breaker: the node may have no old receipts, and its levels must
	// still count (see agreedLevels).
	return w.rereadBlock(ctx, p, cursor, number)
}

// rereadBlock replaces the journal's logs of one block with those of its receipts. It checks that the
// block is the followed one: the headers from it up to a followed block must build on each other.
func (w *Watcher) rereadBlock(ctx context.Context, p *rpc.Provider, cursor market.Cursor, number uint64) error {
	if number > cursor.Block.Number {
		return nil // not followed yet
	}
	followed, err := w.journal.CanonicalBlockFrom(ctx, number)
	if err != nil {
		return fmt.Errorf("read the block at or above %d: %w", number, err)
	}
	header, err := w.ancestor(ctx, p, number, followed)
	if err != nil {
		return err
	}
	proven, err := p.ProvenLogs(ctx, []*types.Header{header}, w.addresses)
	if err != nil {
		return err
	}
	block := rpc.BlockOf(header)
	logs, err := w.read(proven[block.Hash], []market.Block{block})
	if err != nil {
		return err
	}
	if err := setCallers(ctx, p, logs); err != nil {
		return err
	}
	changed, err := w.journal.Repair(ctx, cursor, block, logs)
	if err != nil {
		return fmt.Errorf("repair block %d: %w", number, err)
	}
	if changed > 0 {
		w.log.ErrorContext(ctx, "repaired the logs of a followed block that differed from its receipts; a provider returned false logs",
			slog.Uint64("block", number), slog.Int("logs", changed), slog.String("provider", p.Host()))
	}
	return nil
}

// ancestor returns the header at the number, which must be an ancestor of the block followed. It
// reads the headers from followed down, at most Range at a time, because stored blocks can be far apart.
//
// Example: with ranges of 2,000 blocks, number 1,000 and the followed block 4,000, it reads 2,001 to
// 4,000, then 1,000 to 2,000.
func (w *Watcher) ancestor(ctx context.Context, p *rpc.Provider, number uint64, followed market.Block) (*types.Header, error) {
	for to, hash := followed.Number, followed.Hash; ; {
		from := number
		if to-number >= w.options.Range {
			from = to - w.options.Range + 1
		}
		headers, err := p.Chain(ctx, from, to)
		if err != nil {
			return nil, err
		}
		if headers[len(headers)-1].Hash() != hash {
			return nil, p.Errorf("the provider does not have block %d with hash %s, on which the followed block %d builds", to, hash, followed.Number)
		}
		if from == number {
			return headers[0], nil
		}
		to, hash = from-1, headers[0].ParentHash
	}
}
