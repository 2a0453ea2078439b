package storetest

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
)

// Genesis is the start time for inserted escrow records.
var Genesis = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Escrowed links the task to an inserted escrow record that was funded at genesis and modified by
// change. The task's status is computed for chainTime.
func Escrowed(t *testing.T, s *store.Store, task market.Task, chainTime time.Time, change func(*market.EscrowTask)) market.Task {
	t.Helper()
	e := &market.EscrowTask{
		ChainID: task.ChainID, Escrow: task.EscrowAddress, ID: uint64(time.Now().UnixNano()),
		Status: market.ChainPosted, Agent: task.AgentWallet, Amount: task.Amount, FeeBasisPoints: task.FeeBasisPoints,
		TermsHash: task.TermsHash, PostedAt: Genesis, Posted: market.Posting{TxHash: NewHash(), Block: 5, Index: 1},
	}
	if change != nil {
		change(e)
	}
	insertEscrow(t, DB(t, s), e)
	if err := task.LinkEscrow(e, chainTime); err != nil {
		t.Fatalf("link the task: %v", err)
	}
	Execute(t, s, `
		UPDATE tasks
		SET status = $2, escrow_task_id = $3, turns_at = $4, updated_at = now(), changed_block = 0, lapsed_at = NULL,
		    human_id = (SELECT id FROM users WHERE kind = 'human' AND wallet = $5)
		WHERE id = $1`, task.ID, task.Status, e.ID, task.TransitionAt(), e.Human)
	return Must(s.Task(t.Context(), task.ID))
}

func insertEscrow(t *testing.T, db *sqlx.DB, e *market.EscrowTask) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), `
		INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, human, amount, fee_basis_points, terms_hash,
			work_hash, panel, agent_approved, disputed_by, posted_at, accepted_at, submitted_at, disputed_at,
			approved_at, last_activity_at, ended_at, verdict, paid, fee, refund, posted_tx, posted_ordinal,
			posted_block, posted_index, end_tx)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26, $27, $28, $29)`,
		e.ChainID, e.Escrow, e.ID, e.Status, e.Agent, orNull(e.Human), e.Amount.String(), e.FeeBasisPoints, orNull(e.TermsHash),
		orNull(e.WorkHash), orNull(e.Panel), e.AgentApproved, orNull(e.DisputedBy), e.PostedAt, orNull(e.AcceptedAt),
		orNull(e.SubmittedAt), orNull(e.DisputedAt), orNull(e.ApprovedAt), orNull(e.LastActivityAt), orNull(e.EndedAt),
		e.Verdict, digits(e.Paid), digits(e.Fee), digits(e.Refund), e.Posted.TxHash, e.Posted.Ordinal, e.Posted.Block,
		e.Posted.Index, orNull(e.EndTx))
	if err != nil {
		t.Fatalf("insert an escrow record: %v", err)
	}
}

// orNull returns nil if the value is zero.
func orNull[T comparable](value T) any {
	var zero T
	if value == zero {
		return nil
	}
	return value
}

func digits(n *big.Int) any {
	if n == nil {
		return nil
	}
	return n.String()
}

// Accepted returns a function that assigns the human in an escrow record, an hour after genesis.
func Accepted(human market.Human) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		e.Status, e.Human, e.AcceptedAt, e.Panel = market.ChainActive, human.Wallet, Genesis.Add(time.Hour), 1
	}
}

// Submitted returns a function that assigns the human in an escrow record and marks the work as
// submitted two hours after genesis.
func Submitted(human market.Human, work common.Hash) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		Accepted(human)(e)
		e.Status, e.WorkHash = market.ChainSubmitted, work
		e.SubmittedAt = Genesis.Add(2 * time.Hour)
		e.LastActivityAt = e.SubmittedAt
	}
}

// Released returns a function that marks an escrow record as paid to the human three hours after
// genesis.
func Released(human market.Human) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		Submitted(human, NewHash())(e)
		e.Status, e.EndedAt, e.EndTx = market.ChainReleased, Genesis.Add(3*time.Hour), NewHash()
		e.Fee = market.Fee(e.Amount, e.FeeBasisPoints)
		e.Paid = market.Payout(e.Amount, e.FeeBasisPoints)
	}
}

// Panel adds the wallets to the only panel, number 1, and sets its quorum.
func Panel(t *testing.T, s *store.Store, quorum int, wallets ...common.Address) {
	t.Helper()
	d := s.Deployment()
	Execute(t, s, `INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, 500, 1, false) ON CONFLICT (chain_id, escrow) DO UPDATE SET panel = 1`, d.ChainID, d.Escrow)
	for _, wallet := range wallets {
		Execute(t, s, `INSERT INTO chain_validators (chain_id, escrow, wallet, added_in) VALUES ($1, $2, $3, 1)`,
			d.ChainID, d.Escrow, wallet)
	}
	Execute(t, s, `INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum) VALUES ($1, $2, 1, $3)`,
		d.ChainID, d.Escrow, quorum)
}

// SetChainTime sets the chain's head to a block with the given time.
func SetChainTime(t *testing.T, s *store.Store, now time.Time) {
	t.Helper()
	d := s.Deployment()
	Execute(t, s, `INSERT INTO chain_head (chain_id, number, hash, parent, time, safe, finalized)
		VALUES ($1, 100, $2, $2, $3, 0, 0)
		ON CONFLICT (chain_id) DO UPDATE SET hash = excluded.hash, parent = excluded.parent, time = excluded.time`,
		d.ChainID, NewHash(), now)
}
