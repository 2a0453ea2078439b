package chain

import (
	"context"
	"time"

	"taskmarket/market"
)

// Journal is where a watcher writes what it follows. Every method is one
// transaction; Advance and Rewind compare the cursor with from before they move
// it, and answer market.ErrNotLeader when it is not there any more.
type Journal interface {
	// Lead acquires or renews the right to follow. It answers
	// market.ErrNotLeader while another holder's lease runs. The epoch rises
	// whenever the holder changes.
	Lead(ctx context.Context, holder string, life time.Duration) (market.Lease, error)
	// Release gives up the lease, if it is still held.
	Release(ctx context.Context, lease market.Lease) error
	// Cursor returns how far the chain was followed.
	Cursor(ctx context.Context) (market.Cursor, error)
	// CanonicalBlock returns the highest block followed with at most this
	// number; market.KindNotFound when there is none.
	CanonicalBlock(ctx context.Context, atOrBelow uint64) (market.Block, error)
	// LastIDs returns the highest ids followed of the deployment's contracts.
	LastIDs(ctx context.Context) (market.LastIDs, error)
	// Advance adds a step. A step without blocks raises the levels only.
	Advance(ctx context.Context, from market.Cursor, step market.Step) error
	// Rewind drops the blocks above to, which has no hash when every block
	// goes. It answers market.ErrFinalityViolated below the finalized block.
	Rewind(ctx context.Context, from market.Cursor, to market.Block) error
}
