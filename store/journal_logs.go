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
	"taskmarket/store/internal/pg"
)

// insertBlocks writes blocks down as canonical, also ones that an earlier
// reorganisation had dropped.
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

// logColumns are the members of a log as arrays, one per column: a step of a
// backfill holds thousands of logs, and one statement takes them all.
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
			return c, fmt.Errorf("write log %d of block %s: %w", l.Index, l.Block.Hash, err)
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

// byteaArray spells a bytea[]: unnest would flatten an array of arrays, so the
// topics travel as texts.
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

// insertLogs writes logs down as canonical, also ones that an earlier
// reorganisation had dropped.
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

// orphan marks the blocks above the number and the logs in them as dropped and
// returns those logs. Logs of contracts that are followed no more stay: nobody
// would read them again, and what a former distributor paid must not be
// forgotten.
func (s *Store) orphan(ctx context.Context, tx *sqlx.Tx, above uint64) ([]market.Log, error) {
	var blocks pq.ByteaArray
	err := s.db.Select(ctx, tx, (*[][]byte)(&blocks), `
		UPDATE chain_blocks SET canonical = false
		WHERE chain_id = $1 AND number > $2 AND canonical
		RETURNING hash`,
		s.deployment.ChainID, pg.BigInt(above))
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("drop the blocks above %d", above))
	}
	var rows []logRow
	err = s.db.Select(ctx, tx, &rows, `
		UPDATE chain_logs l SET canonical = false
		WHERE chain_id = $1 AND block_hash = ANY ($2) AND canonical AND address = ANY ($3)
		RETURNING `+logMembers,
		s.deployment.ChainID, blocks, addressArray(s.deployment.Contracts()))
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("drop the logs above %d", above))
	}
	return s.logsOf(rows)
}

// logMembers are the columns of chain_logs l that folds and feeds need.
const logMembers = `l.address, l.block_number, l.block_hash, l.block_time, l.log_index, l.tx_hash, l.event`

type logRow struct {
	Address     common.Address `db:"address"`
	BlockNumber uint64         `db:"block_number"`
	BlockHash   common.Hash    `db:"block_hash"`
	BlockTime   pg.NullTime    `db:"block_time"`
	Index       uint           `db:"log_index"`
	TxHash      common.Hash    `db:"tx_hash"`
	Event       []byte         `db:"event"`
}

func (r logRow) log(chainID uint64) (market.Log, error) {
	log := market.Log{
		ChainID: chainID, Address: r.Address, Index: r.Index, TxHash: r.TxHash,
		Block: market.Block{Number: r.BlockNumber, Hash: r.BlockHash, Time: r.BlockTime.Time},
	}
	if err := json.Unmarshal(r.Event, &log.Event); err != nil {
		return log, fmt.Errorf("read log %d of block %s: %w", r.Index, r.BlockHash, err)
	}
	return log, nil
}

func (s *Store) logsOf(rows []logRow) ([]market.Log, error) {
	logs := make([]market.Log, len(rows))
	for i, row := range rows {
		var err error
		if logs[i], err = row.log(s.deployment.ChainID); err != nil {
			return nil, err
		}
	}
	return logs, nil
}
