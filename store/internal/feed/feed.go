// Package feed adds the items of feeds that are not derived from the chain.
package feed

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Item is a feed item that is not derived from the chain.
type Item struct {
	Kind    market.ActivityKind
	Related uuid.UUID // zero if the item is not related to a record that the feed links to
	Cause   string    // unique together with Related
}

// Type returns the type of the item in the audience's feed.
func (i Item) Type(audience market.PrincipalKind) market.ActivityType {
	text, _ := market.ActivityContent{Kind: i.Kind}.TextFor(audience) // the database rejects a kind without a text
	return text.Type
}

// Key identifies the item in its feed.
func (i Item) Key() string { return i.Cause + ":" + i.Related.String() }

// Add adds an item to one party's feed, once for each cause and related record.
func Add(ctx context.Context, db *pg.DB, tx *sqlx.Tx, audience market.PrincipalKind, id uuid.UUID, i Item) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, related_id, status, dedupe_key)
		VALUES ($1, $2, $3, $4, $5, $6, 'confirmed', $7)
		ON CONFLICT (audience_id, dedupe_key) DO NOTHING`,
		uuid.Must(uuid.NewV7()), id, audience, i.Type(audience), i.Kind, uuid.NullUUID{UUID: i.Related, Valid: i.Related != uuid.Nil}, i.Key())
	return pg.Translate(err, fmt.Sprintf("insert an activity of %s %s", audience, id))
}
