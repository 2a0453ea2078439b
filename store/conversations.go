package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// ConversationQuery selects a member's conversations.
type ConversationQuery struct {
	PageQuery
	Member market.Principal
	Folder market.Folder // empty means the inbox
}

// Conversations is a page of a member's conversations.
type Conversations struct {
	Page[market.Conversation]
	Unread int // total number of messages that count as unread for the member, regardless of the folder
}

type conversationRow struct {
	pg.Listed
	ID        uuid.UUID            `db:"id"`
	OwnID     uuid.UUID            `db:"own_id"`
	Unread    int                  `db:"unread"`
	Requested bool                 `db:"requested"`
	Muted     bool                 `db:"muted"`
	Blocked   bool                 `db:"blocked"`
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
		ID: r.ID, UpdatedAt: r.UpdatedAt.Time, CreatedAt: r.CreatedAt.Time,
		Membership: market.Membership{Requested: r.Requested, Muted: r.Muted, Blocked: r.Blocked},
		With:       market.Correspondent{Kind: r.WithKind, ID: r.WithID, Username: r.Username, Name: r.Name},
	}
	if c.Notifies() {
		c.Unread = r.Unread
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
func sideOf(kind market.PrincipalKind) (self, other market.PrincipalKind) {
	if kind == market.PrincipalAgent {
		return market.PrincipalAgent, market.PrincipalHuman
	}
	return market.PrincipalHuman, market.PrincipalAgent
}

// conversationColumns returns the columns of a conversationRow for a member of this kind.
func conversationColumns(kind market.PrincipalKind) string {
	self, _ := sideOf(kind)
	return fmt.Sprintf(`c.id, c.%[1]s_id AS own_id, c.%[1]s_unread AS unread, c.%[1]s_requested AS requested, c.%[1]s_muted AS muted, c.%[1]s_blocked AS blocked,
		c.updated_at, c.created_at, u.id AS with_id, u.kind AS with_kind, u.username, u.name,
		m.id AS last_id, m.sender_kind AS last_sender,
		CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END AS last_sender_id,
		m.content AS last_content, m.visibility AS last_visibility, m.created_at AS last_created_at, m.read_at AS last_read_at`, self)
}

// conversationJoins returns the joins of conversationColumns.
func conversationJoins(kind market.PrincipalKind) string {
	_, other := sideOf(kind)
	return fmt.Sprintf(`
		JOIN users u ON u.id = c.%s_id
		LEFT JOIN LATERAL (
			SELECT d.id, d.sender_kind, d.content, d.visibility, d.created_at, d.read_at
			FROM direct_messages d
			WHERE d.conversation_id = c.id
			ORDER BY d.created_at DESC, d.id DESC
			LIMIT 1) m ON true`, other)
}

// Conversations lists the member's conversations in a folder with their last messages, most recent
// first.
func (s *Store) Conversations(ctx context.Context, q ConversationQuery) (Conversations, error) {
	page, err := pg.SelectPage(ctx, s.db, conversationList(q), q.PageQuery, conversationRow.conversation)
	if err != nil {
		return Conversations{}, err
	}
	unread, err := s.UnreadMessages(ctx, q.Member)
	return Conversations{Page: page, Unread: unread}, err
}

func conversationList(q ConversationQuery) pg.List[conversationRow] {
	self, _ := sideOf(q.Member.Kind)
	list := pg.List[conversationRow]{
		What:    "select conversations",
		Columns: conversationColumns(q.Member.Kind),
		From:    "conversations c", Joins: conversationJoins(q.Member.Kind),
		Order: pg.Order{Name: "conversations", Key: "c.updated_at", ID: "c.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r conversationRow) (string, uuid.UUID) { return pg.TimeKey(r.UpdatedAt.Time), r.ID },
	}
	list.Filter.Add(fmt.Sprintf("c.%s_id = ?", self), q.Member.ID)
	list.Filter.Add(fmt.Sprintf("conversation_folder(c.%[1]s_requested, c.%[1]s_blocked) = ?", self), cmp.Or(q.Folder, market.FolderInbox))
	return list
}

// UnreadMessages returns the number of direct messages that count as unread for the member: those in the
// inbox, except in muted conversations.
func (s *Store) UnreadMessages(ctx context.Context, member market.Principal) (int, error) {
	self, _ := sideOf(member.Kind)
	var unread int
	err := s.db.Get(ctx, nil, &unread, fmt.Sprintf(`
		SELECT coalesce(sum(%[1]s_unread), 0)
		FROM conversations
		WHERE %[1]s_id = $1 AND %[1]s_unread > 0 AND NOT %[1]s_muted AND conversation_folder(%[1]s_requested, %[1]s_blocked) = 'inbox'`, self), member.ID)
	return unread, pg.Translate(err, fmt.Sprintf("select the unread count of %s", member.ID))
}

// OpenConversation returns the id of the conversation between the sender and the user with the
// given username, and creates the conversation if necessary: as a request, if the sender is a stranger
// to the user. It returns KindNotFound for an unknown username, KindRestricted for a limited or suspended
// sender, KindInvalid if both users are agents or both are humans, and KindRateLimited if a new request
// would exceed market.MaxDailyRequests.
func (s *Store) OpenConversation(ctx context.Context, sender market.Principal, username string) (uuid.UUID, error) {
	var with struct {
		ID          uuid.UUID            `db:"id"`
		Kind        market.PrincipalKind `db:"kind"`
		SenderState market.AccountState  `db:"sender_state"`
	}
	err := s.db.Get(ctx, nil, &with, `
		SELECT id, kind, (SELECT account_state FROM users WHERE id = $2) AS sender_state
		FROM users
		WHERE lower(username) COLLATE "C" = lower($1) COLLATE "C"`, username, sender.ID)
	if err = pg.Translate(err, "select the recipient"); market.KindOf(err) == market.KindNotFound {
		return uuid.Nil, market.Errorf(market.KindNotFound, "no user has this username").WithHint("check the spelling of the username").WithCause(err)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if with.SenderState.Restricted() {
		return uuid.Nil, with.SenderState.Refusal()
	}
	if with.Kind == sender.Kind {
		return uuid.Nil, market.Invalid("username", "same_kind", "must be a user of the other kind: agents write to humans, and humans to agents")
	}
	return s.conversationOf(ctx, sender, with.ID)
}

// conversationOf returns the id of the conversation between the sender and the receiver, and creates
// the conversation unless it exists. It does not wait for transactions that write messages to the
// conversation.
func (s *Store) conversationOf(ctx context.Context, sender market.Principal, receiver uuid.UUID) (uuid.UUID, error) {
	self, other := sideOf(sender.Kind)
	find := fmt.Sprintf(`SELECT id FROM conversations WHERE %s_id = $1 AND %s_id = $2`, self, other)
	var id uuid.UUID
	err := s.db.Get(ctx, nil, &id, find, sender.ID, receiver)
	if err = pg.Translate(err, "select a conversation"); market.KindOf(err) != market.KindNotFound {
		return id, err
	}
	relation, err := s.acquaintance(ctx, nil, sender, receiver)
	if err != nil {
		return uuid.Nil, err
	}
	err = s.db.TxFor(ctx, sender.ID, func(tx *sqlx.Tx) error {
		if relation.Stranger() {
			if err := s.checkRequests(ctx, tx, sender, receiver); err != nil {
				return err
			}
		}
		_, err := s.db.Exec(ctx, tx, fmt.Sprintf(`
			INSERT INTO conversations (id, %[1]s_id, %[2]s_id, %[2]s_requested)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (agent_id, human_id) DO NOTHING`, self, other), uuid.Must(uuid.NewV7()), sender.ID, receiver, relation.Stranger())
		if err != nil {
			return pg.Translate(err, "insert a conversation")
		}
		return pg.Translate(s.db.Get(ctx, tx, &id, find, sender.ID, receiver), "select a conversation")
	})
	return id, err
}

// checkRequests returns KindRateLimited if market.MaxDailyRequests requests that the sender opened in the last
// 24 hours have not been accepted. It does not count a request to this receiver.
func (s *Store) checkRequests(ctx context.Context, tx *sqlx.Tx, sender market.Principal, receiver uuid.UUID) error {
	// The lock prevents concurrent requests from exceeding the limit.
	if err := s.db.Serialize(ctx, tx, "requests", sender.ID); err != nil {
		return err
	}
	self, other := sideOf(sender.Kind)
	var open int
	err := s.db.Get(ctx, tx, &open, fmt.Sprintf(`
		SELECT count(*) FROM (
			SELECT 1 FROM conversations
			WHERE %[1]s_id = $1 AND %[2]s_id <> $3 AND %[2]s_requested AND created_at > now() - interval '24 hours'
			LIMIT $2
		) c`, self, other), sender.ID, market.MaxDailyRequests, receiver)
	if err != nil {
		return pg.Translate(err, "count the requests of the last 24 hours")
	}
	if open >= market.MaxDailyRequests {
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you opened %d conversations in the last 24 hours that the receivers have not accepted, which is the limit", open),
			Hint: "wait until some of them are accepted, or try again later", RetryAfter: time.Hour,
		}
	}
	return nil
}

// acquaintance returns the receiver's relation to the sender.
func (s *Store) acquaintance(ctx context.Context, tx *sqlx.Tx, sender market.Principal, receiver uuid.UUID) (market.Acquaintance, error) {
	agent, human := sender.ID, receiver
	if sender.Kind == market.PrincipalHuman {
		agent, human = receiver, sender.ID
	}
	var relation market.Acquaintance
	err := s.db.Get(ctx, tx, &relation, `
		SELECT EXISTS (SELECT 1 FROM tasks t WHERE t.human_id = $2 AND t.agent_id = $1) AS hired,
		       $3 = 'agent' AND EXISTS (
		           SELECT 1 FROM applications a JOIN tasks t ON t.id = a.task_id WHERE a.human_id = $2 AND t.agent_id = $1) AS applied`,
		agent, human, sender.Kind)
	return relation, pg.Translate(err, "select the relation between two users")
}

// sides is a conversation from the point of view of one member.
type sides struct {
	OwnID    uuid.UUID           `db:"own_id"`
	OwnState market.AccountState `db:"own_state"`
	OtherID  uuid.UUID           `db:"other_id"`
	Own      market.Membership   `db:"own"`
	Other    market.Membership   `db:"other"`
}

// selectSides returns the statement that selects the sides of the conversation $1 for a member of
// this kind.
func selectSides(kind market.PrincipalKind) string {
	self, other := sideOf(kind)
	return fmt.Sprintf(`
		SELECT %[1]s_id AS own_id, (SELECT account_state FROM users WHERE id = %[1]s_id) AS own_state, %[1]s_requested AS "own.requested", %[1]s_muted AS "own.muted", %[1]s_blocked AS "own.blocked",
		       %[2]s_id AS other_id, %[2]s_requested AS "other.requested", %[2]s_muted AS "other.muted", %[2]s_blocked AS "other.blocked"
		FROM conversations
		WHERE id = $1`, self, other)
}

// sidesOf returns the sides of a conversation. It returns KindForbidden unless the principal is a
// member.
func (s *Store) sidesOf(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, member market.Principal, statement string) (sides, error) {
	var both sides
	err := s.db.Get(ctx, tx, &both, statement, id)
	switch {
	case err != nil:
		return sides{}, pg.Translate(err, fmt.Sprintf("select conversation %s", id))
	case both.OwnID != member.ID:
		return sides{}, errNotAMember
	}
	return both, nil
}

// lockConversation locks the conversation until tx ends and returns its sides. It returns
// KindForbidden unless the principal is a member.
func (s *Store) lockConversation(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, member market.Principal) (sides, error) {
	return s.sidesOf(ctx, tx, id, member, selectSides(member.Kind)+" FOR UPDATE")
}

var errNotAMember = &market.Error{
	Kind: market.KindForbidden, Message: "you are not a member of this conversation", Cause: errors.New("not a member of the conversation"),
}

// ChangeConversation applies an act to the member's own side of a conversation, for example
// (*market.Membership).Accept, and returns the conversation. Repeating an act changes nothing. It
// returns KindForbidden unless the principal is a member, and the error of the act.
func (s *Store) ChangeConversation(
	ctx context.Context, id uuid.UUID, member market.Principal, act func(*market.Membership) error,
) (market.Conversation, error) {
	var conversation market.Conversation
	err := s.db.TxFor(ctx, id, func(tx *sqlx.Tx) error {
		both, err := s.lockConversation(ctx, tx, id, member)
		if err != nil {
			return err
		}
		changed := both.Own
		if err := act(&changed); err != nil {
			return err
		}
		if err := s.updateMembership(ctx, tx, id, member.Kind, both.Own, changed); err != nil {
			return err
		}
		conversation, err = s.conversation(ctx, tx, id, member)
		return err
	})
	return conversation, err
}

// conversation returns a conversation as the member sees it. It returns KindForbidden unless the
// principal is a member.
func (s *Store) conversation(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, member market.Principal) (market.Conversation, error) {
	var row conversationRow
	err := s.db.Get(ctx, tx, &row, `
		SELECT `+conversationColumns(member.Kind)+`
		FROM conversations c`+conversationJoins(member.Kind)+`
		WHERE c.id = $1`, id)
	switch {
	case err != nil:
		return market.Conversation{}, pg.Translate(err, fmt.Sprintf("select conversation %s", id))
	case row.OwnID != member.ID:
		return market.Conversation{}, errNotAMember
	}
	return row.conversation(), nil
}

// updateMembership stores the side of the member of this kind, if it has changed. The caller has
// locked the conversation.
func (s *Store) updateMembership(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, kind market.PrincipalKind, before, after market.Membership) error {
	if before == after {
		return nil
	}
	_, err := s.db.Exec(ctx, tx, fmt.Sprintf(`
		UPDATE conversations SET %[1]s_requested = $2, %[1]s_muted = $3, %[1]s_blocked = $4 WHERE id = $1`, kind),
		id, after.Requested, after.Muted, after.Blocked)
	return pg.Translate(err, fmt.Sprintf("update conversation %s", id))
}
