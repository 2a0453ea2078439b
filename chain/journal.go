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
	// CanonicalBlockFrom returns the lowest block followed with at least this
	// number; market.KindNotFound when there is none.
	CanonicalBlockFrom(ctx context.Context, number uint64) (market.Block, error)
	// LastIDs returns the highest ids that the deployment's contracts gave out
	// in the blocks followed up to the number.
	LastIDs(ctx context.Context, atOrBelow uint64) (market.LastIDs, error)
	// Advance adds a step. A step without blocks raises the levels only.
	Advance(ctx context.Context, from market.Cursor, step market.Step) error
	// Rewind drops the blocks above to, which has no hash when every block
	// goes. It answers market.ErrFinalityViolated below the finalized block.
	Rewind(ctx context.Context, from market.Cursor, to market.Block) error
	// Rereads returns followed blocks whose logs are in doubt, lowest first.
	Rereads(ctx context.Context, limit int) ([]uint64, error)
	// Repair makes the logs of one followed block those that its receipts prove
	// and returns how many came or went. It compares the cursor like Advance.
	Repair(ctx context.Context, from market.Cursor, block market.Block, logs []market.Log) (changed int, err error)
}
