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

// DirectMessageQuery says which messages of which conversation are wanted, and
// who reads them.
type DirectMessageQuery struct {
	PageQuery
	ConversationID uuid.UUID
	Reader         market.Principal
}

type directMessageRow struct {
	pg.Listed
	ID             uuid.UUID            `db:"id"`
	ConversationID uuid.UUID            `db:"conversation_id"`
	SenderKind     market.PrincipalKind `db:"sender_kind"`
	SenderID       uuid.UUID            `db:"sender_id"`
	Content        string               `db:"content"`
	CreatedAt      pg.NullTime          `db:"created_at"`
	ReadAt         pg.NullTime          `db:"read_at"`
}

func (r directMessageRow) message() market.DirectMessage {
	return market.DirectMessage{
		ID: r.ID, ConversationID: r.ConversationID, SenderKind: r.SenderKind, SenderID: r.SenderID,
		Content: r.Content, CreatedAt: r.CreatedAt.Time, ReadAt: r.ReadAt.Pointer(),
	}
}

// AddDirectMessage records a message of a member, counts it as unread by the
// other, whom it tells, and returns it as it is kept. Doing it again with the
// same id changes nothing. KindForbidden when the sender is no member.
func (s *Store) AddDirectMessage(ctx context.Context, m market.DirectMessage, sender market.Principal) (market.DirectMessage, error) {
	err := s.db.TxFor(ctx, m.ConversationID, func(tx *sqlx.Tx) error {
		other, err := s.lockConversation(ctx, tx, m.ConversationID, sender)
		if err != nil {
			return err
		}
		added, err := s.insertDirectMessage(ctx, tx, &m, sender)
		if err != nil || !added {
			return err
		}
		_, receiver := sideOf(sender.Kind)
		return s.tell(ctx, tx, receiver, other, notice{
			kind: market.ActivityDM, related: m.ConversationID, cause: "dm-" + m.ID.String(),
			title: "New direct message", description: "Somebody wrote to you.",
		})
	})
	return m, err
}

// insertDirectMessage reports whether the message is new.
func (s *Store) insertDirectMessage(ctx context.Context, tx *sqlx.Tx, m *market.DirectMessage, sender market.Principal) (bool, error) {
	n, err := s.db.Exec(ctx, tx, `
		INSERT INTO direct_messages (id, conversation_id, sender_kind, content)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO NOTHING`, m.ID, m.ConversationID, sender.Kind, m.Content)
	if err != nil {
		return false, pg.Translate(err, fmt.Sprintf("insert direct message %s", m.ID))
	}
	if n == 1 {
		_, receiver := sideOf(sender.Kind)
		column := fmt.Sprintf("%s_unread", receiver)
		_, err = s.db.Exec(ctx, tx, `
			UPDATE conversations SET updated_at = now(), `+column+` = `+column+` + 1 WHERE id = $1`, m.ConversationID)
		if err != nil {
			return false, pg.Translate(err, fmt.Sprintf("count a message in conversation %s", m.ConversationID))
		}
	}
	var row directMessageRow
	err = s.db.Get(ctx, tx, &row, `
		SELECT id, conversation_id, sender_kind, content, created_at, read_at
		FROM direct_messages
		WHERE id = $1 AND conversation_id = $2 AND sender_kind = $3`, m.ID, m.ConversationID, sender.Kind)
	row.SenderID = sender.ID
	*m = row.message()
	return n == 1, pg.Translate(err, fmt.Sprintf("select direct message %s", m.ID))
}

// DirectMessages lists a conversation, newest first, and marks what the reader
// is thereby shown as read. KindForbidden when the reader is no member.
func (s *Store) DirectMessages(ctx context.Context, q DirectMessageQuery) (Page[market.DirectMessage], error) {
	var member bool
	own, _ := sideOf(q.Reader.Kind)
	err := s.db.Get(ctx, nil, &member, `
		SELECT `+fmt.Sprintf("%s_id", own)+` = $2 FROM conversations WHERE id = $1`, q.ConversationID, q.Reader.ID)
	if err != nil {
		return Page[market.DirectMessage]{}, pg.Translate(err, fmt.Sprintf("select conversation %s", q.ConversationID))
	}
	if !member {
		return Page[market.DirectMessage]{}, errNotAMember
	}
	list := pg.List[directMessageRow]{
		What: "select direct messages",
		Columns: `m.id, m.conversation_id, m.sender_kind, m.content, m.created_at, m.read_at,
			CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS sender_id`,
		From: "direct_messages m", Joins: " JOIN conversations c ON c.id = m.conversation_id", Length: pg.StoredLengthOf("messages"),
		Order: pg.Order{Name: "direct_messages", Key: "m.created_at", ID: "m.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r directMessageRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("m.conversation_id = ?", q.ConversationID)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, directMessageRow.message)
	if err != nil {
		return page, err
	}
	return page, s.markRead(ctx, q, page.Items)
}

// markRead notes that the reader has seen what the other wrote.
func (s *Store) markRead(ctx context.Context, q DirectMessageQuery, messages []market.DirectMessage) error {
	var unread []uuid.UUID
	for _, m := range messages {
		if m.SenderKind != q.Reader.Kind && m.ReadAt == nil {
			unread = append(unread, m.ID)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	return s.db.TxFor(ctx, q.ConversationID, func(tx *sqlx.Tx) error {
		// Locked first, so that counts change in one order everywhere.
		if _, err := s.lockConversation(ctx, tx, q.ConversationID, q.Reader); err != nil {
			return err
		}
		n, err := s.db.Exec(ctx, tx, `
			UPDATE direct_messages SET read_at = now() WHERE id = ANY ($1) AND read_at IS NULL`, pq.Array(unread))
		if err != nil {
			return pg.Translate(err, "mark direct messages as read")
		}
		own, _ := sideOf(q.Reader.Kind)
		column := fmt.Sprintf("%s_unread", own)
		_, err = s.db.Exec(ctx, tx, `UPDATE conversations SET `+column+` = `+column+` - $2 WHERE id = $1`, q.ConversationID, n)
		return pg.Translate(err, fmt.Sprintf("count what was read in conversation %s", q.ConversationID))
	})
}
