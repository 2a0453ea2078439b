package chain

import (
	"context"
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
	if err := w.journal.Rewind(ctx, cursor, fork); err != nil {
		return Outcome{}, fmt.Errorf("rewind from block %d to %d: %w", cursor.Block.Number, fork.Number, err)
	}
	w.log.InfoContext(ctx, "followed a reorganisation", slog.Uint64("from", cursor.Block.Number), slog.Uint64("to", fork.Number))
	return Outcome{Progress: Rewound, Head: v.latest, Block: fork}, nil
}

// below tells whether to wait for a head that is below the cursor on our own
// branch. Nearly always the provider only lags, and another may not; a chain
// that really became shorter stays so.
func (w *Watcher) below(p *provider, cursor market.Cursor, v view) (wait bool, err error) {
	now := time.Now()
	if w.belowSince.IsZero() {
		w.belowSince = now
	}
	if now.Sub(w.belowSince) < w.options.Patience {
		p.failed(now)
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
		if theirs != nil && theirs.Hash() == ours.Hash {
			return ours, turned, nil
		}
		turned = true
		number = ours.Number - 1 // a block of ours is at least start, which is not 0
	}
	return market.Block{Number: start - 1}, turned, nil
}

// violated says that finality was broken, unless another provider still has
// our block: then this one is wrong.
func (w *Watcher) violated(ctx context.Context, p *provider, cursor market.Cursor, fork market.Block) error {
	if w.node.another(ctx, p, cursor.Block.Hash) != nil {
		return p.errorf("does not have block %d, which another provider has", cursor.Block.Number)
	}
	return fmt.Errorf("%w: block %d is finalized, the chains fork after %d; to follow the new one run: taskmarketd reindex --from %d",
		market.ErrFinalityViolated, cursor.Finalized, fork.Number, fork.Number+1)
}
