package journal

import (
	"context"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/pg"
)

// Reset drops every block from the given number on, even finalized ones, so that the watcher reads
// them again. It fences off a running watcher. An operator uses it after market.ErrFinalityViolated
// or if the data may be wrong. The logs remain in the database as not canonical, and the activity
// feeds keep their items.
func (s *Store) Reset(ctx context.Context, number uint64) error {
	return s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		from, err := s.takeOverHead(ctx, tx)
		if err != nil {
			return err
		}
		block, err := s.blockBelow(ctx, tx, number)
		if err != nil {
			return err
		}
		to := market.Cursor{
			Block: block, Epoch: from.Epoch,
			Safe: min(from.Safe, block.Number), Finalized: min(from.Finalized, block.Number),
		}
		if err := s.moveHead(ctx, tx, from, to); err != nil {
			return err
		}
		f := fold.New(s.db, s.deployment, tx, to, block.Number+1)
		if err := f.ReopenActivities(ctx); err != nil {
			return err
		}
		return s.orphanBlocksAbove(ctx, tx, block.Number, f)
	})
}

// blockBelow returns the last canonical block before the number. If there is none, it returns the
// block before the deployment's first block.
func (s *Store) blockBelow(ctx context.Context, tx *sqlx.Tx, number uint64) (market.Block, error) {
	block, err := s.canonicalBlock(ctx, tx, max(number, 1)-1)
	if number == 0 || market.KindOf(err) == market.KindNotFound {
		return market.Block{Number: s.deployment.StartBlock - 1}, nil
	}
	return block, err
}

// takeOverHead takes the cursor from the current leader and starts a new epoch. It disables the
// statement timeout, because the transaction can be long.
func (s *Store) takeOverHead(ctx context.Context, tx *sqlx.Tx) (market.Cursor, error) {
	if err := s.db.Extend(ctx, tx, 0); err != nil {
		return market.Cursor{}, pg.Translate(err, "disable the statement timeout")
	}
	if err := s.ensureHead(ctx, tx); err != nil {
		return market.Cursor{}, err
	}
	var head headRow
	err := s.db.Get(ctx, tx, &head, `
		UPDATE chain_head
		SET epoch = epoch + 1, holder = '', lease_until = NULL
		WHERE chain_id = $1
		RETURNING `+headColumns, s.deployment.ChainID)
	return head.cursor(), pg.Translate(err, "take over the chain's cursor")
}
