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

// rereadAll reads blocks again whose logs are in doubt. A failure never keeps
// the watcher from following: it is logged, and the block is read again later,
// from the provider that is picked then.
func (w *Watcher) rereadAll(ctx context.Context, p *provider, cursor market.Cursor) {
	numbers, err := w.journal.Rereads(ctx, rereadsAtOnce)
	for i := 0; err == nil && i < len(numbers); i++ {
		err = w.reread(ctx, p, cursor, numbers[i])
	}
	if err != nil && ctx.Err() == nil {
		w.rereadAt = time.Now().Add(w.options.Patience)
		w.log.WarnContext(ctx, "a block in doubt was not read again; will retry", slog.Any("err", err))
	}
}

// reread makes the journal's logs of one block those of its receipts. The block
// is the one that was followed: its header and those after it lead up to a block
// that the journal holds.
func (w *Watcher) reread(ctx context.Context, p *provider, cursor market.Cursor, number uint64) error {
	if number > cursor.Block.Number {
		return nil // it will be followed first
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
		return p.errorf("does not have block %d that was followed", known.Number)
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
	if err := p.nameCallers(ctx, logs); err != nil {
		return err
	}
	changed, err := w.journal.Repair(ctx, cursor, block, logs)
	if err != nil {
		return fmt.Errorf("repair block %d: %w", number, err)
	}
	if changed > 0 {
		w.log.ErrorContext(ctx, "a block was not followed as its receipts prove it, and was repaired: a provider has lied",
			slog.Uint64("block", number), slog.Int("logs", changed), slog.String("provider", p.host))
	}
	return nil
}
