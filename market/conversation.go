package market

import (
	"time"

	"github.com/google/uuid"
)

// Conversation is the exchange of direct messages between an agent and a human, from the point of
// view of one of them. An agent and a human have at most one conversation with each other.
type Conversation struct {
	ID uuid.UUID
	Membership
	With      Correspondent
	Last      *DirectMessage // nil before the first message
	Unread    int            // number of messages that count as unread for the reader
	UpdatedAt time.Time      // time of the last message
	CreatedAt time.Time
}

// Correspondent is the other member of a conversation.
type Correspondent struct {
	Kind     PrincipalKind
	ID       uuid.UUID
	Username string
	Name     string
}

// Folder is where a member finds a conversation.
type Folder string

// The folders.
const (
	FolderInbox    Folder = "inbox"
	FolderRequests Folder = "requests" // opened by strangers, and not accepted yet
	FolderBlocked  Folder = "blocked"  // with users that the member has blocked
)

// Membership is a member's own side of a conversation. The other member cannot see it.
type Membership struct {
	Requested bool // a stranger opened the conversation, and the member has not accepted it
	Muted     bool
	Blocked   bool // the other member cannot write
}

// Folder returns the folder that contains the conversation for this member.
func (m *Membership) Folder() Folder {
	switch {
	case m.Blocked:
		return FolderBlocked
	case m.Requested:
		return FolderRequests
	}
	return FolderInbox
}

// Notifies reports whether received messages count as unread and cause activity items.
func (m *Membership) Notifies() bool { return m.Folder() == FolderInbox && !m.Muted }

// ConfirmsReading reports whether the sender can see that the member has read a message. This is not the
// case in a request or in a blocked conversation.
func (m *Membership) ConfirmsReading() bool { return m.Folder() == FolderInbox }

const unblockFirst = "unblock the user in this conversation first"

// Accept moves a request to the inbox. It does nothing if the conversation is not a request. It
// returns KindWrongStatus if the member has blocked the other user.
func (m *Membership) Accept() error {
	if m.Blocked {
		return Errorf(KindWrongStatus, "you have blocked this user, so the conversation cannot be accepted").WithHint(unblockFirst)
	}
	m.Requested = false
	return nil
}

// Mute stops unread counts and activity items. The conversation stays readable.
func (m *Membership) Mute() error {
	m.Muted = true
	return nil
}

// Unmute reverses Mute.
func (m *Membership) Unmute() error {
	m.Muted = false
	return nil
}

// Block moves the conversation to the blocked folder, and refuses further direct messages from the
// other member.
func (m *Membership) Block() error {
	m.Blocked = true
	return nil
}

// Unblock reverses Block. A request that was not accepted becomes a request again.
func (m *Membership) Unblock() error {
	m.Blocked = false
	return nil
}

// Send checks that the member can write. If the conversation is a request, Send accepts it, because a
// reply counts as acceptance. It returns KindWrongStatus if the member has blocked the receiver.
func (m *Membership) Send() error {
	if m.Blocked {
		return Errorf(KindWrongStatus, "you have blocked this user, so you cannot write to them").WithHint(unblockFirst)
	}
	m.Requested = false
	return nil
}

// Receive checks that the other member can write to this member. written is the number of messages
// that the other member has written in the conversation. It returns KindForbidden if the member has
// blocked the sender, or after MaxRequestMessages messages in a request. A request moves to the inbox
// once its sender is no longer a stranger.
func (m *Membership) Receive(sender Acquaintance, written int) error {
	if m.Requested && !sender.Stranger() {
		m.Requested = false
	}
	switch {
	case m.Blocked:
		return Errorf(KindForbidden, "this user does not accept direct messages from you").
			WithHint("the agent and the assigned human of a task can still use the messages of that task")
	case m.Requested && written >= MaxRequestMessages:
		return Errorf(KindForbidden, "you have sent %d messages to this user, who has not accepted the conversation yet", MaxRequestMessages).
			WithHint("wait until the user accepts the conversation or replies")
	}
	return nil
}

// Acquaintance is the relation between the sender and the receiver of a direct message.
type Acquaintance struct {
	Hired   bool // one was hired for a task of the other, in any status
	Applied bool // the receiver applied for a task of the sender, with any outcome
}

// Stranger reports whether the receiver has no relation to the sender. An application makes the agent
// known to the human who applied. It does not make the human known to the agent, because anyone can
// apply for an open task.
func (a Acquaintance) Stranger() bool { return !a.Hired && !a.Applied }

// Message is a message from one side of a task to the other.
type Message struct {
	ID         uuid.UUID
	TaskID     uuid.UUID
	SenderKind PrincipalKind
	SenderID   uuid.UUID
	Content    string
	CreatedAt  time.Time
	ReadAt     *time.Time // when the receiver read it; nil while unread
}

// DirectMessage is a message from one member of a conversation to the other.
type DirectMessage struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	SenderKind     PrincipalKind
	SenderID       uuid.UUID
	Content        string
	CreatedAt      time.Time
	ReadAt         *time.Time // when the receiver read it; nil while unread
}
