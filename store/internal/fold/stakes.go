package fold

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// foldStakes rebuilds the rows in onchain_applications for the touched ids.
func (f *Fold) foldStakes(ctx context.Context) error {
	if len(f.stakes) == 0 {
		return nil
	}
	ids := idArray(f.stakes)
	logs, err := f.logsByID(ctx, f.stakeLogs, ids)
	if err != nil {
		return err
	}
	stakes, err := foldEach(logs, f.stakeLogs.id, market.FoldStake)
	if err != nil {
		return fmt.Errorf("fold stakes: %w", err)
	}
	ordinals, err := f.ordinalsOf(ctx, f.stakeLogs, logs)
	if err != nil {
		return err
	}
	for _, stake := range stakes {
		stake.Locked.Ordinal = ordinals[stake.ID]
	}
	_, former := f.stakeLogs.split(ids)
	return f.saveStakes(ctx, former, stakes)
}

const onchainApplicationColumns = `chain_id, escrow, id, task_id, human, agent, amount, expires_at, status, accepted,
	rejected, withdrawn, locked_at, ended_at, locked_tx, locked_ordinal, locked_block, locked_index`

// onchainApplication is a row to insert into onchain_applications.
type onchainApplication struct {
	ChainID       uint64             `json:"chain_id"`
	Escrow        jsonBytes          `json:"escrow"`
	ID            uint64             `json:"id"`
	TaskID        uint64             `json:"task_id"`
	Human         jsonBytes          `json:"human"`
	Agent         jsonBytes          `json:"agent"`
	Amount        *big.Int           `json:"amount"`
	ExpiresAt     time.Time          `json:"expires_at"`
	Status        market.StakeStatus `json:"status"`
	Accepted      bool               `json:"accepted"`
	Rejected      bool               `json:"rejected"`
	Withdrawn     bool               `json:"withdrawn"`
	LockedAt      time.Time          `json:"locked_at"`
	EndedAt       *time.Time         `json:"ended_at"`
	LockedTx      jsonBytes          `json:"locked_tx"`
	LockedOrdinal int                `json:"locked_ordinal"`
	LockedBlock   uint64             `json:"locked_block"`
	LockedIndex   uint               `json:"locked_index"`
}

// saveStakes replaces the rows that have the former ids with rows for the stakes. Stakes with other ids
// have no rows yet.
func (f *Fold) saveStakes(ctx context.Context, former pq.Int64Array, stakes []*market.Stake) error {
	d := f.deployment
	if len(former) > 0 {
		_, err := f.db.Exec(ctx, f.tx, `
			DELETE FROM onchain_applications
			WHERE chain_id = $1 AND escrow = $2 AND id = ANY ($3)`,
			d.ChainID, d.Escrow, former)
		if err != nil {
			return pg.Translate(err, "delete the stakes to fold")
		}
	}
	rows := make([]onchainApplication, len(stakes))
	for i, s := range stakes {
		rows[i] = onchainApplication{
			ChainID: s.ChainID, Escrow: d.Escrow[:], ID: s.ID, TaskID: s.TaskID, Human: s.Human[:], Agent: s.Agent[:],
			Amount: s.Amount, ExpiresAt: s.ExpiresAt.UTC(), Status: s.Status, Accepted: s.Accepted, Rejected: s.Rejected,
			Withdrawn: s.Withdrawn, LockedAt: s.LockedAt.UTC(), EndedAt: jsonTime(s.EndedAt), LockedTx: s.Locked.TxHash[:],
			LockedOrdinal: s.Locked.Ordinal, LockedBlock: s.Locked.Block, LockedIndex: s.Locked.Index,
		}
	}
	err := f.insertJSON(ctx, "insert folded stakes", `
		INSERT INTO onchain_applications (`+onchainApplicationColumns+`)
		SELECT `+onchainApplicationColumns+`
		FROM json_populate_recordset(NULL::onchain_applications, $1)`, rows)
	if err != nil {
		return err
	}
	return f.analyze(ctx, "onchain_applications", "chain_id, escrow, id", len(rows))
}
