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
