package chain

import (
	"context"
	"time"

	"taskmarket/market"
)

// provider returns the provider for the next step. After a fault, this is another provider that has
// the cursor's block, if there is one.
func (w *Watcher) provider(ctx context.Context, cursor market.Cursor) (*provider, error) {
	p := w.node.currentProvider(ctx, cursor.Block.Hash, w.faulty)
	if err := p.check(ctx, w.node.identity); err != nil {
		w.fail(p)
		return nil, err
	}
	return p, nil
}

// fail opens the provider's circuit breaker and makes the next step use another provider. The circuit
// breaker is not enough: the rest after a first failure is shorter than the pause before the next step,
// and a successful call of another part of the server closes it.
func (w *Watcher) fail(p *provider) {
	p.failed(time.Now())
	w.faulty = p
}
