package store

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

type claimRow struct {
	pg.Listed
	ID        uuid.UUID          `db:"id"`
	Amount    pg.Wei             `db:"amount"`
	Karma     int64              `db:"karma_snapshot"`
	TxHash    pg.NullHash        `db:"tx_hash"`
	Status    market.ClaimStatus `db:"status"`
	CreatedAt pg.NullTime        `db:"created_at"`
}

// claimColumns are the columns that the agent can read. The amount of a paid claim is the paid
// amount, which is less than the claimed amount if the distributor's budget ran out.
const claimColumns = `id, coalesce(paid, amount) AS amount, karma_snapshot, tx_hash, status, created_at`

func (r claimRow) claim() market.Claim {
	return market.Claim{
		ID: r.ID, Amount: r.Amount.Int, Karma: r.Karma, TxHash: r.TxHash.Pointer(), Status: r.Status, CreatedAt: r.CreatedAt.Time,
	}
}

// Claims lists an agent's claims, newest first.
func (s *Store) Claims(ctx context.Context, agentID uuid.UUID, query PageQuery) (Page[market.Claim], error) {
	list := pg.List[claimRow]{
		What: "select claims", Columns: claimColumns, From: "claims",
		Order: pg.Order{Name: "claims", Key: "created_at", ID: "id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r claimRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("agent_id = ?", agentID)
	return pg.SelectPage(ctx, s.db, list, query, claimRow.claim)
}

// Rewards returns the agent's paid and pending rewards.
func (s *Store) Rewards(ctx context.Context, agentID uuid.UUID) (market.Rewards, error) {
	account, err := s.rewardAccountOf(ctx, nil, agentID)
	return account.rewards(), err
}

// rewardAccount is the state of an agent's rewards.
type rewardAccount struct {
	Wallet  common.Address `db:"wallet"`
	Paid    pg.Wei         `db:"paid"` // total paid by all distributors on the chain
	Base    pg.Wei         `db:"base"` // total paid by the current distributor
	Pending pg.Wei         `db:"pending"`
	LastAt  pg.NullTime    `db:"last_at"`
	Now     pg.NullTime    `db:"now"`
}

func (r rewardAccount) rewards() market.Rewards {
	return market.Rewards{Paid: r.Paid.Int, Pending: r.Pending.Int, LastAt: r.LastAt.Pointer()}
}

// rewardAccountOf reads an agent's account in one statement. All values are from the same snapshot,
// in which each reward is either paid in the logs or part of a pending claim, but not both.
func (s *Store) rewardAccountOf(ctx context.Context, tx *sqlx.Tx, agentID uuid.UUID) (rewardAccount, error) {
	var account rewardAccount
	err := s.db.Get(ctx, tx, &account, `
		SELECT u.wallet, l.paid, l.base, c.pending, c.last_at, clock_timestamp() AS now
		FROM users u
		CROSS JOIN LATERAL (
			SELECT coalesce(sum((event->>'amount')::numeric), 0) AS paid,
			       coalesce(sum((event->>'amount')::numeric) FILTER (WHERE address = $3), 0) AS base
			FROM chain_logs
			WHERE chain_id = $2 AND event->>'agent' = '0x' || encode(u.wallet, 'hex') AND canonical AND kind = 'Claimed'
		) l
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(amount) FILTER (WHERE status = 'pending'), 0) AS pending,
			       max(created_at) FILTER (WHERE status <> 'failed') AS last_at
			FROM claims
			WHERE agent_id = u.id
		) c
		WHERE u.id = $1 AND u.kind = 'agent'`,
		agentID, s.deployment.ChainID, s.deployment.Distributor)
	return account, pg.Translate(err, fmt.Sprintf("select the rewards of agent %s", agentID))
}

// NewClaim contains the input for Store.Claim.
type NewClaim struct {
	ID       uuid.UUID
	AgentID  uuid.UUID
	Standing market.Standing
	Rate     *big.Int // wei per point of karma
	Budget   *big.Int // wei that the distributor can pay now
}

// Claim inserts a claim for the rewards that the agent has earned, limited by the budget, and
// enqueues the keeper job that submits the claim's voucher. Repeating the call with the same id
// changes nothing. Errors are KindAlreadyExists if another claim is pending, KindRateLimited within
// a day of the last claim that did not fail, KindNothingToClaim, and KindBudgetExhausted.
func (s *Store) Claim(ctx context.Context, n NewClaim) (claim market.Claim, err error) {
	if existing, err := s.claim(ctx, n); market.KindOf(err) != market.KindNotFound {
		return existing, err // already inserted by an earlier attempt (err is nil), or an error
	}
	// Fast path: reject an invalid claim without taking the lock.
	if _, err := s.checkClaimant(ctx, nil, n.AgentID); err != nil {
		return market.Claim{}, err
	}
	err = s.db.TxFor(ctx, n.AgentID, func(tx *sqlx.Tx) error {
		// The lock serializes claims by one agent. The next statement therefore reads all of the
		// agent's committed claims.
		if _, err := s.db.Exec(ctx, tx, `SELECT 1 FROM agents WHERE id = $1 FOR UPDATE`, n.AgentID); err != nil {
			return pg.Translate(err, fmt.Sprintf("lock agent %s", n.AgentID))
		}
		account, err := s.checkClaimant(ctx, tx, n.AgentID)
		if err != nil {
			return err
		}
		pendingClaims, err := s.pendingClaims(ctx, tx)
		if err != nil {
			return err
		}
		amount, err := market.ClaimAmount(market.Claimable(n.Standing, n.Rate, account.rewards()), new(big.Int).Sub(n.Budget, pendingClaims))
		if err != nil {
			return err
		}
		claim, err = s.insertClaim(ctx, tx, n, account, amount)
		return err
	})
	return claim, err
}

// checkClaimant returns the agent's reward account, or an error if the agent cannot make a claim
// now.
func (s *Store) checkClaimant(ctx context.Context, tx *sqlx.Tx, agentID uuid.UUID) (rewardAccount, error) {
	account, err := s.rewardAccountOf(ctx, tx, agentID)
	if err != nil {
		return account, err
	}
	return account, market.CheckClaim(account.rewards(), account.Now.Time)
}

// claim returns the claim that an earlier attempt at the same request inserted.
func (s *Store) claim(ctx context.Context, n NewClaim) (market.Claim, error) {
	var row claimRow
	err := s.db.Get(ctx, nil, &row, `SELECT `+claimColumns+` FROM claims WHERE id = $1 AND agent_id = $2`, n.ID, n.AgentID)
	return row.claim(), pg.Translate(err, fmt.Sprintf("select claim %s", n.ID))
}

// pendingClaims returns the total amount of all agents' pending claims on the current distributor.
// This part of the budget is reserved.
func (s *Store) pendingClaims(ctx context.Context, tx *sqlx.Tx) (*big.Int, error) {
	var sum pg.Wei
	err := s.db.Get(ctx, tx, &sum, `
		SELECT coalesce(sum(amount), 0) FROM claims WHERE status = 'pending' AND chain_id = $1 AND distributor = $2`,
		s.deployment.ChainID, s.deployment.Distributor)
	return sum.Int, pg.Translate(err, "sum the pending claims")
}

func (s *Store) insertClaim(ctx context.Context, tx *sqlx.Tx, n NewClaim, account rewardAccount, amount *big.Int) (market.Claim, error) {
	var row claimRow
	err := s.db.Get(ctx, tx, &row, `
		INSERT INTO claims (id, agent_id, amount, karma_snapshot, chain_id, distributor, wallet, base)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		RETURNING `+claimColumns,
		n.ID, n.AgentID, pg.Wei{Int: amount}, n.Standing.Karma, s.deployment.ChainID, s.deployment.Distributor, account.Wallet, account.Base)
	if err != nil {
		return market.Claim{}, pg.Translate(err, fmt.Sprintf("insert a claim of agent %s", n.AgentID))
	}
	cumulative := new(big.Int).Add(account.Base.Int, amount)
	return row.claim(), s.Outbox.EnqueueClaim(ctx, tx, n.ID, account.Wallet, cumulative)
}
