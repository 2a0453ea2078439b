package client

import (
	"context"
	"iter"

	"taskmarket/client/internal/node"
	"taskmarket/client/watch"
	"taskmarket/market"
)

// Watch yields the contracts' events; see watch.Events.
func (c *Client) Watch(ctx context.Context, options watch.Options) iter.Seq2[watch.Event, error] {
	return watch.Events(ctx, func(ctx context.Context) (*node.Node, market.Deployment, error) {
		d, n, err := c.contracts(ctx)
		if err != nil {
			return nil, market.Deployment{}, err
		}
		return n, d.Deployment, nil
	}, options)
}

// FirstBlock returns the block in which the escrow was deployed, which is the first that can
// contain an event. If the node does not have the state of old blocks, it returns 1; a stream that
// starts there takes longer.
func (c *Client) FirstBlock(ctx context.Context) (uint64, error) {
	d, n, err := c.contracts(ctx)
	if err != nil {
		return 0, err
	}
	return watch.FirstBlock(ctx, n, d.Escrow)
}
