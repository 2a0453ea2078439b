package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ActivityQuery selects items from a principal's activity feed. Zero fields do not restrict the
// list.
type ActivityQuery struct {
	PageQuery
	Principal market.Principal
	Type      market.ActivityType
	After     time.Time // exclusive lower bound of the creation time
	Before    time.Time // exclusive upper bound of the creation time
}

type activityRow struct {
	pg.Listed
	ID           uuid.UUID             `db:"id"`
	Type         market.ActivityType   `db:"type"`
	Kind         market.ActivityKind   `db:"kind"`
	Actor        market.PrincipalKind  `db:"actor"`
	RevertedKind market.ActivityKind   `db:"reverted_kind"`
	TaskID       *uuid.UUID            `db:"task_id"`
	TaskTitle    string                `db:"task_title"`
	OtherName    string                `db:"other_name"`
	OtherUser    string                `db:"other_username"`
	Amount       pg.Wei                `db:"amount"`
	TxHash       pg.NullHash           `db:"tx_hash"`
	RelatedID    *uuid.UUID            `db:"related_id"`
	Status       market.ActivityStatus `db:"status"`
	CreatedAt    pg.NullTime           `db:"created_at"`
}

// activityColumns and activityJoins select an activityRow. An item of type application is related to the
// application, so its task is joined through the application. The title of a removed task is shown to its
// parties only. o is the other party: the applicant of an application, the other member of a conversation, or
// the other party of the task.
const (
	activityColumns = `a.id, a.type, a.kind, coalesce(a.actor, '') AS actor,
		coalesce(a.reverted_kind, '') AS reverted_kind,
		t.id AS task_id,
		CASE WHEN t.visibility <> 'removed' OR a.audience_id IN (t.agent_id, t.human_id) THEN t.title ELSE '' END AS task_title,
		coalesce(o.name, '') AS other_name, coalesce(o.username, '') AS other_username, a.amount, a.tx_hash,
		a.related_id, a.status, a.created_at`
	activityJoins = `
		LEFT JOIN applications p ON p.id = a.related_id AND a.type = 'application'
		LEFT JOIN tasks t ON t.id = coalesce(p.task_id, a.related_id)
		LEFT JOIN conversations c ON c.id = a.related_id AND a.type = 'dm'
		LEFT JOIN users o ON o.id = CASE a.audience_kind
			WHEN 'agent' THEN coalesce(p.human_id, t.human_id, c.human_id) ELSE coalesce(t.agent_id, c.agent_id) END`
)

// activity converts the row of an item in the feed of the audience with the id.
func (r activityRow) activity(audience market.PrincipalKind, id uuid.UUID) market.Activity {
	return market.Activity{
		ID: r.ID, Audience: audience, AudienceID: id, Type: r.Type,
		Content: market.ActivityContent{Kind: r.Kind, Actor: r.Actor, RevertedKind: r.RevertedKind},
		TaskID:  r.TaskID, TaskTitle: r.TaskTitle, OtherName: r.OtherName, OtherUsername: r.OtherUser,
		Amount: r.Amount.Int, TxHash: r.TxHash.Pointer(), RelatedID: r.RelatedID, Status: r.Status, CreatedAt: r.CreatedAt.Time,
	}
}

// Activities lists the principal's feed, newest first.
func (s *Store) Activities(ctx context.Context, q ActivityQuery) (Page[market.Activity], error) {
	list := pg.List[activityRow]{
		What: "select activities", Columns: activityColumns, From: "activities a", Joins: activityJoins,
		Order: pg.Order{Name: "activities", Key: "a.created_at", ID: "a.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r activityRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("a.audience_id = ?", q.Principal.ID)
	list.Length = "SELECT coalesce(sum(items), 0)::bigint FROM activity_counts WHERE audience_id = $1"
	if q.Type != "" {
		list.Filter.Add("a.type = ?", q.Type)
		list.Length += " AND type = $2"
	}
	if !q.After.IsZero() || !q.Before.IsZero() {
		list.Length = ""
	}
	if !q.After.IsZero() {
		list.Filter.Add("a.created_at > ?", q.After.UTC()) // UTC, because PostgreSQL accepts a smaller range of UTC offsets than Go
	}
	if !q.Before.IsZero() {
		list.Filter.Add("a.created_at < ?", q.Before.UTC())
	}
	return pg.SelectPage(ctx, s.db, list, q.PageQuery, func(r activityRow) market.Activity {
		return r.activity(q.Principal.Kind, q.Principal.ID)
	})
}
