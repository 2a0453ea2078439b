package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
)

// resubscribe is the pause after a lost subscription.
const resubscribe = 5 * time.Second

// HeadsOptions are the time limits of a subscription to new blocks. The zero value selects the
// defaults.
type HeadsOptions struct {
	Timeout time.Duration // limit for connecting and for subscribing; 10 s if zero
	Silence time.Duration // time without a block after which to reconnect; 1 min if zero
}

func (o HeadsOptions) complete() HeadsOptions {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Silence <= 0 {
		o.Silence = time.Minute
	}
	return o
}

// errSilence is the reason for replacing a subscription that announced no blocks.
var errSilence = errors.New("no block was announced")

// WatchHeads calls wake when the node at a websocket URL announces a new block, and when a
// subscription starts, because earlier blocks were not announced. It reconnects if the node does
// not respond or sends nothing for too long. It runs until ctx ends and then returns nil. The
// watcher also polls, so following the chain does not depend on subscriptions.
func WatchHeads(ctx context.Context, url string, wake func(), o HeadsOptions, log *slog.Logger) error {
	for o = o.complete(); ; {
		err := watchHeads(ctx, url, wake, o)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // errors after cancellation are expected
		}
		log.WarnContext(ctx, "not subscribed to new blocks; will reconnect, and polling continues meanwhile", slog.Any("err", withoutURL(err)))
		_ = sleep(ctx, resubscribe) // ends early with ctx, which the next iteration checks
		if ctx.Err() != nil {
			return nil //nolint:nilerr // errors after cancellation are expected
		}
	}
}

func watchHeads(ctx context.Context, url string, wake func(), o HeadsOptions) error {
	client, err := within(ctx, o.Timeout, func(ctx context.Context) (*ethclient.Client, error) { return DialClient(ctx, url) })
	if err != nil {
		return fmt.Errorf("connect to the websocket: %w", withoutURL(err))
	}
	// Close also ends the subscription. Unsubscribe would wait for the peer's answer.
	defer client.Close()
	heads := make(chan *types.Header, 16)
	subscription, err := within(ctx, o.Timeout, func(ctx context.Context) (ethereum.Subscription, error) {
		return client.SubscribeNewHead(ctx, heads)
	})
	if err != nil {
		return fmt.Errorf("subscribe to new blocks: %w", err)
	}
	silence := time.NewTimer(o.Silence)
	defer silence.Stop()
	wake()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-subscription.Err():
			return fmt.Errorf("receive new blocks: %w", err)
		case <-silence.C:
			return fmt.Errorf("%w in %s", errSilence, o.Silence)
		case <-heads:
			silence.Reset(o.Silence)
			wake()
		}
	}
}
