package store

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Advance commits what the watcher read after from, in one transaction with
// everything that follows from it. It returns market.ErrNotLeader when the
// cursor is no longer at from or another epoch has begun; then nothing was
// written. A step without blocks moves only what is safe and finalized.
func (s *Store) Advance(ctx context.Context, from market.Cursor, step market.Step) error {
	if err := checkStep(from, step); err != nil {
		return err
	}
	to := market.Cursor{
		Block: from.Block, Epoch: from.Epoch,
		Safe: max(from.Safe, step.Safe), Finalized: max(from.Finalized, step.Finalized),
	}
	if n := len(step.Blocks); n > 0 {
		to.Block = step.Blocks[n-1]
	}
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		if err := s.moveHead(ctx, tx, from, to); err != nil {
			return err
		}
		if err := s.insertBlocks(ctx, tx, step.Blocks); err != nil {
			return err
		}
		if err := s.insertLogs(ctx, tx, step.Logs); err != nil {
			return err
		}
		f := s.newFold(tx, to, from.Block.Number+1)
		for _, log := range step.Logs {
			f.add(log)
		}
		return f.run(ctx)
	})
}

// checkStep refuses a step that does not continue the cursor's chain.
func checkStep(from market.Cursor, step market.Step) error {
	previous, blocks := from.Block, make(map[uint64]market.Block, len(step.Blocks))
	for i, block := range step.Blocks {
		first := i == 0 && previous.Hash == (market.Block{}).Hash
		switch {
		case !first && block.Number <= previous.Number:
			return fmt.Errorf("advance to block %d: it does not come after block %d", block.Number, previous.Number)
		case !first && block.Number == previous.Number+1 && block.Parent != previous.Hash:
			return fmt.Errorf("advance to block %d: its parent is %s, not %s", block.Number, block.Parent, previous.Hash)
		}
		blocks[block.Number], previous = block, block
	}
	for i, log := range step.Logs {
		if blocks[log.Block.Number].Hash != log.Block.Hash {
			return fmt.Errorf("advance to block %d: log %d is of block %s, which is not in the step", previous.Number, log.Index, log.Block.Hash)
		}
		if i > 0 && !step.Logs[i-1].Before(log) {
			return fmt.Errorf("advance to block %d: log %d of block %d is out of order", previous.Number, log.Index, log.Block.Number)
		}
	}
	return nil
}

// Rewind follows a reorganisation down to the block that the old and the new
// chain share; its zero Hash means none. Logs above it stay, not canonical, and
// everything that followed from them is undone. It returns
// market.ErrNotLeader like Advance, and market.ErrFinalityViolated when a
// finalized block would be dropped.
func (s *Store) Rewind(ctx context.Context, from market.Cursor, to market.Block) error {
	if to.Number < min(from.Finalized, from.Block.Number) {
		return fmt.Errorf("rewind from block %d to %d: %w (%d)", from.Block.Number, to.Number, market.ErrFinalityViolated, from.Finalized)
	}
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		back := market.Cursor{Block: to, Safe: min(from.Safe, to.Number), Finalized: from.Finalized, Epoch: from.Epoch}
		if err := s.moveHead(ctx, tx, from, back); err != nil {
			return err
		}
		if err := s.revertActivities(ctx, tx, to.Number); err != nil {
			return err
		}
		return s.undo(ctx, tx, back)
	})
}

// Reset forgets every block from the number on, finalized or not, so that the
// watcher reads them again; a watcher that runs meanwhile is fenced off. It is
// the operator's answer to market.ErrFinalityViolated and to doubts. The logs
// stay, not canonical, and the activity feeds keep their items.
func (s *Store) Reset(ctx context.Context, number uint64) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		from, err := s.seizeHead(ctx, tx)
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
		if err := s.reopenActivities(ctx, tx, block.Number); err != nil {
			return err
		}
		return s.undo(ctx, tx, to)
	})
}

// blockBelow returns the last canonical block before the number, or where
// following begins.
func (s *Store) blockBelow(ctx context.Context, tx *sqlx.Tx, number uint64) (market.Block, error) {
	block, err := s.canonicalBlock(ctx, tx, max(number, 1)-1)
	if number == 0 || market.KindOf(err) == market.KindNotFound {
		return market.Block{Number: s.deployment.StartBlock - 1}, nil
	}
	return block, err
}

// seizeHead takes the cursor from whoever leads and begins a new epoch. The
// operator who does it waits for as long as the rest of the transaction takes.
func (s *Store) seizeHead(ctx context.Context, tx *sqlx.Tx) (market.Cursor, error) {
	if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		return market.Cursor{}, pg.Translate(err, "lift the statement timeout")
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
	return head.cursor(), pg.Translate(err, "take the chain's cursor")
}

// undo drops the blocks above the cursor and folds again what they touched.
func (s *Store) undo(ctx context.Context, tx *sqlx.Tx, to market.Cursor) error {
	orphans, err := s.orphan(ctx, tx, to.Block.Number)
	if err != nil {
		return err
	}
	f := s.newFold(tx, to, to.Block.Number+1)
	for _, log := range orphans {
		f.touch(log)
	}
	return f.run(ctx)
}

// moveHead is the compare-and-swap that makes every commit the only one of its
// kind: it holds the cursor's row until the transaction ends.
func (s *Store) moveHead(ctx context.Context, tx *sqlx.Tx, from, to market.Cursor) error {
	if from.Block.Hash == (market.Block{}).Hash {
		if err := s.ensureHead(ctx, tx); err != nil {
			return err
		}
	}
	n, err := s.db.Exec(ctx, tx, `
		UPDATE chain_head
		SET number = $5, hash = $6, parent = $7, time = $8, safe = $9, finalized = $10
		WHERE chain_id = $1 AND number = $2 AND hash IS NOT DISTINCT FROM $3 AND epoch = $4`,
		s.deployment.ChainID, pg.BigInt(from.Block.Number), pg.NullHash{Hash: from.Block.Hash}, from.Epoch,
		pg.BigInt(to.Block.Number), pg.NullHash{Hash: to.Block.Hash}, parentOf(to.Block), pg.NullTime{Time: to.Block.Time},
		pg.BigInt(to.Safe), pg.BigInt(to.Finalized))
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("move the cursor to block %d", to.Block.Number))
	}
	if n == 0 {
		return fmt.Errorf("move the cursor from block %d to %d: %w", from.Block.Number, to.Block.Number, market.ErrNotLeader)
	}
	return nil
}

// parentOf returns the parent's hash, which is all zeros for the first block of
// a chain and NULL only where there is no block.
func parentOf(b market.Block) any {
	if b.Hash == (market.Block{}).Hash {
		return nil
	}
	return b.Parent
}
