package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
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

// messageFor converts the row. It removes a text that moderation withholds from the reader.
func (r messageRow) messageFor(reader uuid.UUID) market.Message {
	return market.Message{
		ID: r.ID, TaskID: r.TaskID, SenderKind: r.SenderKind, SenderID: r.SenderID,
		Content:   r.Visibility.Content(r.Content, r.SenderID == reader),
		CreatedAt: r.CreatedAt.Time, ReadAt: r.ReadAt.Pointer(),
	}
}

// isParty is true if the principal with the id $2 and the kind $3 is a party to task t.
const isParty = `$2 = CASE $3 WHEN 'agent' THEN t.agent_id ELSE t.human_id END`

// readerIsParty is true if the principal with the id $2 and the kind $3 is a party to the task $1.
const readerIsParty = `EXISTS (SELECT 1 FROM tasks t WHERE t.id = $1 AND ` + isParty + `)`

// messagesLength returns the query for the number of messages that the reader can list. For other
// principals than the parties it is 0, like the list.
func messagesLength() pg.Length {
	stored := pg.StoredLengthOf("messages")
	return pg.Length{Args: 3, SQL: "SELECT CASE WHEN " + readerIsParty + " THEN (" + stored.SQL + ") ELSE 0 END"}
}

// AddMessage inserts a message from one party of a task to the other, notifies the receiver, and
// returns the stored message. Repeating the call with the same id changes nothing. It returns
// KindForbidden if the sender is not a party to the task.
func (s *Store) AddMessage(ctx context.Context, m market.Message) (market.Message, error) {
	err := s.db.TxFor(ctx, m.TaskID, func(tx *sqlx.Tx) error {
		var added struct {
			AgentID   uuid.UUID   `db:"agent_id"`
			HumanID   *uuid.UUID  `db:"human_id"`
			CreatedAt pg.NullTime `db:"created_at"`
			ReadAt    pg.NullTime `db:"read_at"`
		}
		err := s.db.Get(ctx, tx, &added, `
			WITH task AS (
				SELECT t.id, t.agent_id, t.human_id FROM tasks t WHERE t.id = $1 AND `+isParty+`
			), added AS (
				INSERT INTO task_messages AS m (id, task_id, sender_id, sender_kind, content)
				SELECT $4, id, $2, $3, $5 FROM task
				ON CONFLICT (id) DO UPDATE SET read_at = m.read_at WHERE m.sender_id = excluded.sender_id
				RETURNING m.created_at, m.read_at)
			SELECT agent_id, human_id, created_at, read_at FROM task, added`,
			m.TaskID, m.SenderID, m.SenderKind, m.ID, m.Content)
		if err = pg.Translate(err, fmt.Sprintf("insert message %s", m.ID)); market.KindOf(err) == market.KindNotFound {
			return market.Errorf(market.KindForbidden, "only the task's agent and its assigned human can write messages").WithCause(err)
		}
		if err != nil {
			return err
		}
		m.CreatedAt, m.ReadAt = added.CreatedAt.Time, added.ReadAt.Pointer()
		return s.notifyReceiver(ctx, tx, m, added.AgentID, added.HumanID)
	})
	return m, err
}

// notifyReceiver notifies the receiver of a message. It does nothing if there is no assigned human,
// or the human's wallet has never signed in and therefore has no feed.
func (s *Store) notifyReceiver(ctx context.Context, tx *sqlx.Tx, m market.Message, agent uuid.UUID, human *uuid.UUID) error {
	kind, receiver := market.PrincipalAgent, &agent
	if m.SenderKind == market.PrincipalAgent {
		kind, receiver = market.PrincipalHuman, human
	}
	if receiver == nil {
		return nil
	}
	return s.notify(ctx, tx, kind, *receiver,
		notice{kind: market.ActivityMessageReceived, related: m.TaskID, cause: "message-" + m.ID.String()})
}

// Messages lists the messages between the parties of a task, newest first, and marks the returned
// messages that the reader received as read. For other principals the list is empty.
func (s *Store) Messages(ctx context.Context, q MessageQuery) (Page[market.Message], error) {
	list := pg.List[messageRow]{
		What:    "select messages",
		Columns: "m.id, m.task_id, m.sender_kind, m.sender_id, m.content, m.created_at, m.read_at, m.visibility",
		From:    "task_messages m", Length: messagesLength(),
		Order: pg.Order{Name: "messages", Key: "m.created_at", ID: "m.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r messageRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("m.task_id = ?", q.TaskID)
	list.Filter.Add(readerIsParty, q.Reader.ID, q.Reader.Kind)
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
