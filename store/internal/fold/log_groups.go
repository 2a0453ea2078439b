package fold

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// logGroups contains the logs in one step, grouped by on-chain id. During a backfill, most ids are
// created within the step, so their logs need not be read from the database.
type logGroups struct {
	contract common.Address
	opening  market.EventKind // kind of the first event of every id
	column   string           // name of the column in chain_logs that contains the id
	id       func(market.Log) uint64
	logs     map[uint64][]market.Log
	opened   map[common.Hash]int // number of ids created by each transaction, keyed by transaction hash
	ordinals map[uint64]int      // position of each id within its transaction
}

func newLogGroups(contract common.Address, opening market.EventKind, column string, id func(market.Log) uint64) *logGroups {
	return &logGroups{
		contract: contract, opening: opening, column: column, id: id,
		logs: make(map[uint64][]market.Log), opened: make(map[common.Hash]int), ordinals: make(map[uint64]int),
	}
}

// add adds a log. Logs must be added in chain order.
func (l *logGroups) add(log market.Log) {
	id := l.id(log)
	l.logs[id] = append(l.logs[id], log)
	if log.Event.Kind == l.opening {
		l.ordinals[id] = l.opened[log.TxHash]
		l.opened[log.TxHash]++
	}
}

// complete reports whether the step contains every canonical log for the id. This is the case if
// the step contains the first one. Logs are added in chain order, so earlier steps cannot contain
// later logs for the id.
func (l *logGroups) complete(id uint64) bool {
	logs := l.logs[id]
	return len(logs) > 0 && logs[0].Event.Kind == l.opening
}

// split separates the complete ids from those whose logs must be read from the database. Complete ids
// have no rows from earlier steps.
func (l *logGroups) split(ids pq.Int64Array) (whole, read pq.Int64Array) {
	for _, id := range ids {
		if l.complete(pg.Counter(id)) {
			whole = append(whole, id)
		} else {
			read = append(read, id)
		}
	}
	return whole, read
}

// logsByID returns all canonical logs for the ids, grouped by id. The logs for an id are in chain
// order.
func (f *Fold) logsByID(ctx context.Context, l *logGroups, ids pq.Int64Array) ([]market.Log, error) {
	whole, read := l.split(ids)
	var logs []market.Log
	if len(read) > 0 {
		var err error
		logs, err = f.logs(ctx, "select the logs to fold", `
			SELECT `+onchain.LogColumns+`
			FROM chain_logs l
			WHERE l.chain_id = $1 AND l.address = $2 AND l.`+l.column+` = ANY ($3) AND l.canonical
			ORDER BY l.`+l.column+`, l.block_number, l.log_index`,
			f.deployment.ChainID, l.contract, read)
		if err != nil {
			return nil, err
		}
	}
	for _, id := range whole {
		logs = append(logs, l.logs[pg.Counter(id)]...)
	}
	return logs, nil
}

// ordinalsOf returns, for each id, its position among the ids that its transaction created. All
// logs of a transaction are in one step, so add has already counted the ids that were created in
// this step.
func (f *Fold) ordinalsOf(ctx context.Context, l *logGroups, logs []market.Log) (map[uint64]int, error) {
	var blocks pq.ByteaArray
	for _, log := range logs {
		if log.Event.Kind == l.opening && !l.complete(l.id(log)) {
			blocks = append(blocks, log.Block.Hash[:])
		}
	}
	if len(blocks) == 0 {
		return l.ordinals, nil
	}
	var rows []struct {
		ID      uint64 `db:"id"`
		Ordinal int    `db:"ordinal"`
	}
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT `+l.column+` AS id, row_number() OVER (PARTITION BY tx_hash ORDER BY log_index) - 1 AS ordinal
		FROM chain_logs
		WHERE chain_id = $1 AND block_hash = ANY ($2) AND canonical AND address = $3 AND kind = $4`,
		f.deployment.ChainID, blocks, l.contract, string(l.opening))
	if err != nil {
		return nil, pg.Translate(err, "number the logs of transactions")
	}
	for _, row := range rows {
		l.ordinals[row.ID] = row.Ordinal
	}
	return l.ordinals, nil
}
