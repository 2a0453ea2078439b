package store

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

const (
	// taskColumns is a task with its people, its escrow record (e) and the
	// submission that the chain names (s). What few tasks have is asked for row by
	// row: a join would be planned as if all had it.
	taskColumns = `
		t.id, t.agent_id, au.username AS agent_username, au.wallet AS agent_wallet,
		au.verified_at IS NOT NULL AS agent_verified, t.title, t.description, t.skills, t.location, t.remote,
		t.amount, t.fee_basis_points, t.deadline, t.terms_hash, t.chain_id, t.escrow AS escrow_address,
		t.status, t.human_id, 
		(SELECT hu.username FROM users hu WHERE hu.id = t.human_id) AS human_username, t.created_at, t.updated_at,
		(SELECT count(*) FROM applications a WHERE a.task_id = t.id) AS applications,
		CASE WHEN t.changed_block <= h.finalized THEN 'final'
		     WHEN t.changed_block <= h.safe THEN 'safe'
		     ELSE 'seen' END AS finality,` + escrowColumns + `,
		s.id AS "s.id", s.human_id AS "s.human_id", s.note AS "s.note", s.proof_url AS "s.proof_url",
		s.work_hash AS "s.work_hash", s.created_at AS "s.created_at",
		CASE WHEN s.id IS NOT NULL THEN (
			SELECT array_agg(f.file_id ORDER BY f.file_id) FROM submission_files f WHERE f.submission_id = s.id
		) END AS "s.file_ids"`

	escrowColumns = `
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

	taskFrom = `tasks t` + taskJoins

	taskJoins = `
		JOIN users au ON au.id = t.agent_id
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		LEFT JOIN submissions s ON s.task_id = t.id AND s.work_hash = e.work_hash
		LEFT JOIN chain_head h ON h.chain_id = t.chain_id`
)

type taskRow struct {
	ID             uuid.UUID       `db:"id"`
	AgentID        uuid.UUID       `db:"agent_id"`
	AgentUsername  string          `db:"agent_username"`
	AgentWallet    common.Address  `db:"agent_wallet"`
	AgentVerified  bool            `db:"agent_verified"`
	Title          string          `db:"title"`
	Description    string          `db:"description"`
	Skills         pq.StringArray  `db:"skills"`
	Location       *string         `db:"location"`
	Remote         bool            `db:"remote"`
	Amount         pg.Wei          `db:"amount"`
	FeeBasisPoints uint16          `db:"fee_basis_points"`
	Deadline       pg.NullTime     `db:"deadline"`
	TermsHash      common.Hash     `db:"terms_hash"`
	ChainID        uint64          `db:"chain_id"`
	EscrowAddress  common.Address  `db:"escrow_address"`
	Status         market.Status   `db:"status"`
	HumanID        *uuid.UUID      `db:"human_id"`
	HumanUsername  *string         `db:"human_username"`
	CreatedAt      pg.NullTime     `db:"created_at"`
	UpdatedAt      pg.NullTime     `db:"updated_at"`
	Applications   int             `db:"applications"`
	Finality       market.Finality `db:"finality"`
	Escrow         taskEscrowRow   `db:"e"`
	Submission     submissionRow   `db:"s"`
}

func (r taskRow) task() market.Task {
	return market.Task{
		ID: r.ID, AgentID: r.AgentID, AgentUsername: r.AgentUsername, AgentWallet: r.AgentWallet,
		AgentVerified: r.AgentVerified, Title: r.Title, Description: r.Description, Skills: r.Skills,
		Location: pg.Text(r.Location), Remote: r.Remote, Amount: r.Amount.Int, FeeBasisPoints: r.FeeBasisPoints,
		Deadline: r.Deadline.Pointer(), TermsHash: r.TermsHash, ChainID: r.ChainID, EscrowAddress: r.EscrowAddress,
		Status: r.Status, Escrow: r.Escrow.escrowTask(), HumanID: r.HumanID, HumanUsername: pg.Text(r.HumanUsername),
		Applications: r.Applications, Submission: r.Submission.submission(r.ID), Finality: r.Finality,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// taskEscrowRow is the outer-joined row of onchain_tasks: all NULL for none.
type taskEscrowRow struct {
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

func (r taskEscrowRow) escrowTask() *market.EscrowTask {
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

func (r taskEscrowRow) posting() market.Posting {
	return market.Posting{
		TxHash: r.PostedTx.Hash, Ordinal: int(r.PostedOrdinal), Block: uint64(r.PostedBlock), Index: pg.OrZero(r.PostedIndex),
	}
}

type submissionRow struct {
	ID        *uuid.UUID   `db:"id"`
	HumanID   *uuid.UUID   `db:"human_id"`
	Note      *string      `db:"note"`
	ProofURL  *string      `db:"proof_url"`
	WorkHash  pg.NullHash  `db:"work_hash"`
	CreatedAt pg.NullTime  `db:"created_at"`
	FileIDs   pg.UUIDArray `db:"file_ids"`
}

// submission returns nil for the all-NULL row of an outer join.
func (r submissionRow) submission(taskID uuid.UUID) *market.Submission {
	if r.ID == nil {
		return nil
	}
	return &market.Submission{
		ID: *r.ID, TaskID: taskID, HumanID: *r.HumanID, Note: pg.Text(r.Note), ProofURL: pg.Text(r.ProofURL),
		FileIDs: r.FileIDs, WorkHash: r.WorkHash.Hash, CreatedAt: r.CreatedAt.Time,
	}
}
