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
	announcements = 16 // blocks that may be announced while a look is under way
	longestPause  = 30 * time.Second
)

// attach makes sure that there are contracts to watch, a node to ask and, where
// the node announces blocks, a subscription. It subscribes before the first
// look, so that no block falls between the two. A node that does not announce
// blocks after all is asked at intervals, and silent says why.
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
		return fmt.Errorf("ask the node to announce blocks: %w", node.WithoutURL(err)), nil
	}
	w.subscription = subscription
	return nil, nil
}

// unsubscribe does not wait for the node's answer, which may never come.
func (w *watcher) unsubscribe() {
	if w.subscription != nil {
		go w.subscription.Unsubscribe()
		w.subscription = nil
	}
}

// wait returns when another look is worth while: at once while a wide range is
// being read, after a failure a growing pause, otherwise with the next block
// that the node announces or at the end of the interval.
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
	case <-lost: //nolint:errcheck // why it was lost changes nothing
		w.subscription = nil // the next look subscribes again
	}
}

// drain takes the announcements that came in a burst: one look serves them all.
func (w *watcher) drain() {
	for {
		select {
		case <-w.heads:
		default:
			return
		}
	}
}
