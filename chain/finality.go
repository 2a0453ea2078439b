package chain

import (
	"context"
	"time"

	"taskmarket/market"
)

const (
	// levelsTimeout is how long a step waits for each other provider's levels.
	levelsTimeout = 2 * time.Second
	// stalledAfter is the age of a provider's newest block from which its levels no longer count, so that
	// a node that has stopped syncing does not hold back finality.
	stalledAfter = 10 * time.Minute
)

// levels are the numbers of the highest safe and the highest finalized block.
type levels struct{ safe, finalized uint64 }

// agreedLevels returns p's levels, lowered to those that every other provider has reported too, so that no
// single provider can declare its head final. The branches are not compared. A provider that does not respond, has
// stalled, or does not report a level does not count for it.
//
// The others are asked only when a level can rise, and when the levels agreed on before do not include the
// next block. So a watcher that catches up asks once, not with each step.
func (w *Watcher) agreedLevels(ctx context.Context, p *provider, cursor market.Cursor, v view) levels {
	followed := cursor.Block.Number
	if v.safe > w.agreed.safe && w.agreed.safe <= followed || v.finalized > w.agreed.finalized && w.agreed.finalized <= followed {
		lowest := v.levels
		for _, other := range w.node.fromCurrent() {
			if other == p || other.resting(time.Now()) {
				continue
			}
			theirs, err := other.levelsAt(ctx, w.node.identity, followed)
			if err != nil {
				other.failed(time.Now())
				continue
			}
			if theirs.latest < v.latest && time.Since(theirs.at) > stalledAfter {
				continue
			}
			if theirs.safe > 0 {
				lowest.safe = min(lowest.safe, theirs.safe)
			}
			if theirs.finalized > 0 {
				lowest.finalized = min(lowest.finalized, theirs.finalized)
			}
		}
		w.agreed = levels{safe: max(w.agreed.safe, lowest.safe), finalized: max(w.agreed.finalized, lowest.finalized)}
	}
	return levels{safe: min(v.safe, w.agreed.safe), finalized: min(v.finalized, w.agreed.finalized)}
}

// levelsAt is like readView, for a provider that the caller has not checked yet, and returns soon.
func (p *provider) levelsAt(ctx context.Context, id identity, cursor uint64) (view, error) {
	ctx, cancel := context.WithTimeout(ctx, levelsTimeout)
	defer cancel()
	if err := p.check(ctx, id); err != nil {
		return view{}, err
	}
	return p.readView(ctx, cursor)
}
