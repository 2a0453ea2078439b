package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/pg"
)

// Advance commits the blocks and logs that the watcher read after from, together with all rows
// derived from them, in one transaction. It returns market.ErrNotLeader and writes nothing if the
// cursor is no longer at from or the epoch has changed. A step without blocks only updates the
// numbers of the safe and the finalized block, and confirms the activities in finalized blocks.
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
		stored, err := s.insertBlocks(ctx, tx, step.Blocks)
		if err != nil {
			return err
		}
		if err := s.deleteLogs(ctx, tx, stored); err != nil { // the step contains all of them
			return err
		}
		if err := s.insertLogs(ctx, tx, step.Logs); err != nil {
			return err
		}
		f := fold.New(s.db, s.deployment, tx, to, from.Block.Number+1)
		for _, log := range step.Logs {
			f.Add(log)
		}
		return f.Run(ctx)
	})
}

// checkStep rejects a step that does not continue the chain at the cursor.
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
			return fmt.Errorf("advance to block %d: log %d belongs to block %s, which is not in the step", previous.Number, log.Index, log.Block.Hash)
		}
		if i > 0 && !step.Logs[i-1].Before(log) {
			return fmt.Errorf("advance to block %d: log %d of block %d is out of order", previous.Number, log.Index, log.Block.Number)
		}
	}
	return nil
}

// moveHead moves the cursor only if it is still at from, so that commits are serialized. It locks
// the cursor's row until the transaction ends.
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

// parentOf returns the parent's hash, or NULL if b is the position before the first followed block.
// A zero parent hash does not become NULL, because it is the parent hash of a chain's first block.
func parentOf(b market.Block) any {
	if b.Hash == (market.Block{}).Hash {
		return nil
	}
	return b.Parent
}

// insertBlocks stores blocks as canonical, and returns the hashes of those that were stored before and
// that an earlier reorganisation had dropped.
func (s *Store) insertBlocks(ctx context.Context, tx *sqlx.Tx, blocks []market.Block) (stored pq.ByteaArray, err error) {
	if len(blocks) == 0 {
		return nil, nil
	}
	var hashes, parents pq.ByteaArray
	var numbers pq.Int64Array
	var times []time.Time
	for _, b := range blocks {
		hashes, parents = append(hashes, b.Hash[:]), append(parents, b.Parent[:])
		numbers, times = append(numbers, pg.BigInt(b.Number)), append(times, b.Time.UTC())
	}
	err = s.db.Select(ctx, tx, (*[][]byte)(&stored), `
		WITH inserted AS (
			INSERT INTO chain_blocks (chain_id, hash, number, parent, time)
			SELECT $1, b.hash, b.number, b.parent, b.time
			FROM unnest($2::bytea[], $3::bigint[], $4::bytea[], $5::timestamptz[]) AS b (hash, number, parent, time)
			ON CONFLICT (chain_id, hash) DO UPDATE SET canonical = true
		)
		SELECT hash FROM chain_blocks WHERE chain_id = $1 AND hash = ANY ($2)`, // the rows before the insertion
		s.deployment.ChainID, hashes, numbers, parents, pq.Array(times))
	return stored, pg.Translate(err, fmt.Sprintf("insert blocks %d to %d", blocks[0].Number, blocks[len(blocks)-1].Number))
}

// deleteLogs deletes the logs of blocks from the deployment's contracts.
func (s *Store) deleteLogs(ctx context.Context, tx *sqlx.Tx, blocks pq.ByteaArray) error {
	if len(blocks) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, tx, `
		DELETE FROM chain_logs WHERE chain_id = $1 AND block_hash = ANY ($2) AND address = ANY ($3)`,
		s.deployment.ChainID, blocks, pg.AddressArray(s.deployment.Contracts()))
	return pg.Translate(err, fmt.Sprintf("delete the logs of %d blocks", len(blocks)))
}

const logColumns = `chain_logs (chain_id, block_hash, log_index, block_number, block_time, tx_hash, tx_index,
	address, topics, data, kind, task_id, application_id, event)`

// logValues returns the values of logColumns.
func (s *Store) logValues(l market.Log) ([]any, error) {
	event, err := json.Marshal(l.Event)
	if err != nil {
		return nil, fmt.Errorf("encode log %d of block %s: %w", l.Index, l.Block.Hash, err)
	}
	topics := make(pq.ByteaArray, len(l.Topics))
	for i := range l.Topics {
		topics[i] = l.Topics[i][:]
	}
	return []any{
		s.deployment.ChainID, l.Block.Hash[:], l.Index, l.Block.Number, l.Block.Time.UTC(), l.TxHash[:], l.TxIndex,
		l.Address[:], topics, append([]byte{}, l.Data...), string(l.Event.Kind),
		pg.NullUint(l.Event.TaskID), pg.NullUint(l.Event.ApplicationID), string(event),
	}, nil
}

// insertLogs stores logs as canonical. Their blocks must have no logs from the deployment's contracts.
func (s *Store) insertLogs(ctx context.Context, tx *sqlx.Tx, logs []market.Log) error {
	err := s.db.Copy(ctx, tx, logColumns, len(logs), func(i int) ([]any, error) { return s.logValues(logs[i]) })
	return pg.Translate(err, fmt.Sprintf("insert %d logs", len(logs)))
}
