package chain

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// rereadsAtOnce bounds how many blocks are read again between two steps.
const rereadsAtOnce = 16

// rereadAll reads again the blocks whose logs are in doubt. A failure does not stop the watcher: it
// is logged and the block is read again later.
func (w *Watcher) rereadAll(ctx context.Context, p *provider, cursor market.Cursor) {
	numbers, err := w.journal.Rereads(ctx, rereadsAtOnce)
	for i := 0; err == nil && i < len(numbers); i++ {
		err = w.reread(ctx, p, cursor, numbers[i])
	}
	if err != nil && ctx.Err() == nil {
		w.rereadAt = time.Now().Add(w.options.StallTimeout)
		w.log.WarnContext(ctx, "rereading a block with doubtful logs failed; will retry", slog.Any("err", err))
	}
}

// reread replaces the journal's logs of one block with those of its receipts. It checks that the
// block is the followed one: the headers from it up to a followed block must build on each other.
func (w *Watcher) reread(ctx context.Context, p *provider, cursor market.Cursor, number uint64) error {
	if number > cursor.Block.Number {
		return nil // not followed yet
	}
	known, err := w.journal.CanonicalBlockFrom(ctx, number)
	if err != nil {
		return fmt.Errorf("read the block at or above %d: %w", number, err)
	}
	header, err := w.ancestor(ctx, p, number, known)
	if err != nil {
		return err
	}
	proven, err := p.provenLogs(ctx, []*types.Header{header}, w.addresses)
	if err != nil {
		return err
	}
	block := blockOf(header)
	logs, err := w.read(proven[block.Hash], []market.Block{block})
	if err != nil {
		return err
	}
	if err := p.setCallers(ctx, logs); err != nil {
		return err
	}
	changed, err := w.journal.Repair(ctx, cursor, block, logs)
	if err != nil {
		return fmt.Errorf("repair block %d: %w", number, err)
	}
	if changed > 0 {
		w.log.ErrorContext(ctx, "repaired the logs of a followed block that differed from its receipts; a provider returned false logs",
			slog.Uint64("block", number), slog.Int("logs", changed), slog.String("provider", p.host))
	}
	return nil
}

// ancestor returns the header at the number, which must be an ancestor of the followed block known. It
// reads the headers from known down, at most Range at a time, because stored blocks can be far apart.
//
// Example: with ranges of 2,000 blocks, number 1,000 and the followed block 4,000, it reads 2,001 to
// 4,000, then 1,000 to 2,000.
func (w *Watcher) ancestor(ctx context.Context, p *provider, number uint64, known market.Block) (*types.Header, error) {
	for to, hash := known.Number, known.Hash; ; {
		from := number
		if to-number >= w.options.Range {
			from = to - w.options.Range + 1
		}
		headers, err := p.chainOf(ctx, from, to)
		if err != nil {
			return nil, err
		}
		if headers[len(headers)-1].Hash() != hash {
			return nil, p.errorf("the provider does not have block %d with hash %s, on which the followed block %d builds", to, hash, known.Number)
		}
		if from == number {
			return headers[0], nil
		}
		to, hash = from-1, headers[0].ParentHash
	}
}
