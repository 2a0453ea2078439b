package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ActivityQuery selects items of a principal's activity feed. Zero fields do not restrict the list.
type ActivityQuery struct {
	PageQuery
	Principal market.Principal
	CachedKey CachedKey // the principal's
	Type      market.ActivityType
	After     time.Time // exclusive
	Before    time.Time // exclusive
}

type activityRow struct {
	pg.Listed
	ID          uuid.UUID             `db:"id"`
	Audience    market.PrincipalKind  `db:"audience_kind"`
	AudienceID  uuid.UUID             `db:"audience_id"`
	Type        market.ActivityType   `db:"type"`
	Title       string                `db:"title"`
	Description string                `db:"description"`
	Amount      pg.Wei                `db:"amount"`
	TxHash      pg.NullHash           `db:"tx_hash"`
	RelatedID   *uuid.UUID            `db:"related_id"`
	Status      market.ActivityStatus `db:"status"`
	CreatedAt   pg.NullTime           `db:"created_at"`
}

func (r activityRow) activity() market.Activity {
	return market.Activity{
		ID: r.ID, Audience: r.Audience, AudienceID: r.AudienceID, Type: r.Type, Title: r.Title,
		Description: r.Description, Amount: r.Amount.Int, TxHash: r.TxHash.Pointer(), RelatedID: r.RelatedID,
		Status: r.Status, CreatedAt: r.CreatedAt.Time,
	}
}

// Activities lists the principal's own feed, newest first. It returns KindUnauthorized when the
// cached key is no longer the agent's.
func (s *Store) Activities(ctx context.Context, q ActivityQuery) (Page[market.Activity], error) {
	list := pg.List[activityRow]{
		What: "select activities",
		Columns: `id, audience_kind, audience_id, type, title, description, amount, tx_hash, related_id, status,
			created_at`,
		From: "activities", Guard: q.CachedKey.guard(),
		Order: pg.Order{Name: "activities", Key: "created_at", ID: "id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r activityRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("audience_id = ?", q.Principal.ID)
	list.Length = pg.StoredLengthOf("activities")
	if q.Type != "" {
		list.Filter.Add("type = ?", q.Type)
		list.Length = pg.StoredLength("$1", "= 'activities ' || $2", 2)
	}
	if !q.After.IsZero() || !q.Before.IsZero() {
		list.Length = pg.Length{}
	}
	if !q.After.IsZero() {
		list.Filter.Add("created_at > ?", q.After.UTC()) // PostgreSQL accepts fewer offsets than Go
	}
	if !q.Before.IsZero() {
		list.Filter.Add("created_at < ?", q.Before.UTC())
	}
	return pg.SelectPage(ctx, s.db, list, q.PageQuery, activityRow.activity)
}

// notice is a feed item that follows from a record and not from a log.
type notice struct {
	kind        market.ActivityType
	related     uuid.UUID
	cause       string // unique together with related
	title       string
	description string
}

// notify adds a notice to the feed of one party, once for each cause. The text is fixed: text that
// another party wrote must not reach a feed.
func (s *Store) notify(ctx context.Context, tx *sqlx.Tx, audience market.PrincipalKind, id uuid.UUID, n notice) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO activities (id, audience_id, audience_kind, type, title, description, related_id, status, dedupe_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'confirmed', $8)
		ON CONFLICT (audience_id, dedupe_key) DO NOTHING`,
		uuid.Must(uuid.NewV7()), id, audience, n.kind, n.title, n.description, n.related,
		n.cause+":"+n.related.String())
	return pg.Translate(err, fmt.Sprintf("insert an activity of %s %s", audience, id))
}
