package store

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
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
	Amount         wei             `db:"amount"`
	FeeBasisPoints uint16          `db:"fee_basis_points"`
	Deadline       nullTime        `db:"deadline"`
	TermsHash      common.Hash     `db:"terms_hash"`
	ChainID        uint64          `db:"chain_id"`
	EscrowAddress  common.Address  `db:"escrow_address"`
	Status         market.Status   `db:"status"`
	HumanID        *uuid.UUID      `db:"human_id"`
	HumanUsername  *string         `db:"human_username"`
	CreatedAt      nullTime        `db:"created_at"`
	UpdatedAt      nullTime        `db:"updated_at"`
	Applications   int             `db:"applications"`
	Finality       market.Finality `db:"finality"`
	Escrow         taskEscrowRow   `db:"e"`
	Submission     submissionRow   `db:"s"`
}

func (r taskRow) task() market.Task {
	return market.Task{
		ID: r.ID, AgentID: r.AgentID, AgentUsername: r.AgentUsername, AgentWallet: r.AgentWallet,
		AgentVerified: r.AgentVerified, Title: r.Title, Description: r.Description, Skills: r.Skills,
		Location: text(r.Location), Remote: r.Remote, Amount: r.Amount.Int, FeeBasisPoints: r.FeeBasisPoints,
		Deadline: r.Deadline.pointer(), TermsHash: r.TermsHash, ChainID: r.ChainID, EscrowAddress: r.EscrowAddress,
		Status: r.Status, Escrow: r.Escrow.escrowTask(), HumanID: r.HumanID, HumanUsername: text(r.HumanUsername),
		Applications: r.Applications, Submission: r.Submission.submission(r.ID), Finality: r.Finality,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// taskEscrowRow is the outer-joined row of onchain_tasks: all NULL for none.
type taskEscrowRow struct {
	ChainID        nullUint    `db:"chain_id"`
	Escrow         nullAddress `db:"escrow"`
	ID             nullUint    `db:"id"`
	Status         *uint8      `db:"status"`
	Agent          nullAddress `db:"agent"`
	Human          nullAddress `db:"human"`
	Amount         wei         `db:"amount"`
	FeeBasisPoints *uint16     `db:"fee_basis_points"`
	TermsHash      nullHash    `db:"terms_hash"`
	WorkHash       nullHash    `db:"work_hash"`
	ApplicationID  nullUint    `db:"application_id"`
	Panel          nullUint    `db:"panel"`
	AgentApproved  *bool       `db:"agent_approved"`
	DisputedBy     nullAddress `db:"disputed_by"`
	CancelledBy    nullAddress `db:"cancelled_by"`
	PostedAt       nullTime    `db:"posted_at"`
	AcceptedAt     nullTime    `db:"accepted_at"`
	SubmittedAt    nullTime    `db:"submitted_at"`
	DisputedAt     nullTime    `db:"disputed_at"`
	ApprovedAt     nullTime    `db:"approved_at"`
	LastActivityAt nullTime    `db:"last_activity_at"`
	EndedAt        nullTime    `db:"ended_at"`
	Verdict        *bool       `db:"verdict"`
	Paid           wei         `db:"paid"`
	Fee            wei         `db:"fee"`
	Refund         wei         `db:"refund"`
	PostedTx       nullHash    `db:"posted_tx"`
	PostedOrdinal  nullInt     `db:"posted_ordinal"`
	PostedBlock    nullUint    `db:"posted_block"`
	PostedIndex    *uint       `db:"posted_index"`
	AcceptTx       nullHash    `db:"accept_tx"`
	SubmitTx       nullHash    `db:"submit_tx"`
	EndTx          nullHash    `db:"end_tx"`
}

func (r taskEscrowRow) escrowTask() *market.EscrowTask {
	if r.ID == 0 {
		return nil
	}
	return &market.EscrowTask{
		ChainID: uint64(r.ChainID), Escrow: r.Escrow.Address, ID: uint64(r.ID),
		Status: market.ChainStatus(orZero(r.Status)), Agent: r.Agent.Address, Human: r.Human.Address,
		Amount: r.Amount.Int, FeeBasisPoints: orZero(r.FeeBasisPoints),
		TermsHash: r.TermsHash.Hash, WorkHash: r.WorkHash.Hash,
		ApplicationID: uint64(r.ApplicationID), Panel: uint64(r.Panel),
		AgentApproved: orZero(r.AgentApproved), DisputedBy: r.DisputedBy.Address, CancelledBy: r.CancelledBy.Address,
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
		TxHash: r.PostedTx.Hash, Ordinal: int(r.PostedOrdinal), Block: uint64(r.PostedBlock), Index: orZero(r.PostedIndex),
	}
}

type submissionRow struct {
	ID        *uuid.UUID `db:"id"`
	HumanID   *uuid.UUID `db:"human_id"`
	Note      *string    `db:"note"`
	ProofURL  *string    `db:"proof_url"`
	WorkHash  nullHash   `db:"work_hash"`
	CreatedAt nullTime   `db:"created_at"`
	FileIDs   uuidArray  `db:"file_ids"`
}

// submission returns nil for the all-NULL row of an outer join.
func (r submissionRow) submission(taskID uuid.UUID) *market.Submission {
	if r.ID == nil {
		return nil
	}
	return &market.Submission{
		ID: *r.ID, TaskID: taskID, HumanID: *r.HumanID, Note: text(r.Note), ProofURL: text(r.ProofURL),
		FileIDs: r.FileIDs, WorkHash: r.WorkHash.Hash, CreatedAt: r.CreatedAt.Time,
	}
}
