package follow

import (
	"context"
	"time"

	"taskmarket/market"
)

// Journal stores what a watcher follows. Every method is one transaction. Advance and Rewind
// compare the stored cursor with from before they change it. They return market.ErrNotLeader if the
// two differ.
type Journal interface {
	// Lead acquires or renews the lease. It returns market.ErrNotLeader while another holder has
	// the lease. The epoch rises whenever the holder changes.
	Lead(ctx context.Context, holder string, life time.Duration) (market.Lease, error)
	// Release ends the lease, if the caller still has it.
	Release(ctx context.Context, lease market.Lease) error
	// Cursor returns the last followed block and the levels.
	Cursor(ctx context.Context) (market.Cursor, error)
	// CanonicalBlock returns the highest followed block with at most this number;
	// market.KindNotFound if there is none.
	CanonicalBlock(ctx context.Context, atOrBelow uint64) (market.Block, error)
	// CanonicalBlockFrom returns the lowest followed block with at least this number;
	// market.KindNotFound if there is none.
	CanonicalBlockFrom(ctx context.Context, number uint64) (market.Block, error)
	// LastIDs returns the highest ids that the deployment's contracts assigned in the followed
	// blocks up to the number.
	LastIDs(ctx context.Context, atOrBelow uint64) (market.LastIDs, error)
	// Advance stores a step. A step without blocks only raises the levels.
	Advance(ctx context.Context, from market.Cursor, step market.Step) error
	// Rewind drops the blocks above to; to has no hash if all blocks are dropped. It returns
	// market.ErrFinalityViolated below the finalized block.
	Rewind(ctx context.Context, from market.Cursor, to market.Block) error
	// Rereads returns at most limit blocks whose logs are in doubt: the lowest above after, then the lowest
	// of the others. None is below the deployment's first block.
	Rereads(ctx context.Context, after uint64, limit int) ([]uint64, error)
	// Repair replaces the logs of one followed block with those that its receipts prove, and returns
	// how many logs were added or removed. It compares the cursor as Advance does.
	Repair(ctx context.Context, from market.Cursor, block market.Block, logs []market.Log) (changed int, err error)
}
