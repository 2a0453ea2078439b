package chain

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// provider returns the provider for the next step. After a fault, this is another provider that has
// the cursor's block, if there is one. If no step has made progress for Doubt, it is also one on another
// branch, because the provider in use may have forged the cursor's block.
func (w *Watcher) provider(ctx context.Context, cursor market.Cursor) (*provider, error) {
	p := w.node.currentProvider(ctx, cursor.Block.Hash, w.faulty)
	if p == w.faulty && time.Since(w.faultyAt) > w.options.Doubt {
		if other := w.onOtherBranch(ctx, p, cursor); other != nil {
			w.node.setCurrent(other)
			p = other
		}
	}
	if err := p.check(ctx, w.node.identity); err != nil {
		w.fail(p, err)
		return nil, err
	}
	return p, nil
}

// fail records the provider's fault and makes the next step use another provider. The circuit breaker is
// not enough: the rest after a first failure is shorter than the pause before the next step, and a
// successful call of another part of the server closes it.
func (w *Watcher) fail(p *provider, err error) {
	p.fault(err)
	if w.faulty != p {
		w.faulty, w.faultyAt = p, time.Now()
	}
}

// onOtherBranch returns a provider other than p whose chain does not contain all followed blocks up to its
// head, or nil if there is none. A provider that only lags is not on another branch.
func (w *Watcher) onOtherBranch(ctx context.Context, p *provider, cursor market.Cursor) *provider {
	for _, other := range w.node.fromCurrent() {
		if other == p || other.resting(time.Now()) {
			continue
		}
		reorged := false
		v, err := other.levelsAt(ctx, w.node.identity, cursor.Block.Number)
		if err == nil {
			_, reorged, err = w.commonBlock(ctx, other, min(cursor.Block.Number, v.latest))
		}
		if _, faulty := errors.AsType[*ProviderError](err); faulty {
			other.fault(err)
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
func (w *Watcher) checkUnknown(ctx context.Context, p *provider, err error) error {
	unknown, ok := errors.AsType[*undecodedError](err)
	if !ok || len(w.node.fromCurrent()) == 1 || w.node.anyOtherFollows(ctx, p, unknown.block) {
		return err
	}
	return p.contradictionf("no other provider has block %d with an unknown event (%s)", unknown.block.Number, unknown.Error())
}

// checkBehind returns an error of the provider if its newest block is old, and that of another provider with
// the cursor's block is newer by more than stalledAfter. checkStalled does not detect such a provider,
// because its head rises. While the newest block is old, the others are asked once per StallTimeout.
func (w *Watcher) checkBehind(ctx context.Context, p *provider, cursor market.Cursor, v view) error {
	now := time.Now()
	if now.Sub(v.at) <= stalledAfter || now.Sub(w.behindAt) <= w.options.StallTimeout {
		return nil
	}
	w.behindAt = now
	for _, other := range w.node.fromCurrent() {
		if other == p || other.resting(now) {
			continue
		}
		theirs, err := other.levelsAt(ctx, w.node.identity, cursor.Block.Number)
		if err != nil {
			other.fault(err)
			continue
		}
		begun := cursor.Block.Hash != common.Hash{}
		if begun && (theirs.cursor == nil || theirs.cursor.Hash() != cursor.Block.Hash) {
			continue
		}
		if age := theirs.at.Sub(v.at); age > stalledAfter {
			return p.errorf("its latest block %d is %s older than block %d of provider %s", v.latest, age, theirs.latest, other.host)
		}
	}
	return nil
}
