package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

const (
	humanColumns = userColumns + `, h.skills, h.location, h.remote, h.hourly_rate, h.available`
	humanFrom    = ` FROM humans h JOIN users u ON u.id = h.id `
)

type humanRow struct {
	userRow
	Skills     pq.StringArray `db:"skills"`
	Location   *string        `db:"location"`
	Remote     bool           `db:"remote"`
	HourlyRate pg.Wei         `db:"hourly_rate"`
	Available  bool           `db:"available"`
}

func (r humanRow) human() market.Human {
	return market.Human{
		ID: r.ID, Username: r.Username, Name: r.Name, Bio: r.Bio, Wallet: r.Wallet,
		Skills: r.Skills, Location: pg.Text(r.Location), Remote: r.Remote,
		HourlyRate: r.HourlyRate.Int, Available: r.Available,
		VerificationCode: r.VerificationCode, CodeExpiresAt: r.CodeExpiresAt.Time,
		Link: r.link(), CreatedAt: r.CreatedAt.Time,
	}
}

// Human returns a human's own record.
func (s *Store) Human(ctx context.Context, id uuid.UUID) (market.Human, error) {
	var row humanRow
	err := s.db.Get(ctx, nil, &row, `SELECT `+humanColumns+humanFrom+`WHERE h.id = $1`, id)
	if err != nil {
		return market.Human{}, pg.Translate(err, fmt.Sprintf("select human %s", id))
	}
	return row.human(), nil
}

func (s *Store) humanByWallet(ctx context.Context, tx *sqlx.Tx, wallet common.Address) (market.Human, error) {
	var row humanRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+humanColumns+humanFrom+`WHERE u.kind = 'human' AND u.wallet = $1`, wallet)
	if err != nil {
		return market.Human{}, pg.Translate(err, fmt.Sprintf("select the human of wallet %s", wallet))
	}
	return row.human(), nil
}

// insertHuman reports whether the human is new: false when the wallet has one.
func (s *Store) insertHuman(ctx context.Context, tx *sqlx.Tx, h market.Human) (bool, error) {
	created, err := s.insertUser(ctx, tx, newUser{
		ID: h.ID, Kind: market.PrincipalHuman, Username: h.Username, Name: h.Name, Bio: h.Bio,
		Wallet: h.Wallet, VerificationCode: h.VerificationCode, CodeExpiresAt: h.CodeExpiresAt,
	})
	if err != nil || !created {
		return false, err
	}
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO humans (id, skills, location, remote, hourly_rate, available)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		h.ID, pg.StringArray(h.Skills), pg.NullText(h.Location), h.Remote, pg.Wei{Int: h.HourlyRate}, h.Available)
	return true, pg.Translate(err, fmt.Sprintf("insert human %s", h.ID))
}
