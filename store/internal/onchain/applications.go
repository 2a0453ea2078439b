package onchain

import (
	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ApplicationColumns select an ApplicationRow from onchain_applications, with the alias o.
const ApplicationColumns = `
		o.chain_id AS "o.chain_id", o.id AS "o.id", o.task_id AS "o.task_id", o.human AS "o.human",
		o.agent AS "o.agent", o.amount AS "o.amount", o.expires_at AS "o.expires_at", o.status AS "o.status",
		o.accepted AS "o.accepted", o.rejected AS "o.rejected", o.withdrawn AS "o.withdrawn",
		o.locked_at AS "o.locked_at", o.ended_at AS "o.ended_at", o.locked_tx AS "o.locked_tx",
		o.locked_ordinal AS "o.locked_ordinal", o.locked_block AS "o.locked_block", o.locked_index AS "o.locked_index"`

// ApplicationRow is a row of onchain_applications from an outer join. All columns are NULL if there
// is no match.
type ApplicationRow struct {
	ChainID       pg.NullUint    `db:"chain_id"`
	ID            pg.NullUint    `db:"id"`
	TaskID        pg.NullUint    `db:"task_id"`
	Human         pg.NullAddress `db:"human"`
	Agent         pg.NullAddress `db:"agent"`
	Amount        pg.Wei         `db:"amount"`
	ExpiresAt     pg.NullTime    `db:"expires_at"`
	Status        *string        `db:"status"`
	Accepted      *bool          `db:"accepted"`
	Rejected      *bool          `db:"rejected"`
	Withdrawn     *bool          `db:"withdrawn"`
	LockedAt      pg.NullTime    `db:"locked_at"`
	EndedAt       pg.NullTime    `db:"ended_at"`
	LockedTx      pg.NullHash    `db:"locked_tx"`
	LockedOrdinal pg.NullInt     `db:"locked_ordinal"`
	LockedBlock   pg.NullUint    `db:"locked_block"`
	LockedIndex   *uint          `db:"locked_index"`
}

// StakeOf returns the stake in the given staking contract, or nil if the outer join found no row.
func (r ApplicationRow) StakeOf(contract common.Address) *market.Stake {
	if r.ID == 0 {
		return nil
	}
	return &market.Stake{
		ChainID: uint64(r.ChainID), Contract: contract, ID: uint64(r.ID), TaskID: uint64(r.TaskID),
		Human: r.Human.Address, Agent: r.Agent.Address, Amount: r.Amount.Int, ExpiresAt: r.ExpiresAt.Time,
		Status:   market.StakeStatus(pg.Text(r.Status)),
		Accepted: pg.OrZero(r.Accepted), Rejected: pg.OrZero(r.Rejected), Withdrawn: pg.OrZero(r.Withdrawn),
		LockedAt: r.LockedAt.Time, EndedAt: r.EndedAt.Time,
		Locked: market.Posting{
			TxHash: r.LockedTx.Hash, Ordinal: int(r.LockedOrdinal), Block: uint64(r.LockedBlock), Index: pg.OrZero(r.LockedIndex),
		},
	}
}
