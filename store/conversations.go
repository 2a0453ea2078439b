package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ConversationQuery selects a member's conversations.
type ConversationQuery struct {
	PageQuery
	Member market.Principal
}

// Conversations is a page of a member's conversations.
type Conversations struct {
	Page[market.Conversation]
	Unread int // total number of unread messages in all conversations of the member
}

type conversationRow struct {
	pg.Listed
	ID        uuid.UUID            `db:"id"`
	Unread    int                  `db:"unread"`
	UpdatedAt pg.NullTime          `db:"updated_at"`
	CreatedAt pg.NullTime          `db:"created_at"`
	WithID    uuid.UUID            `db:"with_id"`
	WithKind  market.PrincipalKind `db:"with_kind"`
	Username  string               `db:"username"`
	Name      string               `db:"name"`

	LastID        *uuid.UUID  `db:"last_id"`
	LastSender    *string     `db:"last_sender"`
	LastSenderID  *uuid.UUID  `db:"last_sender_id"`
	LastContent   *string     `db:"last_content"`
	LastCreatedAt pg.NullTime `db:"last_created_at"`
	LastReadAt    pg.NullTime `db:"last_read_at"`

	LastVisibility *market.Visibility `db:"last_visibility"`
}

func (r conversationRow) conversation() market.Conversation {
	c := market.Conversation{
		ID: r.ID, Unread: r.Unread, UpdatedAt: r.UpdatedAt.Time, CreatedAt: r.CreatedAt.Time,
		With: market.Correspondent{Kind: r.WithKind, ID: r.WithID, Username: r.Username, Name: r.Name},
	}
	if r.LastID != nil {
		c.Last = &market.DirectMessage{
			ID: *r.LastID, ConversationID: r.ID, SenderKind: market.PrincipalKind(pg.OrZero(r.LastSender)),
			SenderID:  pg.OrZero(r.LastSenderID),
			Content:   pg.OrZero(r.LastVisibility).Content(pg.OrZero(r.LastContent), pg.OrZero(r.LastSenderID) != r.WithID),
			CreatedAt: r.LastCreatedAt.Time, ReadAt: r.LastReadAt.Pointer(),
		}
	}
	return c
}

// sideOf returns the kinds of a member and of the other member. The names of their columns begin
// with these kinds.
func sideOf(kind market.PrincipalKind) (own, other market.PrincipalKind) {
	if kind == market.PrincipalAgent {
		return market.PrincipalAgent, market.PrincipalHuman
	}
	return market.PrincipalHuman, market.PrincipalAgent
}

// Conversations lists the member's conversations with their last messages, most recent first.
func (s *Store) Conversations(ctx context.Context, q ConversationQuery) (Conversations, error) {
	own, other := sideOf(q.Member.Kind)
	list := pg.List[conversationRow]{
		What: "select conversations",
		Columns: fmt.Sprintf(`c.id, c.%s_unread AS unread, c.updated_at, c.created_at, u.id AS with_id, u.kind AS with_kind, u.username, u.name,
			m.id AS last_id, m.sender_kind AS last_sender,
			CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS last_sender_id,
			m.content AS last_content, m.visibility AS last_visibility, m.created_at AS last_created_at, m.read_at AS last_read_at`, own),
		From: "conversations c", Length: pg.StoredLengthOf("conversations"),
		Joins: fmt.Sprintf(`
			JOIN users u ON u.id = c.%s_id
			LEFT JOIN LATERAL (
				SELECT d.id, d.sender_kind, d.content, d.visibility, d.created_at, d.read_at
				FROM direct_messages d
				WHERE d.conversation_id = c.id
				ORDER BY d.created_at DESC, d.id DESC
				LIMIT 1) m ON true`, other),
		Order: pg.Order{Name: "conversations", Key: "c.updated_at", ID: "c.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r conversationRow) (string, uuid.UUID) { return pg.TimeKey(r.UpdatedAt.Time), r.ID },
	}
	list.Filter.Add(fmt.Sprintf("c.%s_id = ?", own), q.Member.ID)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, conversationRow.conversation)
	if err != nil {
		return Conversations{}, err
	}
	unread, err := s.UnreadMessages(ctx, q.Member.ID)
	return Conversations{Page: page, Unread: unread}, err
}

// UnreadMessages returns the number of direct messages that the user has not read.
func (s *Store) UnreadMessages(ctx context.Context, user uuid.UUID) (int, error) {
	var unread int
	err := s.db.Get(ctx, nil, &unread, pg.StoredLengthOf("unread").SQL, user)
	return unread, pg.Translate(err, fmt.Sprintf("select the unread count of %s", user))
}

