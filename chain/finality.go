package chain

import (
	"context"
	"time"

	"taskmarket/market"
)

// agreedLevels returns p's levels, lowered to those that every other provider has reported too, so that no
// single provider can declare its head final. The branches are not compared. Providers that do not
// respond, have stalled, or do not report a level are ignored for that level.
//
// The other providers are asked only if a level can rise and the agreed level does not include the next
// block yet. So a watcher that catches up asks once, not in each step.
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
				other.fault(err)
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

// levelsAt is like readView, with a shorter timeout, for a provider that the caller has not checked.
func (p *provider) levelsAt(ctx context.Context, id identity, cursor uint64) (view, error) {
	ctx, cancel := context.WithTimeout(ctx, otherTimeout)
	defer cancel()
	if err := p.check(ctx, id); err != nil {
		return view{}, err
	}
	return p.readView(ctx, cursor)
}
