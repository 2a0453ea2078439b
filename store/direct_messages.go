package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/pg"
)

// DirectMessageQuery selects the messages in a conversation for a reader.
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
	Visibility     market.Visibility    `db:"visibility"`
}

// messageFor converts the row. It removes the text if moderation withholds it from the reader.
func (r directMessageRow) messageFor(reader uuid.UUID) market.DirectMessage {
	return market.DirectMessage{
		ID: r.ID, ConversationID: r.ConversationID, SenderKind: r.SenderKind, SenderID: r.SenderID,
		Content: r.Visibility.Content(r.Content, r.SenderID == reader), CreatedAt: r.CreatedAt.Time, ReadAt: r.ReadAt.Pointer(),
	}
}

// AddDirectMessage inserts a message from a member and returns the stored message. If the conversation
// was a request to the sender, the message accepts it. The other member is notified unless the
// conversation is muted or a request on that side. Repeating the call with the same id changes
// nothing. It returns KindForbidden if the sender is not a member, if the other member has blocked the
// sender, or if the sender has written market.MaxRequestMessages messages in a request that the other
// member has not accepted, KindWrongStatus if the sender has blocked the other member, and
// KindRestricted for a suspended sender.
func (s *Store) AddDirectMessage(ctx context.Context, m market.DirectMessage, sender market.Principal) (market.DirectMessage, error) {
	err := s.db.TxFor(ctx, m.ConversationID, func(tx *sqlx.Tx) error {
		both, err := s.lockConversation(ctx, tx, m.ConversationID, sender)
		if err != nil {
			return err
		}
		stored, err := s.sentMessage(ctx, tx, m, sender)
		if market.KindOf(err) != market.KindNotFound {
			m = stored
			return err
		}
		if both.OwnState == market.AccountSuspended {
			return both.OwnState.Refusal()
		}
		if both, err = s.admitMessage(ctx, tx, m.ConversationID, both, sender); err != nil {
			return err
		}
		if m, err = s.insertDirectMessage(ctx, tx, m, sender); err != nil || !both.Other.Notifies() {
			return err
		}
		_, receiver := sideOf(sender.Kind)
		return feed.Add(ctx, s.db, tx, receiver, both.OtherID,
			feed.Item{Kind: market.ActivityDMReceived, Related: m.ConversationID, Cause: "dm-" + m.ID.String()})
	})
	return m, err
}

// admitMessage checks that the sender can write to the other member, and stores the changes that the
// message makes to the sides of the conversation. It returns the changed sides.
func (s *Store) admitMessage(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, both sides, sender market.Principal) (sides, error) {
	after := both
	if err := after.Own.Send(); err != nil {
		return both, err
	}
	var relation market.Acquaintance
	var written int
	if both.Other.Requested {
		var err error
		if relation, err = s.acquaintance(ctx, tx, sender, both.OtherID); err != nil {
			return both, err
		}
		err = s.db.Get(ctx, tx, &written, `
			SELECT count(*) FROM direct_messages WHERE conversation_id = $1 AND sender_kind = $2`, id, sender.Kind)
		if err != nil {
			return both, pg.Translate(err, fmt.Sprintf("count the messages of conversation %s", id))
		}
	}
	if err := after.Other.Receive(relation, written); err != nil {
		return both, err
	}
	self, other := sideOf(sender.Kind)
	if err := s.updateMembership(ctx, tx, id, self, both.Own, after.Own); err != nil {
		return both, err
	}
	return after, s.updateMembership(ctx, tx, id, other, both.Other, after.Other)
}

const directMessageColumns = "id, conversation_id, sender_kind, content, created_at, read_at, visibility"

