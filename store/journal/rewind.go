package journal

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// Rewind moves back to the last common block of the old and the new chain after a reorganisation.
// If there is no common block, to.Hash is zero. Rewind
//
//  1. moves the cursor back to the common block,
//  2. marks the pending activities above it as reverted and notifies their receivers,
//  3. marks the blocks and logs above it as not canonical, and
//  4. folds the records of these logs again, without them.
//
// Example: the cursor is at block 107 and the new chain branches off at 104. Rewind to 104 drops
// the blocks 105 to 107. If a task was accepted in 106, its record becomes funded again. The next
// Advance adds the new blocks 105, 106 and so on.
//
// It returns market.ErrNotLeader like Advance, and market.ErrFinalityViolated when a finalized
// block would be dropped.
func (s *Store) Rewind(ctx context.Context, from market.Cursor, to market.Block) error {
	if to.Number < min(from.Finalized, from.Block.Number) {
		return fmt.Errorf("rewind from block %d to %d: %w (%d)", from.Block.Number, to.Number, market.ErrFinalityViolated, from.Finalized)
	}
	return s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		back := market.Cursor{Block: to, Safe: min(from.Safe, to.Number), Finalized: from.Finalized, Epoch: from.Epoch}
		if err := s.moveHead(ctx, tx, from, back); err != nil {
			return err
		}
		f := fold.New(s.db, s.deployment, tx, back, to.Number+1)
		if err := f.RevertActivities(ctx); err != nil {
			return err
		}
		return s.orphanBlocksAbove(ctx, tx, to.Number, f)
	})
}

// orphanBlocksAbove marks the blocks above the number as not canonical and folds the affected
// records again, without these blocks.
func (s *Store) orphanBlocksAbove(ctx context.Context, tx *sqlx.Tx, above uint64, f *fold.Fold) error {
	dropped, err := s.orphanBlocks(ctx, tx, above)
	if err != nil {
		return err
	}
	for _, log := range dropped {
		f.Touch(log)
	}
	return f.Run(ctx)
}

// orphanBlocks marks the blocks above the number and their logs as not canonical and returns these
// logs. Logs from contracts outside the deployment stay canonical. The watcher would not read them
// again, and payments by a former distributor must still be counted.
func (s *Store) orphanBlocks(ctx context.Context, tx *sqlx.Tx, above uint64) ([]market.Log, error) {
	var blocks pq.ByteaArray
	err := s.db.Select(ctx, tx, (*[][]byte)(&blocks), `
		UPDATE chain_blocks SET canonical = false
		WHERE chain_id = $1 AND number > $2 AND canonical
		RETURNING hash`,
		s.deployment.ChainID, pg.BigInt(above))
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("drop the blocks above %d", above))
	}
	var rows []onchain.LogRow
	err = s.db.Select(ctx, tx, &rows, `
		UPDATE chain_logs l SET canonical = false
		WHERE chain_id = $1 AND block_hash = ANY ($2) AND canonical AND address = ANY ($3)
		RETURNING `+onchain.LogColumns,
		s.deployment.ChainID, blocks, pg.AddressArray(s.deployment.Contracts()))
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("drop the logs above %d", above))
	}
	return onchain.LogsOf(s.deployment.ChainID, rows)
}
