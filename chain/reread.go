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
	headers, err := p.chainOf(ctx, number, known.Number)
	if err != nil {
		return err
	}
	if headers[len(headers)-1].Hash() != known.Hash {
		return p.errorf("does not have the followed block %d", known.Number)
	}
	header := headers[0]
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
