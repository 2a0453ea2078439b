package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
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

// logColumns contains one array per column, so that one statement can insert thousands of logs
// during a backfill.
type logColumns struct {
	blockHash, txHash, address, data         pq.ByteaArray
	index, blockNumber, txIndex, task, stake pq.Int64Array
	topics, kind, event                      pq.StringArray
	blockTime                                []time.Time
}

func columnsOf(logs []market.Log) (logColumns, error) {
	var c logColumns
	for _, l := range logs {
		event, err := json.Marshal(l.Event)
		if err != nil {
			return c, fmt.Errorf("encode log %d of block %s: %w", l.Index, l.Block.Hash, err)
		}
		c.blockHash, c.txHash = append(c.blockHash, l.Block.Hash[:]), append(c.txHash, l.TxHash[:])
		c.address, c.data = append(c.address, l.Address[:]), append(c.data, append([]byte{}, l.Data...))
		c.index, c.txIndex = append(c.index, pg.BigInt(l.Index)), append(c.txIndex, pg.BigInt(l.TxIndex))
		c.blockNumber, c.blockTime = append(c.blockNumber, pg.BigInt(l.Block.Number)), append(c.blockTime, l.Block.Time.UTC())
		c.task, c.stake = append(c.task, pg.BigInt(l.Event.TaskID)), append(c.stake, pg.BigInt(l.Event.ApplicationID))
		c.topics, c.kind = append(c.topics, byteaArray(l.Topics)), append(c.kind, string(l.Event.Kind))
		c.event = append(c.event, string(event))
	}
	return c, nil
}

// byteaArray formats a bytea[] as text, because unnest would flatten an array of arrays.
func byteaArray(topics []common.Hash) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, topic := range topics {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"\\x`)
		b.WriteString(hex.EncodeToString(topic[:]))
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// insertLogs stores logs as canonical, including logs that an earlier reorganisation had dropped.
// It does not use COPY: while PostgreSQL waits for the data of a COPY, no time limit of the session applies,
// so a suspended process would keep the cursor locked.
func (s *Store) insertLogs(ctx context.Context, tx *sqlx.Tx, logs []market.Log) error {
	if len(logs) == 0 {
		return nil
	}
	c, err := columnsOf(logs)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO chain_logs (chain_id, block_hash, log_index, block_number, block_time, tx_hash, tx_index,
		                        address, topics, data, kind, task_id, application_id, event)
		SELECT $1, l.block_hash, l.log_index, l.block_number, l.block_time, l.tx_hash, l.tx_index,
		       l.address, l.topics::bytea[], l.data, l.kind, nullif(l.task_id, 0), nullif(l.application_id, 0), l.event::jsonb
		FROM unnest($2::bytea[], $3::int[], $4::bigint[], $5::timestamptz[], $6::bytea[], $7::int[],
		            $8::bytea[], $9::text[], $10::bytea[], $11::text[], $12::bigint[], $13::bigint[], $14::text[])
		     AS l (block_hash, log_index, block_number, block_time, tx_hash, tx_index,
		           address, topics, data, kind, task_id, application_id, event)
		ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE SET canonical = true`,
		s.deployment.ChainID, c.blockHash, c.index, c.blockNumber, pq.Array(c.blockTime), c.txHash, c.txIndex,
		c.address, c.topics, c.data, c.kind, c.task, c.stake, c.event)
	return pg.Translate(err, fmt.Sprintf("insert %d logs", len(logs)))
}
