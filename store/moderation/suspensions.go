package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Suspension is a decision that suspends an account, as stored in the list outside of the database.
// The wallet identifies the account if it is registered again with another id.
type Suspension struct {
	market.Decision

	Wallet common.Address
}

type suspensionRow struct {
	decisionRow
	Wallet common.Address `db:"wallet"`
}

// UnlistedSuspensions returns at most limit suspensions, oldest first, whose decision or whose end
// MarkListed has not marked yet.
func (s *Store) UnlistedSuspensions(ctx context.Context, limit int) ([]Suspension, error) {
	var rows []suspensionRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+decisionColumns+`, u.wallet
		FROM moderation_decisions d
		JOIN users u ON u.id = d.author_id
		WHERE d.measure = 'suspend' AND (NOT d.listed OR d.ended_at IS NOT NULL AND NOT d.end_listed)
		ORDER BY d.decided_at, d.id
		LIMIT $1`, limit)
	convert := func(r suspensionRow) Suspension { return Suspension{Decision: r.decision(), Wallet: r.Wallet} }
	return pg.Convert(rows, convert), pg.Translate(err, "select the suspensions to list")
}

// MarkListed records that the list outside of the database contains the decision, and its end if
// ended.
func (s *Store) MarkListed(ctx context.Context, decision uuid.UUID, ended bool) error {
	return s.db.Write(ctx, "mark a decision as listed", `
		UPDATE moderation_decisions SET listed = true, end_listed = end_listed OR $2 WHERE id = $1`, decision, ended)
}

// restorer is stored as the operator who ended a measure that a repeated suspension replaces.
const restorer = "after-restore"

// RepeatSuspension repeats a suspension in a database that was restored from a backup. It returns false
// if the account does not exist in this database. It does not repeat a suspension that the database
// contains, but ends it if the given one has ended. It ignores an ended suspension that the database
// does not contain.
func (s *Store) RepeatSuspension(ctx context.Context, suspension Suspension) (bool, error) {
	repeated := false
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var account struct {
			ID   uuid.UUID            `db:"id"`
			Kind market.PrincipalKind `db:"kind"`
		}
		err := s.db.Get(ctx, tx, &account, `SELECT id, kind FROM users WHERE kind = $1 AND wallet = $2`, suspension.AuthorKind, suspension.Wallet)
		if err = pg.Translate(err, "select a suspended account"); market.KindOf(err) == market.KindNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		repeated = true
		suspension.AuthorID, suspension.Subject.ID = account.ID, account.ID
		return s.repeatSuspension(ctx, tx, suspension.Decision)
	})
	return repeated, err
}

func (s *Store) repeatSuspension(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	state, err := s.lockSubject(ctx, tx, d.Subject)
	if err != nil {
		return err
	}
	stored, err := s.decision(ctx, tx, d.ID)
	exists := err == nil
	switch {
	case !exists && market.KindOf(err) != market.KindNotFound:
		return err
	case exists && d.EndedAt != nil && stored.EndedAt == nil:
		return s.endDecision(ctx, tx, stored, d.EndedBy)
	case exists, d.EndedAt != nil:
		return nil
	case state.inForce != nil:
		if err := s.endDecision(ctx, tx, *state.inForce, restorer); err != nil {
			return err
		}
	}
	if err := s.insertRepeated(ctx, tx, d); err != nil {
		return err
	}
	return s.impose(ctx, tx, d)
}

// insertRepeated inserts a decision with its original time, so that the time to appeal does not change.
func (s *Store) insertRepeated(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO moderation_decisions (id, subject_kind, subject_id, author_id, author_kind, measure, territory, facts,
		                                  automation, clause, decided_by, decided_at, listed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, true)`,
		d.ID, d.Subject.Kind, d.Subject.ID, d.AuthorID, d.AuthorKind, d.Measure, d.Territory, d.Facts, d.Automation, d.Clause,
		d.DecidedBy, d.DecidedAt.UTC().Truncate(time.Millisecond))
	return pg.Translate(err, fmt.Sprintf("insert decision %s again", d.ID))
}
