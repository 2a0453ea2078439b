package onchain

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// VerdictColumns select a VerdictRow from verdicts, with the alias v.
const VerdictColumns = `
	v.id, v.task_id, v.round, v.validator, v.human_id, v.approved, v.reason, v.work_hash, v.signature, v.created_at`

// VerdictRow is a row of verdicts.
type VerdictRow struct {
	ID        uuid.UUID      `db:"id"`
	TaskID    uuid.UUID      `db:"task_id"`
	Round     uint8          `db:"round"`
	Validator common.Address `db:"validator"`
	HumanID   uuid.UUID      `db:"human_id"`
	Approved  bool           `db:"approved"`
	Reason    string         `db:"reason"`
	WorkHash  common.Hash    `db:"work_hash"`
	Signature []byte         `db:"signature"`
	CreatedAt pg.NullTime    `db:"created_at"`
}

// Verdict converts the row.
func (r VerdictRow) Verdict() market.Verdict {
	return market.Verdict{
		ID: r.ID, TaskID: r.TaskID, Round: r.Round, Validator: r.Validator, HumanID: r.HumanID, Approved: r.Approved,
		Reason: r.Reason, WorkHash: r.WorkHash, Signature: r.Signature, CreatedAt: r.CreatedAt.Time,
	}
}
