package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ConversationQuery says whose conversations are wanted.
type ConversationQuery struct {
	PageQuery
	Member market.Principal
}

// Conversations is a page of a member's conversations.
type Conversations struct {
	Page[market.Conversation]
	Unread int // messages in all of the member's conversations
}

type conversationRow struct {
	pg.Listed
	ID        uuid.UUID            `db:"id"`
	Unread    int                  `db:"unread"`
	UpdatedAt pg.NullTime          `db:"updated_at"`
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
}

func (r conversationRow) conversation() market.Conversation {
	c := market.Conversation{
		ID: r.ID, Unread: r.Unread, UpdatedAt: r.UpdatedAt.Time,
		With: market.Correspondent{Kind: r.WithKind, ID: r.WithID, Username: r.Username, Name: r.Name},
	}
	if r.LastID != nil {
		c.Last = &market.DirectMessage{
			ID: *r.LastID, ConversationID: r.ID, SenderKind: market.PrincipalKind(pg.OrZero(r.LastSender)),
			SenderID: pg.OrZero(r.LastSenderID), Content: pg.OrZero(r.LastContent),
			CreatedAt: r.LastCreatedAt.Time, ReadAt: r.LastReadAt.Pointer(),
		}
	}
	return c
}

// sideOf names a member's columns of conversations, and those of the other.
func sideOf(kind market.PrincipalKind) (own, other market.PrincipalKind) {
	if kind == market.PrincipalAgent {
		return market.PrincipalAgent, market.PrincipalHuman
	}
	return market.PrincipalHuman, market.PrincipalAgent
}

// Conversations lists the member's conversations with their last messages, the
// latest first.
func (s *Store) Conversations(ctx context.Context, q ConversationQuery) (Conversations, error) {
	own, other := sideOf(q.Member.Kind)
	list := pg.List[conversationRow]{
		What: "select conversations",
		Columns: fmt.Sprintf(`c.id, c.%s_unread AS unread, c.updated_at, u.id AS with_id, u.kind AS with_kind, u.username, u.name,
			m.id AS last_id, m.sender_kind AS last_sender,
			CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS last_sender_id,
			m.content AS last_content, m.created_at AS last_created_at, m.read_at AS last_read_at`, own),
		From: "conversations c", Length: pg.StoredLengthOf("conversations"),
		Joins: fmt.Sprintf(`
			JOIN users u ON u.id = c.%s_id
			LEFT JOIN LATERAL (
				SELECT d.id, d.sender_kind, d.content, d.created_at, d.read_at
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

// UnreadMessages counts the direct messages that the user has not read.
func (s *Store) UnreadMessages(ctx context.Context, user uuid.UUID) (int, error) {
	var unread int
	err := s.db.Get(ctx, nil, &unread, pg.StoredLengthOf("unread").SQL, user)
	return unread, pg.Translate(err, fmt.Sprintf("select the unread count of %s", user))
}

// OpenConversation returns the conversation of the sender with the user of the
// given name, which it starts when there is none. KindNotFound for a name that
// nobody has; KindInvalid for one of the sender's own kind.
func (s *Store) OpenConversation(ctx context.Context, sender market.Principal, username string) (uuid.UUID, error) {
	var with struct {
		ID   uuid.UUID            `db:"id"`
		Kind market.PrincipalKind `db:"kind"`
	}
	err := s.db.Get(ctx, nil, &with, `
		SELECT id, kind FROM users WHERE lower(username) COLLATE "C" = lower($1) COLLATE "C"`, username)
	if err = pg.Translate(err, "select the user to write to"); market.KindOf(err) == market.KindNotFound {
		return uuid.Nil, market.Errorf(market.KindNotFound, "nobody has this username").WithCause(err)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if with.Kind == sender.Kind {
		return uuid.Nil, market.Invalid("username", "same_kind", "must be of a user of the other kind: agents and humans write to each other")
	}
	agent, human := sender.ID, with.ID
	if sender.Kind == market.PrincipalHuman {
		agent, human = human, agent
	}
	return s.conversationOf(ctx, agent, human)
}

// conversationOf starts the pair's conversation unless it is there. It waits
// for nobody who writes in it.
func (s *Store) conversationOf(ctx context.Context, agent, human uuid.UUID) (uuid.UUID, error) {
	_, err := s.db.Exec(ctx, nil, `
		INSERT INTO conversations (id, agent_id, human_id)
		VALUES ($1, $2, $3)
		ON CONFLICT (agent_id, human_id) DO NOTHING`, uuid.Must(uuid.NewV7()), agent, human)
	if err != nil {
		return uuid.Nil, pg.Translate(err, "start a conversation")
	}
	var id uuid.UUID
	err = s.db.Get(ctx, nil, &id, `SELECT id FROM conversations WHERE agent_id = $1 AND human_id = $2`, agent, human)
	return id, pg.Translate(err, "select a conversation")
}

// lockConversation keeps others from reading or writing in the conversation
// before tx ends, and says who else is in it. KindForbidden unless the
// principal is.
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
	Kind: market.KindForbidden, Message: "this conversation is not yours", Cause: errors.New("not a member of the conversation"),
}
