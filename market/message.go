package market

import (
	"time"

	"github.com/google/uuid"
)

// Message is what one side of a task wrote to the other.
type Message struct {
	ID         uuid.UUID
	TaskID     uuid.UUID
	SenderKind PrincipalKind
	SenderID   uuid.UUID
	Content    string
	CreatedAt  time.Time
	ReadAt     *time.Time // by the other side; nil while unread
}

// DirectMessage is what one member of a conversation wrote to the other.
type DirectMessage struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	SenderKind     PrincipalKind
	SenderID       uuid.UUID
	Content        string
	CreatedAt      time.Time
	ReadAt         *time.Time // by the other member; nil while unread
}

// Conversation is the direct messages of one agent and one human, as one of
// the two sees it.
type Conversation struct {
	ID        uuid.UUID
	With      Correspondent
	Last      *DirectMessage // nil while nobody has written
	Unread    int            // by the one who looks
	UpdatedAt time.Time      // of the last message
	CreatedAt time.Time
}

// Correspondent is the other member of a conversation.
type Correspondent struct {
	Kind     PrincipalKind
	ID       uuid.UUID
	Username string
	Name     string
}
