// Package onchain contains the row types of the tables that are derived from the chain: chain_logs,
// onchain_tasks and onchain_applications.
package onchain

import (
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// LogColumns select a LogRow from chain_logs, with the alias l.
const LogColumns = `l.address, l.block_number, l.block_hash, l.block_time, l.log_index, l.tx_hash, l.event`

// LogRow is a row of chain_logs.
type LogRow struct {
	Address     common.Address `db:"address"`
	BlockNumber uint64         `db:"block_number"`
	BlockHash   common.Hash    `db:"block_hash"`
	BlockTime   pg.NullTime    `db:"block_time"`
	Index       uint           `db:"log_index"`
	TxHash      common.Hash    `db:"tx_hash"`
	Event       []byte         `db:"event"`
}

// Log converts the row to a log, without topics and data.
func (r LogRow) Log(chainID uint64) (market.Log, error) {
	log := market.Log{
		ChainID: chainID, Address: r.Address, Index: r.Index, TxHash: r.TxHash,
		Block: market.Block{Number: r.BlockNumber, Hash: r.BlockHash, Time: r.BlockTime.Time},
	}
	if err := json.Unmarshal(r.Event, &log.Event); err != nil {
		return log, fmt.Errorf("decode log %d of block %s: %w", r.Index, r.BlockHash, err)
	}
	return log, nil
}

// LogsOf converts the rows to logs.
func LogsOf(chainID uint64, rows []LogRow) ([]market.Log, error) {
	logs := make([]market.Log, len(rows))
	for i, row := range rows {
		var err error
		if logs[i], err = row.Log(chainID); err != nil {
			return nil, err
		}
	}
	return logs, nil
}
