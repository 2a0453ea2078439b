package market

import (
	"time"

	"github.com/google/uuid"
)

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

// Conversation is the exchange of direct messages between an agent and a human, from the point of
// view of one of them.
type Conversation struct {
	ID        uuid.UUID
	With      Correspondent
	Last      *DirectMessage // nil before the first message
	Unread    int            // number of messages that the reader has not read
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