// sentMessage returns the stored message with the id of m. It returns KindNotFound if the sender has
// not sent it.
func (s *Store) sentMessage(ctx context.Context, tx *sqlx.Tx, m market.DirectMessage, sender market.Principal) (market.DirectMessage, error) {
	row := directMessageRow{SenderID: sender.ID}
	err := s.db.Get(ctx, tx, &row, `
		SELECT `+directMessageColumns+`
		FROM direct_messages
		WHERE id = $1 AND conversation_id = $2 AND sender_kind = $3`, m.ID, m.ConversationID, sender.Kind)
	return row.messageFor(sender.ID), pg.Translate(err, fmt.Sprintf("select direct message %s", m.ID))
}

// insertDirectMessage inserts the message, counts it as unread and returns the stored message.
func (s *Store) insertDirectMessage(ctx context.Context, tx *sqlx.Tx, m market.DirectMessage, sender market.Principal) (market.DirectMessage, error) {
	row := directMessageRow{SenderID: sender.ID}
	err := s.db.Get(ctx, tx, &row, `
		INSERT INTO direct_messages (id, conversation_id, sender_kind, content)
		VALUES ($1, $2, $3, $4)
		RETURNING `+directMessageColumns, m.ID, m.ConversationID, sender.Kind, m.Content)
	if err != nil {
		return m, pg.Translate(err, fmt.Sprintf("insert direct message %s", m.ID))
	}
	_, receiver := sideOf(sender.Kind)
	column := fmt.Sprintf("%s_unread", receiver)
	_, err = s.db.Exec(ctx, tx, `
		UPDATE conversations SET updated_at = now(), `+column+` = `+column+` + 1 WHERE id = $1`, m.ConversationID)
	return row.messageFor(sender.ID), pg.Translate(err, fmt.Sprintf("update the unread count of conversation %s", m.ConversationID))
}

// DirectMessages is a page of a conversation's messages, with the conversation as it was before they
// were read.
type DirectMessages struct {
	Page[market.DirectMessage]
	Conversation market.Conversation
}

// DirectMessages lists the messages in a conversation, newest first. It marks the returned messages
// that the reader received as read, unless the conversation is a request or blocked. It returns
// KindForbidden if the reader is not a member.
func (s *Store) DirectMessages(ctx context.Context, q DirectMessageQuery) (DirectMessages, error) {
	conversation, err := s.conversation(ctx, nil, q.ConversationID, q.Reader)
	if err != nil {
		return DirectMessages{}, err
	}
	list := pg.List[directMessageRow]{
		What: "select direct messages",
		Columns: `m.id, m.conversation_id, m.sender_kind, m.content, m.created_at, m.read_at, m.visibility,
			CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS sender_id`,
		From: "direct_messages m", Joins: " JOIN conversations c ON c.id = m.conversation_id",
		Order: pg.Order{Name: "direct_messages", Key: "m.created_at", ID: "m.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r directMessageRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("m.conversation_id = ?", q.ConversationID)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, func(r directMessageRow) market.DirectMessage { return r.messageFor(q.Reader.ID) })
	if err == nil && conversation.ConfirmsReading() {
		err = s.markRead(ctx, q, page.Items)
	}
	return DirectMessages{Page: page, Conversation: conversation}, err
}

// markRead marks the messages that the reader received as read.
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
		// Lock the conversation first, as AddDirectMessage does, so that the transactions cannot deadlock.
		if _, err := s.lockConversation(ctx, tx, q.ConversationID, q.Reader); err != nil {
			return err
		}
		n, err := s.db.Exec(ctx, tx, `
			UPDATE direct_messages SET read_at = now() WHERE id = ANY ($1) AND read_at IS NULL`, pq.Array(unread))
		if err != nil {
			return pg.Translate(err, "mark direct messages as read")
		}
		self, _ := sideOf(q.Reader.Kind)
		column := fmt.Sprintf("%s_unread", self)
		_, err = s.db.Exec(ctx, tx, `UPDATE conversations SET `+column+` = `+column+` - $2 WHERE id = $1`, q.ConversationID, n)
		return pg.Translate(err, fmt.Sprintf("update the unread count of conversation %s", q.ConversationID))
	})
}
