package store_test

import (
	"crypto/rand"
	"encoding/hex"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// genesis is the start time for inserted escrow records.
var genesis = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

func newHash() common.Hash      { return common.Hash(random(32)) }
func newWallet() common.Address { return common.Address(random(20)) }
func newName() string           { return "user-" + hex.EncodeToString(random(6)) }

// wantKind fails the test unless err has the kind; "" means no error.
func wantKind(t *testing.T, what string, err error, want market.Kind) {
	t.Helper()
	if got := market.KindOf(err); got != want || (want == "") != (err == nil) {
		t.Errorf("%s = %v, want kind %q", what, err, want)
	}
}

// ok returns value, or panics if err is not nil.
func ok[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// race runs n calls concurrently and returns their errors.
func race(n int, call func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// wantOneWinner fails the test unless exactly one error is nil and all others have the kind losers.
func wantOneWinner(t *testing.T, what string, errs []error, losers market.Kind) {
	t.Helper()
	winners := 0
	for _, err := range errs {
		if err == nil {
			winners++
			continue
		}
		wantKind(t, what, err, losers)
	}
	if winners != 1 {
		t.Errorf("%s: %d of %d calls won, want 1", what, winners, len(errs))
	}
}

// execute runs a statement directly on the database.
func execute(t *testing.T, s *store.Store, statement string, args ...any) {
	t.Helper()
	if _, err := storetest.DB(t, s).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// escrowed links the task to an inserted escrow record that was funded at genesis and modified by
// change. The task's status is computed for chainTime.
func escrowed(t *testing.T, s *store.Store, task market.Task, chainTime time.Time, change func(*market.EscrowTask)) market.Task {
	t.Helper()
	e := &market.EscrowTask{
		ChainID: task.ChainID, Escrow: task.EscrowAddress, ID: uint64(time.Now().UnixNano()),
		Status: market.ChainPosted, Agent: task.AgentWallet, Amount: task.Amount, FeeBasisPoints: task.FeeBasisPoints,
		TermsHash: task.TermsHash, PostedAt: genesis, Posted: market.Posting{TxHash: newHash(), Block: 5, Index: 1},
	}
	if change != nil {
		change(e)
	}
	insertEscrow(t, storetest.DB(t, s), e)
	if err := task.LinkEscrow(e, chainTime); err != nil {
		t.Fatalf("link the task: %v", err)
	}
	execute(t, s, `
		UPDATE tasks
		SET status = $2, escrow_task_id = $3, turns_at = $4, updated_at = now(), changed_block = 0, lapsed_at = NULL,
		    human_id = (SELECT id FROM users WHERE kind = 'human' AND wallet = $5)
		WHERE id = $1`, task.ID, task.Status, e.ID, task.TransitionAt(), e.Human)
	return ok(s.Task(t.Context(), task.ID))
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

// accepted returns a function that assigns the human in an escrow record, an hour after genesis.
func accepted(human market.Human) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		e.Status, e.Human, e.AcceptedAt, e.Panel = market.ChainActive, human.Wallet, genesis.Add(time.Hour), 1
	}
}

// submitted returns a function that assigns the human in an escrow record and marks the work as
// submitted two hours after genesis.
func submitted(human market.Human, work common.Hash) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		accepted(human)(e)
		e.Status, e.WorkHash = market.ChainSubmitted, work
		e.SubmittedAt = genesis.Add(2 * time.Hour)
		e.LastActivityAt = e.SubmittedAt
	}
}

// released returns a function that marks an escrow record as paid to the human three hours after
// genesis.
func released(human market.Human) func(*market.EscrowTask) {
	return func(e *market.EscrowTask) {
		submitted(human, newHash())(e)
		e.Status, e.EndedAt, e.EndTx = market.ChainReleased, genesis.Add(3*time.Hour), newHash()
		e.Fee = market.Fee(e.Amount, e.FeeBasisPoints)
		e.Paid = market.Payout(e.Amount, e.FeeBasisPoints)
	}
}

// panel adds the wallets to the only panel, number 1, and sets its quorum.
func panel(t *testing.T, s *store.Store, quorum int, wallets ...common.Address) {
	t.Helper()
	d := s.Deployment()
	execute(t, s, `INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, 500, 1, false) ON CONFLICT (chain_id, escrow) DO UPDATE SET panel = 1`, d.ChainID, d.Escrow)
	for _, wallet := range wallets {
		execute(t, s, `INSERT INTO chain_validators (chain_id, escrow, wallet, added_in) VALUES ($1, $2, $3, 1)`,
			d.ChainID, d.Escrow, wallet)
	}
	execute(t, s, `INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum) VALUES ($1, $2, 1, $3)`,
		d.ChainID, d.Escrow, quorum)
}

// chainTime sets the chain's head to a block with the given time.
func chainTime(t *testing.T, s *store.Store, now time.Time) {
	t.Helper()
	d := s.Deployment()
	execute(t, s, `INSERT INTO chain_head (chain_id, number, hash, parent, time, safe, finalized)
		VALUES ($1, 100, $2, $2, $3, 0, 0)
		ON CONFLICT (chain_id) DO UPDATE SET hash = excluded.hash, parent = excluded.parent, time = excluded.time`,
		d.ChainID, newHash(), now)
}

func agentPrincipal(a market.Agent) market.Principal {
	return market.Principal{Kind: market.PrincipalAgent, ID: a.ID, Username: a.Username, Wallet: a.Wallet, Verified: a.Link != nil}
}

func humanPrincipal(h market.Human) market.Principal {
	return market.Principal{Kind: market.PrincipalHuman, ID: h.ID, Username: h.Username, Wallet: h.Wallet, Verified: h.Link != nil}
}
