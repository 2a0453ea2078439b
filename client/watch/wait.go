package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
)

const (
	firstPause    = 250 * time.Millisecond
	announcements = 16 // buffer size for announced blocks that are not handled yet
	longestPause  = 30 * time.Second
)

// attach connects to the node and, if the node announces blocks, subscribes to them. It subscribes
// before the first pass, so that no block is missed in between. If the node rejects the
// subscription, it is polled instead, and silent is the node's error.
func (w *watcher) attach(ctx context.Context) (silent, failed error) {
	if w.deployment == nil {
		n, deployment, err := w.connect(ctx)
		if err != nil {
			return nil, err
		}
		w.node, w.deployment, w.contracts = n, &deployment, chain.NewContracts(deployment)
	}
	if !w.node.Push || w.subscription != nil {
		return nil, nil
	}
	w.heads = make(chan *types.Header, announcements)
	ctx, cancel := context.WithTimeout(ctx, w.node.Options.CallTimeout)
	defer cancel()
	subscription, err := w.node.SubscribeNewHead(ctx, w.heads)
	if err != nil {
		return fmt.Errorf("subscribe to new blocks: %w", node.WithoutURL(err)), nil
	}
	w.subscription = subscription
	return nil, nil
}

// unsubscribe does not wait for the node's response, because it may never arrive.
func (w *watcher) unsubscribe() {
	if w.subscription != nil {
		go w.subscription.Unsubscribe()
		w.subscription = nil
	}
}

// wait returns when the next step is due: at once if the pass is unfinished, after an increasing
// delay if steps have failed, otherwise when a block is announced or the interval has passed.
func (w *watcher) wait(ctx context.Context, failures int) {
	pause := w.options.Interval
	switch {
	case failures > 0:
		pause = min(pause, longestPause, firstPause<<min(failures-1, 10))
	case w.reading:
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	var lost <-chan error
	if w.subscription != nil {
		lost = w.subscription.Err()
	}
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-w.heads:
		w.drain()
	case <-lost: //nolint:errcheck // the reason does not matter
		w.subscription = nil // makes the next pass subscribe again
	}
}

// drain discards further announcements that arrived together, because one pass covers them all.
func (w *watcher) drain() {
	for {
		select {
		case <-w.heads:
		default:
			return
		}
	}
}
