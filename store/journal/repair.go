package journal

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// RequestReread makes the watcher read a block again with its receipts. Repeated requests have no
// further effect. A block below the deployment's first block is ignored: it is never followed, and
// only a false receipt or log from a node can name it.
func (s *Store) RequestReread(ctx context.Context, number uint64, reason market.RereadReason) error {
	if number < s.deployment.StartBlock {
		return nil
	}
	return s.db.Write(ctx, fmt.Sprintf("request that block %d is read again", number), `
		INSERT INTO chain_rereads (chain_id, number, reason)
		VALUES ($1, $2, $3)
		ON CONFLICT (chain_id, number) DO NOTHING`,
		s.deployment.ChainID, pg.BigInt(number), string(reason))
}

// Rereads returns at most limit blocks that must be read again: the lowest above after, then the lowest of
// the others, so that blocks that cannot be read do not keep the others from being read. It deletes requests
// below the deployment's first block, which earlier versions stored.
func (s *Store) Rereads(ctx context.Context, after uint64, limit int) ([]uint64, error) {
	var numbers []uint64
	err := s.db.Select(ctx, nil, &numbers, `
		WITH dropped AS (DELETE FROM chain_rereads WHERE chain_id = $1 AND number < $2)
		SELECT number FROM chain_rereads WHERE chain_id = $1 AND number >= $2 ORDER BY number <= $3, number LIMIT $4`,
		s.deployment.ChainID, pg.BigInt(s.deployment.StartBlock), pg.BigInt(after), limit)
	return numbers, pg.Translate(err, "select the blocks to read again")
}

// CanonicalBlockFrom returns the lowest canonical block at or above the given number, or
// KindNotFound.
func (s *Store) CanonicalBlockFrom(ctx context.Context, number uint64) (market.Block, error) {
	var row headRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT number, hash, parent, time
		FROM chain_blocks
		WHERE chain_id = $1 AND number >= $2 AND canonical
		ORDER BY number
		LIMIT 1`,
		s.deployment.ChainID, pg.BigInt(number))
	return row.cursor().Block, pg.Translate(err, fmt.Sprintf("select the canonical block at or above %d", number))
}

// Repair replaces the logs of a followed block with the logs in the block's receipts, folds the
// affected records again, and deletes the request to read the block. It returns the number of logs
// that were added or removed. Like Advance, it can return market.ErrNotLeader.
func (s *Store) Repair(ctx context.Context, from market.Cursor, block market.Block, logs []market.Log) (changed int, err error) {
	if block.Number > from.Block.Number {
		return 0, fmt.Errorf("repair block %d: the cursor is at block %d", block.Number, from.Block.Number)
	}
	err = s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		if err := s.moveHead(ctx, tx, from, from); err != nil {
			return err
		}
		_, err := s.db.Exec(ctx, tx, `DELETE FROM chain_rereads WHERE chain_id = $1 AND number = $2`, s.deployment.ChainID, pg.BigInt(block.Number))
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("end the request to read block %d again", block.Number))
		}
		followed, err := s.blockLogs(ctx, tx, block)
		if err != nil || slices.EqualFunc(followed, logs, sameLog) {
			return err
		}
		changed = differences(followed, logs)
		return s.replaceLogs(ctx, tx, from, block, followed, logs)
	})
	return changed, err
}

// blockLogs returns a block's canonical logs from the deployment's contracts, with topics and data.
func (s *Store) blockLogs(ctx context.Context, tx *sqlx.Tx, block market.Block) ([]market.Log, error) {
	var rows []struct {
		onchain.LogRow
		Topics pq.ByteaArray `db:"topics"`
		Data   []byte        `db:"data"`
	}
	err := s.db.Select(ctx, tx, &rows, `
		SELECT `+onchain.LogColumns+`, l.topics, l.data
		FROM chain_logs l
		WHERE l.chain_id = $1 AND l.block_hash = $2 AND l.canonical AND l.address = ANY ($3)
		ORDER BY l.log_index`,
		s.deployment.ChainID, block.Hash, pg.AddressArray(s.deployment.Contracts()))
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("select the logs of block %d", block.Number))
	}
	logs := make([]market.Log, len(rows))
	for i, row := range rows {
		if logs[i], err = row.Log(s.deployment.ChainID); err != nil {
			return nil, err
		}
		logs[i].Data, logs[i].Topics = row.Data, pg.Hashes(row.Topics)
	}
	return logs, nil
}

func sameLog(a, b market.Log) bool {
	return a.Index == b.Index && a.Address == b.Address && a.TxHash == b.TxHash &&
		slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
}

// differences counts the logs that are in only one of the lists.
func differences(a, b []market.Log) int {
	n := 0
	for _, pair := range [][2][]market.Log{{a, b}, {b, a}} {
		for _, log := range pair[0] {
			if !slices.ContainsFunc(pair[1], func(other market.Log) bool { return sameLog(log, other) }) {
				n++
			}
		}
	}
	return n
}

// replaceLogs replaces a block's logs and folds the records that the old and the new logs refer to.
// It deletes the old rows, because a log that is not in the receipts was never on the chain.
func (s *Store) replaceLogs(ctx context.Context, tx *sqlx.Tx, head market.Cursor, block market.Block, old, logs []market.Log) error {
	_, err := s.db.Exec(ctx, tx, `
		DELETE FROM chain_logs WHERE chain_id = $1 AND block_hash = $2 AND address = ANY ($3)`,
		s.deployment.ChainID, block.Hash, pg.AddressArray(s.deployment.Contracts()))
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("delete the logs of block %d", block.Number))
	}
	_, err = s.db.Exec(ctx, tx, `
		UPDATE activities SET status = 'reverted' WHERE chain_id = $1 AND block_number = $2 AND block_hash = $3`,
		s.deployment.ChainID, pg.BigInt(block.Number), block.Hash)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("revert the activities of block %d", block.Number))
	}
	if err := s.insertBlocks(ctx, tx, []market.Block{block}); err != nil {
		return err
	}
	if err := s.insertLogs(ctx, tx, logs); err != nil {
		return err
	}
	f := fold.New(s.db, s.deployment, tx, head, block.Number)
	for _, log := range slices.Concat(old, logs) {
		f.Touch(log) // not f.Add, which requires that no later logs of the same records are committed
	}
	return f.Run(ctx)
}
