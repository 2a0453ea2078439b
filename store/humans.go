package store

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/pg"
)

// Listing is an available human in the directory of humans.
type Listing struct {
	market.Human
	Verified bool
	Rating   Rating
	Standing market.Standing // only Completed and Counterparties are set
}

const (
	humanColumns = userColumns + `, h.skills, h.location, h.remote, h.hourly_rate, h.available, h.adult_at, u.account_state`
	humanFrom    = ` FROM humans h JOIN users u ON u.id = h.id `
)

type humanRow struct {
	userRow
	Skills     pq.StringArray `db:"skills"`
	Location   *string        `db:"location"`
	Remote     bool           `db:"remote"`
	HourlyRate pg.Wei         `db:"hourly_rate"`
	Available  bool           `db:"available"`
	AdultAt    pg.NullTime    `db:"adult_at"`

	State market.AccountState `db:"account_state"`
}

func (r humanRow) human() market.Human {
	return market.Human{
		ID: r.ID, Username: r.Username, Name: r.Name, Bio: r.Bio, Wallet: r.Wallet,
		Skills: r.Skills, Location: pg.Text(r.Location), Remote: r.Remote,
		HourlyRate: r.HourlyRate.Int, Available: r.Available, State: r.State, AdultAt: r.AdultAt.Pointer(),
		VerificationCode: r.VerificationCode, CodeExpiresAt: r.CodeExpiresAt.Time,
		Link: r.link(), CreatedAt: r.CreatedAt.Time,
	}
}

// Human returns a human's profile, including the fields that only the human can read.
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

// HasHuman reports whether a human has the wallet.
func (s *Store) HasHuman(ctx context.Context, wallet common.Address) (bool, error) {
	var exists bool
	err := s.db.Get(ctx, nil, &exists, `SELECT EXISTS (SELECT 1 FROM users WHERE kind = 'human' AND wallet = $1)`, wallet)
	return exists, pg.Translate(err, fmt.Sprintf("select whether wallet %s has a human", wallet))
}

// insertHuman inserts a human. It returns false if a human with this wallet exists.
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

// linkHuman links a wallet's existing on-chain records to its new account, in the transaction that
// creates the account.
func (s *Store) linkHuman(ctx context.Context, tx *sqlx.Tx, humanID uuid.UUID, wallet common.Address) error {
	head, err := s.Journal.LockHead(ctx, tx)
	if err != nil {
		return err
	}
	var tasks []uuid.UUID
	err = s.db.Select(ctx, tx, &tasks, `
		SELECT t.id
		FROM onchain_tasks o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.human = $3
		UNION
		SELECT t.id
		FROM onchain_applications o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.task_id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.human = $3`,
		s.deployment.ChainID, s.deployment.Escrow, wallet)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the tasks of the wallet of human %s", humanID))
	}
	return fold.New(s.db, s.deployment, tx, head, 0).Link(ctx, tasks...)
}

// HumanChange is a change to a human's profile. Nil fields stay unchanged.
type HumanChange struct {
	Username   *string
	Name       *string
	Bio        *string
	Skills     *[]string
	Location   *string // an empty string deletes it
	Place      string  // the normalised Location, which HumanQuery.Place is compared with; ignored if Location is nil
	Remote     *bool
	HourlyRate *big.Int // zero deletes it
	Available  *bool
	Adult      bool // declares that the human is 18 or older, which cannot be undone
}

// ChangeHuman changes a human's profile and returns it. It returns KindUsernameTaken if another user has
// the username or one that looks like it, or if it is reserved for its former user, KindAlreadyExists if
// the change would reserve more than market.MaxReservedUsernames usernames for the human, and
// KindRestricted for a suspended human.
func (s *Store) ChangeHuman(ctx context.Context, id uuid.UUID, change HumanChange) (market.Human, error) {
	var row humanRow
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		state, err := s.changeHuman(ctx, tx, id, change)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("change human %s", id))
		}
		if state == market.AccountSuspended {
			return state.Refusal() // undoes the change
		}
		if change.Username != nil {
			if err := s.checkReserved(ctx, tx, id); err != nil {
				return err
			}
		}
		err = s.db.Get(ctx, tx, &row, `SELECT `+humanColumns+humanFrom+`WHERE h.id = $1`, id)
		return pg.Translate(err, fmt.Sprintf("select human %s", id))
	})
	return row.human(), err
}

