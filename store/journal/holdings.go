package journal

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Holdings is the money that the contracts must hold according to the followed logs up to Block.
type Holdings struct {
	Block  market.Block
	Tasks  []Holding // tasks that have not ended, by status
	Stakes []Holding // stakes that have not ended, by status
}

// Holding is the money in records of one status.
type Holding struct {
	Status string
	Count  int
	Amount *big.Int // wei
}

// Total returns the sum of the amounts in wei.
func Total(holdings []Holding) *big.Int {
	sum := new(big.Int)
	for _, h := range holdings {
		sum.Add(sum, h.Amount)
	}
	return sum
}

// Holdings returns the money that the contracts must hold at the last followed block. It reads
// only records that have not ended, by index.
func (s *Store) Holdings(ctx context.Context) (holdings Holdings, err error) {
	err = s.db.Snapshot(ctx, func(tx *sqlx.Tx) error {
		cursor, err := s.cursor(ctx, tx)
		if err != nil {
			return err
		}
		holdings.Block = cursor.Block
		if holdings.Tasks, err = s.holdings(ctx, tx, `
			SELECT status::text AS status, count(*) AS count, sum(amount) AS amount
			FROM onchain_tasks
			WHERE chain_id = $1 AND escrow = $2 AND status < 5
			GROUP BY status
			ORDER BY status`); err != nil {
			return err
		}
		for i := range holdings.Tasks {
			status, err := strconv.ParseUint(holdings.Tasks[i].Status, 10, 8)
			if err != nil {
				return fmt.Errorf("sum the money in the contracts: %w", err)
			}
			holdings.Tasks[i].Status = market.ChainStatus(status).String()
		}
		holdings.Stakes, err = s.holdings(ctx, tx, `
			SELECT status, count(*) AS count, sum(amount) AS amount
			FROM onchain_applications
			WHERE chain_id = $1 AND escrow = $2 AND status IN ('live', 'activated')
			GROUP BY status
			ORDER BY status`)
		return err
	})
	return holdings, err
}

func (s *Store) holdings(ctx context.Context, tx *sqlx.Tx, query string) ([]Holding, error) {
	var rows []struct {
		Status string `db:"status"`
		Count  int    `db:"count"`
		Amount pg.Wei `db:"amount"`
	}
	err := s.db.Select(ctx, tx, &rows, query, s.deployment.ChainID, s.deployment.Escrow)
	holdings := make([]Holding, len(rows))
	for i, row := range rows {
		holdings[i] = Holding{Status: row.Status, Count: row.Count, Amount: row.Amount.Int}
	}
	return holdings, pg.Translate(err, "sum the money in the contracts")
}
