package onchain

import (
	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// TaskColumns select a TaskRow from onchain_tasks, with the alias e.
const TaskColumns = `
		e.chain_id AS "e.chain_id", e.escrow AS "e.escrow", e.id AS "e.id", e.status AS "e.status",
		e.agent AS "e.agent", e.human AS "e.human", e.amount AS "e.amount",
		e.fee_basis_points AS "e.fee_basis_points", e.terms_hash AS "e.terms_hash", e.work_hash AS "e.work_hash",
		e.application_id AS "e.application_id", e.panel AS "e.panel", e.agent_approved AS "e.agent_approved",
		e.disputed_by AS "e.disputed_by", e.cancelled_by AS "e.cancelled_by", e.posted_at AS "e.posted_at", e.accepted_at AS "e.accepted_at",
		e.submitted_at AS "e.submitted_at", e.disputed_at AS "e.disputed_at", e.approved_at AS "e.approved_at",
		e.last_activity_at AS "e.last_activity_at", e.ended_at AS "e.ended_at", e.verdict AS "e.verdict",
		e.paid AS "e.paid", e.fee AS "e.fee", e.refund AS "e.refund", e.posted_tx AS "e.posted_tx",
		e.posted_ordinal AS "e.posted_ordinal", e.posted_block AS "e.posted_block", e.posted_index AS "e.posted_index",
		e.accept_tx AS "e.accept_tx", e.submit_tx AS "e.submit_tx", e.end_tx AS "e.end_tx"`

// TaskRow is a row of onchain_tasks from an outer join. All columns are NULL if there is no match.
type TaskRow struct {
	ChainID        pg.NullUint    `db:"chain_id"`
	Escrow         pg.NullAddress `db:"escrow"`
	ID             pg.NullUint    `db:"id"`
	Status         *uint8         `db:"status"`
	Agent          pg.NullAddress `db:"agent"`
	Human          pg.NullAddress `db:"human"`
	Amount         pg.Wei         `db:"amount"`
	FeeBasisPoints *uint16        `db:"fee_basis_points"`
	TermsHash      pg.NullHash    `db:"terms_hash"`
	WorkHash       pg.NullHash    `db:"work_hash"`
	ApplicationID  pg.NullUint    `db:"application_id"`
	Panel          pg.NullUint    `db:"panel"`
	AgentApproved  *bool          `db:"agent_approved"`
	DisputedBy     pg.NullAddress `db:"disputed_by"`
	CancelledBy    pg.NullAddress `db:"cancelled_by"`
	PostedAt       pg.NullTime    `db:"posted_at"`
	AcceptedAt     pg.NullTime    `db:"accepted_at"`
	SubmittedAt    pg.NullTime    `db:"submitted_at"`
	DisputedAt     pg.NullTime    `db:"disputed_at"`
	ApprovedAt     pg.NullTime    `db:"approved_at"`
	LastActivityAt pg.NullTime    `db:"last_activity_at"`
	EndedAt        pg.NullTime    `db:"ended_at"`
	Verdict        *bool          `db:"verdict"`
	Paid           pg.Wei         `db:"paid"`
	Fee            pg.Wei         `db:"fee"`
	Refund         pg.Wei         `db:"refund"`
	PostedTx       pg.NullHash    `db:"posted_tx"`
	PostedOrdinal  pg.NullInt     `db:"posted_ordinal"`
	PostedBlock    pg.NullUint    `db:"posted_block"`
	PostedIndex    *uint          `db:"posted_index"`
	AcceptTx       pg.NullHash    `db:"accept_tx"`
	SubmitTx       pg.NullHash    `db:"submit_tx"`
	EndTx          pg.NullHash    `db:"end_tx"`
}

// EscrowTask converts the row to a record, or returns nil if the outer join found no row.
func (r TaskRow) EscrowTask() *market.EscrowTask {
	if r.ID == 0 {
		return nil
	}
	return &market.EscrowTask{
		ChainID: uint64(r.ChainID), Escrow: r.Escrow.Address, ID: uint64(r.ID),
		Status: market.ChainStatus(pg.OrZero(r.Status)), Agent: r.Agent.Address, Human: r.Human.Address,
		Amount: r.Amount.Int, FeeBasisPoints: pg.OrZero(r.FeeBasisPoints),
		TermsHash: r.TermsHash.Hash, WorkHash: r.WorkHash.Hash,
		ApplicationID: uint64(r.ApplicationID), Panel: uint64(r.Panel),
		AgentApproved: pg.OrZero(r.AgentApproved), DisputedBy: r.DisputedBy.Address, CancelledBy: r.CancelledBy.Address,
		PostedAt: r.PostedAt.Time, AcceptedAt: r.AcceptedAt.Time, SubmittedAt: r.SubmittedAt.Time,
		DisputedAt: r.DisputedAt.Time, ApprovedAt: r.ApprovedAt.Time,
		LastActivityAt: r.LastActivityAt.Time, EndedAt: r.EndedAt.Time,
		Verdict: r.Verdict, Paid: r.Paid.Int, Fee: r.Fee.Int, Refund: r.Refund.Int,
		Posted:   r.posting(),
		AcceptTx: r.AcceptTx.Hash, SubmitTx: r.SubmitTx.Hash, EndTx: r.EndTx.Hash,
	}
}

func (r TaskRow) posting() market.Posting {
	return market.Posting{
		TxHash: r.PostedTx.Hash, Ordinal: int(r.PostedOrdinal), Block: uint64(r.PostedBlock), Index: pg.OrZero(r.PostedIndex),
	}
}
