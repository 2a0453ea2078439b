package store

import (
	"context"
	"fmt"
	"math"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

type profileRow struct {
	ratingRow
	ID        uuid.UUID            `db:"id"`
	Kind      market.PrincipalKind `db:"kind"`
	Username  string               `db:"username"`
	Name      string               `db:"name"`
	Bio       string               `db:"bio"`
	Handle    *string              `db:"social_handle"`
	CreatedAt pg.NullTime          `db:"created_at"`
	Available *bool                `db:"available"`
	Skills    pq.StringArray       `db:"skills"`
	Location  *string              `db:"location"`
}

func (r profileRow) profile() market.Profile {
	return market.Profile{
		Kind: r.Kind, ID: r.ID, Username: r.Username, Name: r.Name, Bio: r.Bio, Handle: pg.Text(r.Handle),
		Available: pg.OrZero(r.Available), Skills: r.Skills, Location: pg.Text(r.Location), MemberSince: r.CreatedAt.Time,
		Record: market.Record{Rating: r.rating()},
	}
}

// Profile returns the user who has the name in any case of letters.
func (s *Store) Profile(ctx context.Context, username string) (market.Profile, error) {
	var row profileRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT u.id, u.kind, u.username, u.name, u.bio, u.social_handle, u.created_at, `+ratingColumns+`,
		       h.available, h.skills, h.location
		FROM users u
		LEFT JOIN humans h ON h.id = u.id
		WHERE lower(u.username) COLLATE "C" = lower($1) COLLATE "C"`, username)
	if err = pg.Translate(err, "select a profile"); market.KindOf(err) == market.KindNotFound {
		return market.Profile{}, market.Errorf(market.KindNotFound, "nobody has this username").WithCause(err)
	}
	if err != nil {
		return market.Profile{}, err
	}
	profile := row.profile()
	return profile, s.record(ctx, &profile)
}

// record adds what the user's tasks come to.
func (s *Store) record(ctx context.Context, p *market.Profile) error {
	var counts struct {
		Completed     int `db:"completed"`
		Rejected      int `db:"rejected"`
		CancelledLate int `db:"cancelled_late"`
		Disputes      int `db:"disputes"`
	}
	own, _ := sideOf(p.Kind)
	err := s.db.Get(ctx, nil, &counts, fmt.Sprintf(`
		SELECT count(*) FILTER (WHERE t.status = 'approved') AS completed,
		       count(*) FILTER (WHERE t.status = 'rejected') AS rejected,
		       count(*) FILTER (WHERE e.accepted_at IS NOT NULL AND e.cancelled_by = e.%[1]s) AS cancelled_late,
		       count(e.disputed_at) AS disputes
		FROM tasks t
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE t.%[1]s_id = $1`, own), p.ID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("count the tasks of %s %s", p.Kind, p.ID))
	}
	p.Record.Completed, p.Record.Rejected = counts.Completed, counts.Rejected
	p.Record.CancelledLate, p.Record.Disputes = counts.CancelledLate, counts.Disputes
	if decided := counts.Completed + counts.Rejected; decided > 0 {
		p.Record.RejectionShare = math.Round(100*float64(counts.Rejected)/float64(decided)) / 100
	}
	return nil
}