// changeHuman changes the human and returns the state of the account. It updates the human's row in users
// first, because the trigger on humans reads it.
func (s *Store) changeHuman(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, change HumanChange) (market.AccountState, error) {
	var state market.AccountState
	err := s.db.Get(ctx, tx, &state, `
		UPDATE users
		SET username = coalesce($2, username), name = coalesce($3, name), bio = coalesce($4, bio), updated_at = now()
		WHERE id = $1 AND kind = 'human'
		RETURNING account_state`, id, change.Username, change.Name, change.Bio)
	if err != nil {
		return state, err
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
		    available = coalesce($7, available),
		    adult_at = CASE WHEN $8 THEN coalesce(adult_at, now()) ELSE adult_at END
		WHERE id = $1`,
		id, skills, change.Location, change.Place, change.Remote, pg.Wei{Int: change.HourlyRate}, change.Available, change.Adult)
	return state, err
}

// checkReserved limits the usernames that are reserved for a human, whose row the transaction has locked.
func (s *Store) checkReserved(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) error {
	var reserved int
	err := s.db.Get(ctx, tx, &reserved, `
		SELECT count(*) FROM usernames
		WHERE user_id = $1 AND released_at > now() - `+pg.Interval(market.UsernameReserve), id)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("count the reserved usernames of human %s", id))
	}
	if reserved > market.MaxReservedUsernames {
		return market.Errorf(market.KindAlreadyExists, "you changed your username %d times in the last %s, which is the limit",
			market.MaxReservedUsernames, market.FormatDuration(market.UsernameReserve)).
			WithHint("take back one of your former usernames, or try again later")
	}
	return nil
}

// HumanQuery selects available humans. Zero fields do not restrict the list.
type HumanQuery struct {
	PageQuery
	Q         string // search terms for name, bio and skills
	Skill     string
	Place     string // prefix of the location, normalised like HumanChange.Place
	Remote    *bool
	MinRating *float64
	Verified  *bool
}

type listingRow struct {
	pg.Listed
	humanRow
	ratingRow
}

func (r listingRow) listing() Listing {
	human := r.human()
	return Listing{Human: human, Verified: human.Link != nil, Rating: r.rating()}
}

// listedHumans selects those of the humans $1 that no moderation measure hides.
const listedHumans = `SELECT id FROM humans WHERE id = ANY ($1) AND listed`

// AvailableHumans lists the humans who are available for work, newest first. The list can be a few
// seconds old, but never contains a human hidden by a measure; see WithStandby.
func (s *Store) AvailableHumans(ctx context.Context, q HumanQuery) (Page[Listing], error) {
	page, err := pg.SelectRecentPage(ctx, s.db, s.standby, q.list(), listedHumans, q.PageQuery, listingRow.listing)
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	ids := make([]uuid.UUID, len(page.Items))
	for i, human := range page.Items {
		ids[i] = human.ID
	}
	standings, err := s.completed(ctx, ids)
	for i := range page.Items {
		page.Items[i].Standing = standings[page.Items[i].ID]
	}
	return page, err
}

func (q HumanQuery) list() pg.List[listingRow] {
	list := pg.List[listingRow]{
		What:    "select available humans",
		Columns: humanColumns + `, ` + ratingColumns,
		From:    "humans h", Joins: ` JOIN users u ON u.id = h.id`,
		Order: pg.Order{Name: "humans", Key: "h.id", ID: "h.id", Descending: true, Parse: parseIDKey},
		Key:   func(r listingRow) (string, uuid.UUID) { return r.ID.String(), r.ID },
		AdHoc: q.filtered(),
	}
	list.Filter.Add("h.available AND h.listed") // a literal condition, so that the partial indexes can be used
	q.addFilters(&list.Filter)
	return list
}

func parseIDKey(s string) (any, error) { return uuid.Parse(s) }

func (q HumanQuery) filtered() bool {
	return q.Q != "" || q.Skill != "" || q.Place != "" || q.Remote != nil || q.MinRating != nil || q.Verified != nil
}

func (q HumanQuery) addFilters(f *pg.Filter) {
	if q.Q != "" {
		f.AddWords("h.search", q.Q)
	}
	if q.Skill != "" {
		f.Add("h.skills @> ?", pg.StringArray([]string{q.Skill}))
	}
	if q.Place != "" {
		f.AddPrefix("h.place", q.Place)
	}
	if q.Remote != nil {
		f.Add(booleanCondition(*q.Remote, "h.remote"))
	}
	if q.MinRating != nil {
		f.Add("h.rating >= ?::float8::numeric", *q.MinRating)
	}
	if q.Verified != nil {
		f.Add(booleanCondition(*q.Verified, "h.verified"))
	}
}

// booleanCondition returns a literal condition, so that the partial indexes can be used.
func booleanCondition(truth bool, column string) string {
	if truth {
		return column
	}
	return "NOT " + column
}
