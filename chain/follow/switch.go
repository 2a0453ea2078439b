package follow

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// provider returns the provider for the next step. After a fault, this is another provider that has
// the cursor's block, if there is one. If no step has made progress for Doubt, it is also one on another
// branch, because the provider in use may have forged the cursor's block.
func (w *Watcher) provider(ctx context.Context, cursor market.Cursor) (*rpc.Provider, error) {
	p := w.node.CurrentProvider(ctx, cursor.Block.Hash, w.faulty)
	if p == w.faulty && time.Since(w.faultyAt) > w.options.Doubt {
		if other := w.onOtherBranch(ctx, p, cursor); other != nil {
			w.node.SetCurrent(other)
			p = other
		}
	}
	if err := w.node.Check(ctx, p); err != nil {
		w.fail(p, err)
		return nil, err
	}
	return p, nil
}

// fail records the provider's fault and makes the next step use another provider. The circuit breaker is
// not enough: the rest after a first failure is shorter than the pause before the next step, and a
// successful call of another part of the server closes it.
func (w *Watcher) fail(p *rpc.Provider, err error) {
	p.Fault(err)
	if w.faulty != p {
		w.faulty, w.faultyAt = p, time.Now()
	}
}

// onOtherBranch returns a provider other than p whose chain does not contain all followed blocks up to its
// head, or nil if there is none. A provider that only lags is not on another branch.
func (w *Watcher) onOtherBranch(ctx context.Context, p *rpc.Provider, cursor market.Cursor) *rpc.Provider {
	for _, other := range w.node.FromCurrent() {
		if other == p || other.Resting(time.Now()) {
			continue
		}
		reorged := false
		v, err := levelsAt(ctx, w.node, other, cursor.Block.Number)
		if err == nil {
			_, reorged, err = w.commonBlock(ctx, other, min(cursor.Block.Number, v.Latest))
		}
		if _, faulty := errors.AsType[*rpc.ProviderError](err); faulty {
			other.Fault(err)
		}
		if err == nil && reorged {
			return other
		}
	}
	return nil
}

// undecodedError is ErrUnknownEvent for a log of a block.
type undecodedError struct {
	block market.Block
	err   error
}

func (e *undecodedError) Error() string { return e.err.Error() }

func (e *undecodedError) Unwrap() error { return e.err }

// checkUnknown returns the error of a step, except for an unknown event in a block that none of the other
// providers has: the provider may have forged this block, so it returns an error of the provider, and the
// next step uses another one. If there is no other provider, each unknown event stops the watcher.
//
// Example: the providers A and B are configured, and A returns block 101 with an unknown event. If B has
// the same block 101, the watcher stops. If B has another block 101, has none yet or does not respond,
// the next step uses B, provided that it has block 100.
func (w *Watcher) checkUnknown(ctx context.Context, p *rpc.Provider, err error) error {
	unknown, ok := errors.AsType[*undecodedError](err)
	if !ok || len(w.node.FromCurrent()) == 1 || w.node.AnyOtherFollows(ctx, p, unknown.block) {
		return err
	}
	return p.Contradictionf("no other provider has block %d with an unknown event (%s)", unknown.block.Number, unknown.Error())
}

// checkBehind returns an error of the provider if its newest block is old, and that of another provider with
// the cursor's block is newer by more than StalledAfter. checkStalled does not detect such a provider,
// because its head rises. While the newest block is old, the others are asked once per StallTimeout.
func (w *Watcher) checkBehind(ctx context.Context, p *rpc.Provider, cursor market.Cursor, v rpc.View) error {
	now := time.Now()
	if now.Sub(v.At) <= rpc.StalledAfter || now.Sub(w.behindAt) <= w.options.StallTimeout {
		return nil
	}
	w.behindAt = now
	for _, other := range w.node.FromCurrent() {
		if other == p || other.Resting(now) {
			continue
		}
		theirs, err := levelsAt(ctx, w.node, other, cursor.Block.Number)
		if err != nil {
			other.Fault(err)
			continue
		}
		started := cursor.Block.Hash != common.Hash{}
		if started && (theirs.Cursor == nil || theirs.Cursor.Hash() != cursor.Block.Hash) {
			continue
		}
		if age := theirs.At.Sub(v.At); age > rpc.StalledAfter {
			return p.Errorf("its latest block %d is %s older than block %d of provider %s", v.Latest, age, theirs.Latest, other.Host())
		}
	}
	return nil
}
