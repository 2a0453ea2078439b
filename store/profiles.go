package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Profile is the part of a user's data that every signed-in user can read.
type Profile struct {
	Kind            market.PrincipalKind
	ID              uuid.UUID
	Username        string
	UsernameChanged bool // whether the username was changed; only for agents
	Name            string
	Bio             string
	Network         string // Network and Handle are empty until verified
	Handle          string
	Available       bool // Available and the next two fields are only set for humans
	Skills          []string
	Location        string
	MemberSince     time.Time
	Record          Record
	State           market.AccountState // empty means market.AccountGood
}

// Record summarises a user's tasks and reviews.
type Record struct {
	Rating        Rating
	CancelledLate int // tasks that this user cancelled after a human had been accepted
	Disputes      int // tasks that either side disputed
	Rejections    int // staked applications that the agent rejected; 0 for humans
}

type profileRow struct {
	ratingRow
	ID        uuid.UUID            `db:"id"`
	Kind      market.PrincipalKind `db:"kind"`
	Username  string               `db:"username"`
	Changed   bool                 `db:"username_changed"`
	Name      string               `db:"name"`
	Bio       string               `db:"bio"`
	Network   *string              `db:"social_network"`
	Handle    *string              `db:"social_handle"`
	CreatedAt pg.NullTime          `db:"created_at"`
	Available *bool                `db:"available"`
	Skills    pq.StringArray       `db:"skills"`
	Location  *string              `db:"location"`

	State market.AccountState `db:"account_state"`
}

func (r profileRow) profile() Profile {
	return Profile{
		Kind: r.Kind, ID: r.ID, Username: r.Username, UsernameChanged: r.Changed, Name: r.Name, Bio: r.Bio, Network: pg.Text(r.Network), Handle: pg.Text(r.Handle),
		Available: pg.OrZero(r.Available), Skills: r.Skills, Location: pg.Text(r.Location), MemberSince: r.CreatedAt.Time, State: r.State,
		Record: Record{Rating: r.rating()},
	}
}

// Profile returns the profile of the user with the given username, ignoring case.
func (s *Store) Profile(ctx context.Context, username string) (Profile, error) {
	var row profileRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT u.id, u.kind, u.username, u.former_username IS NOT NULL AS username_changed, u.name, u.bio,
		       u.social_network, u.social_handle, u.created_at, `+ratingColumns+`,
		       h.available, h.skills, h.location, u.account_state
		FROM users u
		LEFT JOIN humans h ON h.id = u.id
		WHERE lower(u.username) COLLATE "C" = lower($1) COLLATE "C"`, username)
	if err = pg.Translate(err, "select a profile"); market.KindOf(err) == market.KindNotFound {
		return Profile{}, market.Errorf(market.KindNotFound, "no user has this username").WithHint("check the spelling of the username").WithCause(err)
	}
	if err != nil {
		return Profile{}, err
	}
	profile := row.profile()
	return profile, s.record(ctx, &profile)
}

// record adds the counts of disputes, cancellations and rejected applications to the profile.
func (s *Store) record(ctx context.Context, p *Profile) error {
	var counts struct {
		CancelledLate int `db:"cancelled_late"`
		Disputes      int `db:"disputes"`
		Rejections    int `db:"rejections"`
	}
	self, _ := sideOf(p.Kind)
	err := s.db.Get(ctx, nil, &counts, fmt.Sprintf(`
		SELECT count(*) FILTER (WHERE e.accepted_at IS NOT NULL AND e.cancelled_by = e.%[1]s) AS cancelled_late,
		       count(e.disputed_at) AS disputes,
		       (SELECT count(*)
		        FROM onchain_applications o
		        JOIN users u ON u.id = $1 AND u.kind = 'agent' AND u.wallet = o.agent
		        WHERE o.chain_id = $2 AND o.rejected) AS rejections
		FROM tasks t
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE t.%[1]s_id = $1`, self), p.ID, s.deployment.ChainID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("count the tasks of %s %s", p.Kind, p.ID))
	}
	p.Record.CancelledLate, p.Record.Disputes, p.Record.Rejections = counts.CancelledLate, counts.Disputes, counts.Rejections
	return nil
}

// dealsOfAgent and dealsOfHuman select the final paid and refunded tasks on the store's chain. A
// dispute counts as lost only if a verdict decides against the party, not if the party concedes. A
// verdict is against the agent if it releases the amount, and against the human if it refunds the
// amount.
const (
	dealColumns = `e.ended_at, div(e.amount * e.fee_basis_points, 10000) AS fee,
		t.status = 'approved' AS paid,
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
	Paid         bool           `db:"paid"`
	Approved     bool           `db:"approved"`
	Lost         bool           `db:"lost"`
	Rating       int            `db:"rating"`
}

func (r dealRow) deal() market.Deal {
	return market.Deal{
		Counterparty: r.Counterparty, EndedAt: r.EndedAt.Time, Fee: r.Fee.Int,
		Paid: r.Paid, Approved: r.Approved, Lost: r.Lost, Rating: r.Rating,
	}
}

// Standing returns an agent's karma and the fees that it is based on. Both are zero for an unknown
// agent.
func (s *Store) Standing(ctx context.Context, agentID uuid.UUID) (market.Standing, error) {
	return s.standing(ctx, dealsOfAgent, agentID)
}

// HumanStanding returns a human's karma, computed from the tasks of that human.
func (s *Store) HumanStanding(ctx context.Context, humanID uuid.UUID) (market.Standing, error) {
	return s.standing(ctx, dealsOfHuman, humanID)
}

func (s *Store) standing(ctx context.Context, query string, id uuid.UUID) (market.Standing, error) {
	var rows []dealRow
	if err := s.db.Select(ctx, nil, &rows, query, id, s.deployment.ChainID); err != nil {
		return market.Standing{}, pg.Translate(err, fmt.Sprintf("select the deals of %s", id))
	}
	return market.StandingOf(pg.Convert(rows, dealRow.deal), s.karmaFloor), nil
}

// paidDeals selects the final paid tasks of the humans ($1).
const paidDeals = `
	SELECT t.human_id, e.ended_at, div(e.amount * e.fee_basis_points, 10000) AS fee, e.agent AS counterparty, true AS paid
	FROM tasks t` + dealJoins + `
	WHERE t.human_id = ANY ($1) AND t.status = 'approved' AND t.chain_id = $2
	ORDER BY e.ended_at, e.escrow, e.id`

// completed returns the numbers of completed tasks and counterparties of the humans. It does not compute karma.
func (s *Store) completed(ctx context.Context, humans []uuid.UUID) (map[uuid.UUID]market.Standing, error) {
	var rows []struct {
		HumanID uuid.UUID `db:"human_id"`
		dealRow
	}
	if err := s.db.Select(ctx, nil, &rows, paidDeals, pq.Array(humans), s.deployment.ChainID); err != nil {
		return nil, pg.Translate(err, "select the paid tasks of humans")
	}
	deals := make(map[uuid.UUID][]market.Deal)
	for _, row := range rows {
		deals[row.HumanID] = append(deals[row.HumanID], row.deal())
	}
	standings := make(map[uuid.UUID]market.Standing, len(deals))
	for human, all := range deals {
		standings[human] = market.StandingOf(all, s.karmaFloor)
	}
	return standings, nil
}
