package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"taskmarket/market"
)

var zeroTime time.Time

// diverged is entered when the provider does not have the cursor's block at
// the cursor's number.
func (w *Watcher) diverged(ctx context.Context, p *provider, cursor market.Cursor, v view) (Outcome, error) {
	// Before anything is dropped: a provider that was replaced by one of another
	// chain has none of our blocks either.
	if err := p.recheck(ctx, w.node.want); err != nil {
		return Outcome{}, err
	}
	fork, turned, err := w.commonBlock(ctx, p, min(cursor.Block.Number, v.latest))
	if err != nil {
		return Outcome{}, err
	}
	if v.cursor == nil && !turned {
		if wait, err := w.below(p, cursor, v); wait || err != nil {
			return Outcome{Progress: CaughtUp, Head: v.latest, Block: cursor.Block}, err
		}
	}
	w.belowSince = zeroTime
	if fork.Number < cursor.Finalized {
		return Outcome{}, w.violated(ctx, p, cursor, fork)
	}
	w.forkSince = zeroTime
	if err := w.journal.Rewind(ctx, cursor, fork); err != nil {
		return Outcome{}, fmt.Errorf("rewind from block %d to %d: %w", cursor.Block.Number, fork.Number, err)
	}
	w.log.InfoContext(ctx, "followed a reorganisation", slog.Uint64("from", cursor.Block.Number), slog.Uint64("to", fork.Number))
	return Outcome{Progress: Rewound, Head: v.latest, Block: fork}, nil
}

// below decides whether to wait for a head that is below the cursor on our own
// branch. Nearly always the provider only lags, and another may not; a chain
// that really became shorter stays so.
func (w *Watcher) below(p *provider, cursor market.Cursor, v view) (wait bool, err error) {
	now := time.Now()
	if w.belowSince.IsZero() {
		w.belowSince = now
	}
	if now.Sub(w.belowSince) < w.options.Doubt {
		p.failed(now) // another one may be further
		return true, nil
	}
	if v.latest < cursor.Finalized {
		return false, p.errorf("the head is block %d, below the finalized block %d", v.latest, cursor.Finalized)
	}
	return false, nil
}

// commonBlock walks back from the number to the last block that both the
// journal and the provider have, and tells whether it passed one that they do
// not share. When they share none it is the number before the first block to
// follow, without a hash.
func (w *Watcher) commonBlock(ctx context.Context, p *provider, number uint64) (fork market.Block, turned bool, err error) {
	start := max(w.contracts.deployment.StartBlock, 1)
	for number >= start {
		ours, err := w.journal.CanonicalBlock(ctx, number)
		if market.KindOf(err) == market.KindNotFound {
			break
		}
		if err != nil {
			return market.Block{}, false, fmt.Errorf("read the block at or below %d: %w", number, err)
		}
		theirs, err := p.headerAt(ctx, ours.Number)
		if err != nil {
			return market.Block{}, false, err
		}
		if theirs.Hash() == ours.Hash {
			return ours, turned, nil
		}
		turned = true
		number = ours.Number - 1 // a block of ours is at least start, which is not 0
	}
	return market.Block{Number: start - 1}, turned, nil
}

// violated is entered when the chain forks below the finalized block. The
// provider is at fault if another one still has our block, and presumed to be
// until checks have agreed for as long as the doubt lasts.
func (w *Watcher) violated(ctx context.Context, p *provider, cursor market.Cursor, fork market.Block) error {
	if w.node.another(ctx, p, cursor.Block.Hash) != nil {
		return p.contradicts("does not have block %d, which another provider has", cursor.Block.Number)
	}
	now := time.Now()
	if w.forkSince.IsZero() {
		w.forkSince = now
	}
	if left := w.options.Doubt - now.Sub(w.forkSince); left > 0 {
		return p.contradicts("does not have finalized block %d; its chain forks from ours after block %d; checking for another %s",
			cursor.Finalized, fork.Number, left.Round(time.Second))
	}
	return fmt.Errorf("%w: block %d is finalized, the chains fork after %d; to follow the new one run: taskmarketd reindex --from %d",
		market.ErrFinalityViolated, cursor.Finalized, fork.Number, fork.Number+1)
}

// halt gives up the lease: another process may have a provider that is right.
func (w *Watcher) halt(ctx context.Context, violation error) {
	w.ahead.drop()
	w.Release(ctx)
	if w.halted == nil {
		w.log.ErrorContext(ctx, "the watcher has stopped: a finalized block is gone; it resumes when the nodes have the block again",
			slog.Any("err", violation))
	}
	w.halted = violation
}

// resume checks, after a violation of finality was declared, whether the chain
// has returned to what was followed. It returns nil if it has, or if none was
// declared. Like the declaration it takes the word of one provider, because
// following verifies every block anyway.
func (w *Watcher) resume(ctx context.Context) error {
	if w.halted == nil {
		return nil
	}
	cursor, err := w.journal.Cursor(ctx)
	if err != nil {
		return fmt.Errorf("read the cursor: %w", err)
	}
	p, err := w.node.pick(ctx, cursor.Block.Hash)
	if err != nil {
		return err
	}
	fork := cursor.Block
	v, err := p.look(ctx, cursor.Block.Number)
	if err == nil && (v.cursor == nil || v.cursor.Hash() != cursor.Block.Hash) {
		fork, _, err = w.commonBlock(ctx, p, min(cursor.Block.Number, v.latest))
	}
	if err != nil || fork.Number < min(cursor.Finalized, cursor.Block.Number) {
		p.failed(time.Now()) // the next check asks another one
		return errors.Join(err, w.halted)
	}
	w.halted, w.forkSince = nil, zeroTime
	w.log.InfoContext(ctx, "the nodes have the finalized block again; the watcher resumes", slog.Uint64("block", fork.Number))
	return nil
}
