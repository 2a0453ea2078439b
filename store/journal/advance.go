package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
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
	return s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		if err := s.moveHead(ctx, tx, from, to); err != nil {
			return err
		}
		if err := s.insertBlocks(ctx, tx, step.Blocks); err != nil {
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

// insertBlocks stores blocks as canonical, including blocks that an earlier reorganisation had
// dropped.
func (s *Store) insertBlocks(ctx context.Context, tx *sqlx.Tx, blocks []market.Block) error {
	if len(blocks) == 0 {
		return nil
	}
	var hashes, parents pq.ByteaArray
	var numbers pq.Int64Array
	var times []time.Time
	for _, b := range blocks {
		hashes, parents = append(hashes, b.Hash[:]), append(parents, b.Parent[:])
		numbers, times = append(numbers, pg.BigInt(b.Number)), append(times, b.Time.UTC())
	}
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO chain_blocks (chain_id, hash, number, parent, time)
		SELECT $1, b.hash, b.number, b.parent, b.time
		FROM unnest($2::bytea[], $3::bigint[], $4::bytea[], $5::timestamptz[]) AS b (hash, number, parent, time)
		ON CONFLICT (chain_id, hash) DO UPDATE SET canonical = true`,
		s.deployment.ChainID, hashes, numbers, parents, pq.Array(times))
	return pg.Translate(err, fmt.Sprintf("insert blocks %d to %d", blocks[0].Number, blocks[len(blocks)-1].Number))
}

// insertLogs stores logs as canonical, including logs that an earlier reorganisation had dropped.
// One statement inserts all logs, with one array per column. An array's text costs more than the values'
// conversion, so what the logs of a block or a contract have in common is passed once, and what the event
// contains is taken from it.
//
// It does not use COPY: while PostgreSQL waits for the data of a COPY, no time limit of the session applies,
// so a suspended process would keep the cursor locked.
func (s *Store) insertLogs(ctx context.Context, tx *sqlx.Tx, logs []market.Log) error {
	if len(logs) == 0 {
		return nil
	}
	var hashes, contracts pq.ByteaArray
	var numbers pq.Int64Array
	var times []time.Time
	var block, contract, index, txIndex pq.Int64Array // the first two are positions in the arrays above, from 1
	var txHash, data pq.ByteaArray
	var topics [4]pq.ByteaArray // an empty value is a topic that the log does not have
	events := make([]market.Event, len(logs))
	for i := range logs {
		l := &logs[i]
		if i == 0 || l.Block.Hash != logs[i-1].Block.Hash {
			hashes, numbers, times = append(hashes, l.Block.Hash[:]), append(numbers, pg.BigInt(l.Block.Number)), append(times, l.Block.Time.UTC())
		}
		at := slices.IndexFunc(contracts, func(address []byte) bool { return bytes.Equal(address, l.Address[:]) })
		if at < 0 {
			at, contracts = len(contracts), append(contracts, l.Address[:])
		}
		block, contract = append(block, int64(len(hashes))), append(contract, int64(at+1))
		index, txIndex = append(index, pg.BigInt(l.Index)), append(txIndex, pg.BigInt(l.TxIndex))
		txHash, data = append(txHash, l.TxHash[:]), append(data, l.Data)
		for n := range topics {
			var topic []byte
			if n < len(l.Topics) {
				topic = l.Topics[n][:]
			}
			topics[n] = append(topics[n], topic)
		}
		events[i] = l.Event
	}
	encoded, err := json.Marshal(events)
	if err != nil {
		return fmt.Errorf("encode the events of %d logs: %w", len(logs), err)
	}
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO chain_logs (chain_id, block_hash, log_index, block_number, block_time, tx_hash, tx_index,
		                        address, topics, data, kind, task_id, application_id, event)
		SELECT $1, ($2::bytea[])[l.block], l.log_index, ($3::bigint[])[l.block], ($4::timestamptz[])[l.block], l.tx_hash, l.tx_index,
		       ($5::bytea[])[l.contract], array_remove(ARRAY[l.topic0, l.topic1, l.topic2, l.topic3], ''), l.data,
		       l.event->>'kind', (l.event->>'task_id')::bigint, (l.event->>'application_id')::bigint, l.event
		FROM ROWS FROM (
			unnest($6::int[], $7::int[], $8::int[], $9::int[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[]),
			jsonb_array_elements($16::jsonb)
		) AS l (block, contract, log_index, tx_index, tx_hash, topic0, topic1, topic2, topic3, data, event)
		ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE SET canonical = true`,
		s.deployment.ChainID, hashes, numbers, pq.Array(times), contracts,
		block, contract, index, txIndex, txHash, topics[0], topics[1], topics[2], topics[3], data, string(encoded))
	return pg.Translate(err, fmt.Sprintf("insert %d logs", len(logs)))
}
