package store

import (
	"context"
	"fmt"
	"math/big"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// HumanChange is what a human changes of their own record; nil keeps.
type HumanChange struct {
	Username   *string
	Name       *string
	Bio        *string
	Skills     *[]string
	Location   *string // empty takes it away
	Place      string  // the location as HumanQuery.Place compares it
	Remote     *bool
	HourlyRate *big.Int // zero takes it away
	Available  *bool
}

// ChangeHuman changes a human's own record and returns it. KindUsernameTaken
// when somebody else has the name in any case of letters.
func (s *Store) ChangeHuman(ctx context.Context, id uuid.UUID, change HumanChange) (market.Human, error) {
	var row humanRow
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.changeHuman(ctx, tx, id, change)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("change human %s", id))
		}
		err = s.db.Get(ctx, tx, &row, `SELECT `+humanColumns+humanFrom+`WHERE h.id = $1`, id)
		return pg.Translate(err, fmt.Sprintf("select human %s", id))
	})
	return row.human(), err
}

// changeHuman writes the user first: the human's trigger reads it.
func (s *Store) changeHuman(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, change HumanChange) error {
	_, err := s.db.Exec(ctx, tx, `
		UPDATE users
		SET username = coalesce($2, username), name = coalesce($3, name), bio = coalesce($4, bio), updated_at = now()
		WHERE id = $1 AND kind = 'human'`, id, change.Username, change.Name, change.Bio)
	if err != nil {
		return err
	}
	var skills any
	if change.Skills != nil {
		skills = pg.StringArray(*change.Skills)
	}
	_, err = s.db.Exec(ctx, tx, `
		UPDATE humans
		SET skills = coalesce($2, skills),
		    location = CASE WHEN $3::text IS NULL THEN location ELSE nullif($3, '') END,
		    place = CASE WHEN $3::text IS NULL THEN place ELSE nullif($4, '') END,
		    remote = coalesce($5, remote),
		    hourly_rate = CASE WHEN $6::numeric IS NULL THEN hourly_rate ELSE nullif($6::numeric, 0) END,
		    available = coalesce($7, available)
		WHERE id = $1`,
		id, skills, change.Location, change.Place, change.Remote, pg.Wei{Int: change.HourlyRate}, change.Available)
	return err
}

// ApplicationsOf lists a human's own applications, newest first.
func (s *Store) ApplicationsOf(ctx context.Context, humanID uuid.UUID, page PageQuery) (Page[market.Application], error) {
	list := applicationList(applicationColumns)
	list.Filter.Add("a.human_id = ?", humanID)
	return pg.SelectPage(ctx, s.db, list, page, func(r applicationRow) market.Application {
		return r.application(s.deployment.Staking)
	})
}
