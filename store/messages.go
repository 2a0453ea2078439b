package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/pg"
)

// MessageQuery selects the messages about a task for a reader.
type MessageQuery struct {
	PageQuery
	TaskID uuid.UUID
	Reader market.Principal
}

type messageRow struct {
	pg.Listed
	ID         uuid.UUID            `db:"id"`
	TaskID     uuid.UUID            `db:"task_id"`
	SenderKind market.PrincipalKind `db:"sender_kind"`
	SenderID   uuid.UUID            `db:"sender_id"`
	Content    string               `db:"content"`
	CreatedAt  pg.NullTime          `db:"created_at"`
	ReadAt     pg.NullTime          `db:"read_at"`
	Visibility market.Visibility    `db:"visibility"`
}

// messageFor converts the row. It removes the text if moderation withholds it from the reader.
func (r messageRow) messageFor(reader uuid.UUID) market.Message {
	return market.Message{
		ID: r.ID, TaskID: r.TaskID, SenderKind: r.SenderKind, SenderID: r.SenderID,
		Content:   r.Visibility.Content(r.Content, r.SenderID == reader),
		CreatedAt: r.CreatedAt.Time, ReadAt: r.ReadAt.Pointer(),
	}
}

// isParty is true if the principal with the id $2 and the kind $3 is a party to task t.
const isParty = `$2 = CASE $3 WHEN 'agent' THEN t.agent_id ELSE t.human_id END`

// AddMessage inserts a message from one party of a task to the other, notifies the receiver, and
// returns the stored message. Repeating the call with the same id changes nothing. It returns
// KindForbidden if the sender is not a party to the task. There is no receiver if there is no assigned
// human, or the human's wallet has never signed in and therefore has no feed.
func (s *Store) AddMessage(ctx context.Context, m market.Message) (market.Message, error) {
	return s.addMessage(ctx, m, nil)
}

// AddMessageIn is like AddMessage, but also returns KindForbidden unless the task has an assigned human
// with an account, and one of the statuses.
func (s *Store) AddMessageIn(ctx context.Context, m market.Message, statuses []market.Status) (market.Message, error) {
	texts := make(pq.StringArray, len(statuses))
	for i, status := range statuses {
		texts[i] = string(status)
	}
	return s.addMessage(ctx, m, texts)
}

// addMessage inserts the message like AddMessageIn, or like AddMessage if statuses is nil.
func (s *Store) addMessage(ctx context.Context, m market.Message, statuses any) (market.Message, error) {
	_, audience := sideOf(m.SenderKind)
	n := feed.Item{Kind: market.ActivityMessageReceived, Related: m.TaskID, Cause: "message-" + m.ID.String()}
	var added struct {
		CreatedAt pg.NullTime `db:"created_at"`
		ReadAt    pg.NullTime `db:"read_at"`
	}
	account, credential := callerParameters(ctx)
	refused := pq.StringArray{}
	for _, state := range callerOf(ctx).RefusedTo {
		refused = append(refused, string(state))
	}
	err := s.db.GetWrittenFor(ctx, m.TaskID, &added, `
		WITH caller AS MATERIALIZED (
			SELECT CASE WHEN $12::uuid IS NULL THEN 'good' ELSE caller_state($12, $3, $13) END AS state
		), task AS (
			SELECT t.id, CASE $3 WHEN 'agent' THEN t.human_id ELSE t.agent_id END AS receiver
			FROM tasks t
			WHERE (SELECT state IS NOT NULL AND state <> ALL ($14::text[]) FROM caller) AND t.id = $1 AND `+isParty+` AND ($11::text[] IS NULL OR t.human_id IS NOT NULL AND t.status = ANY ($11))
		), added AS (
			INSERT INTO task_messages AS m (id, task_id, sender_id, sender_kind, content)
			SELECT $4, id, $2, $3, $5 FROM task
			ON CONFLICT (id) DO UPDATE SET read_at = m.read_at WHERE m.sender_id = excluded.sender_id
			RETURNING m.created_at, m.read_at
		), notified AS (
			INSERT INTO activities (id, audience_id, audience_kind, type, kind, related_id, status, dedupe_key)
			SELECT $6, task.receiver, $7, $8, $9, task.id, 'confirmed', $10
			FROM task, added
			WHERE task.receiver IS NOT NULL
			ON CONFLICT (audience_id, dedupe_key) DO NOTHING
		)
		SELECT created_at, read_at FROM added`,
		m.TaskID, m.SenderID, m.SenderKind, m.ID, m.Content,
		uuid.Must(uuid.NewV7()), audience, n.Type(audience), n.Kind, n.Key(), statuses,
		account, credential, refused)
	if errors.Is(err, sql.ErrNoRows) {
		if err := s.admitCaller(ctx, nil); err != nil {
			return m, err
		}
	}
	if err = pg.Translate(err, fmt.Sprintf("insert message %s", m.ID)); market.KindOf(err) == market.KindNotFound {
		return m, market.Errorf(market.KindForbidden, "only the task's agent and its assigned human can write messages").WithCause(err)
	}
	m.CreatedAt, m.ReadAt = added.CreatedAt.Time, added.ReadAt.Pointer()
	return m, err
}

// Messages lists the messages between the parties of a task, newest first, and marks the returned
// messages that the reader received as read. For other principals the list is empty.
func (s *Store) Messages(ctx context.Context, q MessageQuery) (Page[market.Message], error) {
	list := pg.List[messageRow]{
		What: "select messages", From: "task_messages m",
		Columns: "m.id, m.task_id, m.sender_kind, m.sender_id, m.content, m.created_at, m.read_at, m.visibility",
		Order:   pg.Order{Name: "messages", Key: "m.created_at", ID: "m.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:     func(r messageRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("m.task_id = ?", q.TaskID)
	list.Filter.Add("EXISTS (SELECT 1 FROM tasks t WHERE t.id = $1 AND "+isParty+")", q.Reader.ID, q.Reader.Kind)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, func(r messageRow) market.Message { return r.messageFor(q.Reader.ID) })
	if err != nil {
		return page, err
	}
	var unread []uuid.UUID
	for _, m := range page.Items {
		if m.SenderID != q.Reader.ID && m.ReadAt == nil {
			unread = append(unread, m.ID)
		}
	}
	if len(unread) == 0 {
		return page, nil
	}
	_, err = s.db.Exec(ctx, nil, `
		UPDATE task_messages SET read_at = now() WHERE id = ANY ($1) AND read_at IS NULL`, pq.Array(unread))
	return page, pg.Translate(err, "mark messages as read")
}
