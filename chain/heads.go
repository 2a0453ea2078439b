package chain

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
)

// resubscribe is the pause after a lost subscription.
const resubscribe = 5 * time.Second

// WatchHeads calls wake whenever the node at a websocket URL has a new block,
// until ctx ends, and then returns nil. Nothing depends on it: whoever is woken
// asks for himself, and asks without being woken too.
func WatchHeads(ctx context.Context, url string, wake func(), log *slog.Logger) error {
	for {
		err := watchHeads(ctx, url, wake)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it ended because it was told to
		}
		log.WarnContext(ctx, "lost the subscription to new blocks; polling goes on", slog.Any("err", withoutURL(err)))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(resubscribe):
		}
	}
}

func watchHeads(ctx context.Context, url string, wake func()) error {
	client, err := DialClient(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to subscribe: %w", withoutURL(err))
	}
	defer client.Close()
	heads := make(chan *types.Header, 16)
	subscription, err := client.SubscribeNewHead(ctx, heads)
	if err != nil {
		return fmt.Errorf("subscribe to new blocks: %w", err)
	}
	defer subscription.Unsubscribe()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-subscription.Err():
			return fmt.Errorf("receive new blocks: %w", err)
		case <-heads:
			wake()
		}
	}
}
