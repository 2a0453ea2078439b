package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// dealsOfAgent and dealsOfHuman are the paid and the refunded tasks that no
// reorganisation can take back, on the chain that the store serves. Only a
// verdict loses a dispute: who gives in to it has not lost it. An agent loses
// to a release, a human to a refund.
const (
	dealColumns = `e.ended_at, div(e.amount * e.fee_basis_points, 10000) AS fee,
		e.agent_approved AND t.status = 'approved' AS approved, coalesce(r.rating, 0) AS rating,`

	dealsOfAgent = `SELECT ` + dealColumns + ` e.human AS counterparty,
			t.status = 'approved' AND e.disputed_at IS NOT NULL AND e.verdict IS TRUE AND NOT e.agent_approved AS lost
		FROM tasks t` + dealJoins + `
		LEFT JOIN reviews r ON r.task_id = t.id AND r.reviewer_id = t.human_id AND r.counts
		WHERE t.agent_id = $1 AND ` + dealEnds

	dealsOfHuman = `SELECT ` + dealColumns + ` e.agent AS counterparty,
			t.status = 'rejected' AND e.disputed_at IS NOT NULL AND e.verdict IS FALSE AS lost
		FROM tasks t` + dealJoins + `
		LEFT JOIN reviews r ON r.task_id = t.id AND r.reviewer_id = t.agent_id AND r.counts
		WHERE t.human_id = $1 AND ` + dealEnds

	dealJoins = `
		JOIN chain_head h ON h.chain_id = t.chain_id AND t.changed_block <= h.finalized
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id`

	dealEnds = `t.chain_id = $2 AND t.status IN ('approved', 'rejected')
		ORDER BY e.ended_at, e.escrow, e.id`
)

type dealRow struct {
	Counterparty common.Address `db:"counterparty"`
	EndedAt      pg.NullTime    `db:"ended_at"`
	Fee          pg.Wei         `db:"fee"`
	Approved     bool           `db:"approved"`
	Lost         bool           `db:"lost"`
	Rating       int            `db:"rating"`
}

func (r dealRow) deal() market.Deal {
	return market.Deal{
		Counterparty: r.Counterparty, EndedAt: r.EndedAt.Time, Fee: r.Fee.Int,
		Approved: r.Approved, Lost: r.Lost, Rating: r.Rating,
	}
}

// Standing returns an agent's karma and the fees that it rests on; zeros for an
// id that no agent has.
func (s *Store) Standing(ctx context.Context, agentID uuid.UUID) (market.Standing, error) {
	return s.standing(ctx, dealsOfAgent, agentID)
}

// HumanStanding returns a human's karma, which counts the other side of the
// same tasks.
func (s *Store) HumanStanding(ctx context.Context, humanID uuid.UUID) (market.Standing, error) {
	return s.standing(ctx, dealsOfHuman, humanID)
}

func (s *Store) standing(ctx context.Context, query string, id uuid.UUID) (market.Standing, error) {
	var rows []dealRow
	if err := s.db.Select(ctx, nil, &rows, query, id, s.deployment.ChainID); err != nil {
		return market.Standing{}, pg.Translate(err, fmt.Sprintf("select the deals of %s", id))
	}
	deals := make([]market.Deal, len(rows))
	for i, row := range rows {
		deals[i] = row.deal()
	}
	return market.Stand(deals, s.karmaFloor), nil
}