// OpenConversation returns the id of the conversation between the sender and the user with the
// given username, and creates the conversation if necessary. It returns KindNotFound for an unknown
// username and KindInvalid if both users are agents or both are humans.
func (s *Store) OpenConversation(ctx context.Context, sender market.Principal, username string) (uuid.UUID, error) {
	var with struct {
		ID   uuid.UUID            `db:"id"`
		Kind market.PrincipalKind `db:"kind"`
	}
	err := s.db.Get(ctx, nil, &with, `
		SELECT id, kind FROM users WHERE lower(username) COLLATE "C" = lower($1) COLLATE "C"`, username)
	if err = pg.Translate(err, "select the recipient"); market.KindOf(err) == market.KindNotFound {
		return uuid.Nil, market.Errorf(market.KindNotFound, "no user has this username").WithCause(err)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if with.Kind == sender.Kind {
		return uuid.Nil, market.Invalid("username", "same_kind", "must be a user of the other kind: agents write to humans, and humans to agents")
	}
	agent, human := sender.ID, with.ID
	if sender.Kind == market.PrincipalHuman {
		agent, human = human, agent
	}
	return s.conversationOf(ctx, agent, human)
}

// conversationOf returns the id of the conversation between the agent and the human, and creates
// the conversation unless it exists. It does not wait for transactions that write messages to it.
func (s *Store) conversationOf(ctx context.Context, agent, human uuid.UUID) (uuid.UUID, error) {
	_, err := s.db.Exec(ctx, nil, `
		INSERT INTO conversations (id, agent_id, human_id)
		VALUES ($1, $2, $3)
		ON CONFLICT (agent_id, human_id) DO NOTHING`, uuid.Must(uuid.NewV7()), agent, human)
	if err != nil {
		return uuid.Nil, pg.Translate(err, "insert a conversation")
	}
	var id uuid.UUID
	err = s.db.Get(ctx, nil, &id, `SELECT id FROM conversations WHERE agent_id = $1 AND human_id = $2`, agent, human)
	return id, pg.Translate(err, "select a conversation")
}

// lockConversation locks the conversation until tx ends and returns the other member. It returns
// KindForbidden unless the principal is a member.
func (s *Store) lockConversation(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, member market.Principal) (other uuid.UUID, err error) {
	var row struct {
		AgentID uuid.UUID `db:"agent_id"`
		HumanID uuid.UUID `db:"human_id"`
	}
	err = s.db.Get(ctx, tx, &row, `SELECT agent_id, human_id FROM conversations WHERE id = $1 FOR UPDATE`, id)
	switch {
	case err != nil:
		return uuid.Nil, pg.Translate(err, fmt.Sprintf("lock conversation %s", id))
	case member.Kind == market.PrincipalAgent && member.ID == row.AgentID:
		return row.HumanID, nil
	case member.Kind == market.PrincipalHuman && member.ID == row.HumanID:
		return row.AgentID, nil
	}
	return uuid.Nil, errNotAMember
}

var errNotAMember = &market.Error{
	Kind: market.KindForbidden, Message: "you are not a member of this conversation", Cause: errors.New("not a member of the conversation"),
}

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

// messageFor converts the row. It removes a text that moderation withholds from the reader.
func (r directMessageRow) messageFor(reader uuid.UUID) market.DirectMessage {
	return market.DirectMessage{
		ID: r.ID, ConversationID: r.ConversationID, SenderKind: r.SenderKind, SenderID: r.SenderID,
		Content: r.Visibility.Content(r.Content, r.SenderID == reader), CreatedAt: r.CreatedAt.Time, ReadAt: r.ReadAt.Pointer(),
	}
}

// AddDirectMessage inserts a message from a member, counts it as unread, notifies the other member,
// and returns the stored message. Repeating the call with the same id changes nothing. It returns
// KindForbidden if the sender is not a member.
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
		return s.notify(ctx, tx, receiver, other,
			notice{kind: market.ActivityDMReceived, related: m.ConversationID, cause: "dm-" + m.ID.String()})
	})
	return m, err
}

// insertDirectMessage inserts the message and reports whether it is new.
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
			return false, pg.Translate(err, fmt.Sprintf("update the unread count of conversation %s", m.ConversationID))
		}
	}
	var row directMessageRow
	err = s.db.Get(ctx, tx, &row, `
		SELECT id, conversation_id, sender_kind, content, created_at, read_at, visibility
		FROM direct_messages
		WHERE id = $1 AND conversation_id = $2 AND sender_kind = $3`, m.ID, m.ConversationID, sender.Kind)
	row.SenderID = sender.ID
	*m = row.messageFor(sender.ID)
	return n == 1, pg.Translate(err, fmt.Sprintf("select direct message %s", m.ID))
}

// DirectMessages lists the messages in a conversation, newest first, and marks the returned
// messages that the reader received as read. It returns KindForbidden if the reader is not a
// member.
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
		Columns: `m.id, m.conversation_id, m.sender_kind, m.content, m.created_at, m.read_at, m.visibility,
			CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS sender_id`,
		From: "direct_messages m", Joins: " JOIN conversations c ON c.id = m.conversation_id", Length: pg.StoredLengthOf("messages"),
		Order: pg.Order{Name: "direct_messages", Key: "m.created_at", ID: "m.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r directMessageRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("m.conversation_id = ?", q.ConversationID)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, func(r directMessageRow) market.DirectMessage { return r.messageFor(q.Reader.ID) })
	if err != nil {
		return page, err
	}
	return page, s.markRead(ctx, q, page.Items)
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
		// Lock the conversation first: all transactions must change the counts in the same order.
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
		return pg.Translate(err, fmt.Sprintf("update the unread count of conversation %s", q.ConversationID))
	})
}
