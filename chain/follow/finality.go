package follow

import (
	"context"
	"time"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// agreedLevels returns p's levels, lowered to those that every other provider has reported too, so that no
// single provider can declare its head final. The branches are not compared. Providers that do not
// respond, have stalled, or do not report a level are ignored for that level.
//
// The other providers are asked only if a level can rise and the agreed level does not include the next
// block yet. So a watcher that catches up asks once, not in each step.
func (w *Watcher) agreedLevels(ctx context.Context, p *rpc.Provider, cursor market.Cursor, v rpc.View) rpc.Levels {
	followed := cursor.Block.Number
	if v.Safe > w.agreed.Safe && w.agreed.Safe <= followed || v.Finalized > w.agreed.Finalized && w.agreed.Finalized <= followed {
		lowest := v.Levels
		for _, other := range w.node.FromCurrent() {
			if other == p || other.Resting(time.Now()) {
				continue
			}
			theirs, err := levelsAt(ctx, w.node, other, followed)
			if err != nil {
				other.Fault(err)
				continue
			}
			if theirs.Latest < v.Latest && time.Since(theirs.At) > rpc.StalledAfter {
				continue
			}
			if theirs.Safe > 0 {
				lowest.Safe = min(lowest.Safe, theirs.Safe)
			}
			if theirs.Finalized > 0 {
				lowest.Finalized = min(lowest.Finalized, theirs.Finalized)
			}
		}
		w.agreed = rpc.Levels{Safe: max(w.agreed.Safe, lowest.Safe), Finalized: max(w.agreed.Finalized, lowest.Finalized)}
	}
	return rpc.Levels{Safe: min(v.Safe, w.agreed.Safe), Finalized: min(v.Finalized, w.agreed.Finalized)}
}

// levelsAt is like ReadView, with a shorter timeout, for a provider that the caller has not checked.
func levelsAt(ctx context.Context, node *rpc.Node, p *rpc.Provider, cursor uint64) (rpc.View, error) {
	ctx, cancel := context.WithTimeout(ctx, rpc.OtherTimeout)
	defer cancel()
	if err := node.Check(ctx, p); err != nil {
		return rpc.View{}, err
	}
	return p.ReadView(ctx, cursor)
}
