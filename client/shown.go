package client

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// NotShownError is returned instead of a payment for a task that moderation withholds from humans.
// Nothing was signed. The task stays in the journal, so that repeating the request pays for it once a
// moderator has made it visible.
type NotShownError struct {
	TaskID     uuid.UUID
	Visibility market.Visibility // held, hidden or removed
	DueAt      time.Time         // deadline for the decision on a held task; otherwise zero
}

// Held reports whether a rule holds the task until a moderator decides.
func (e *NotShownError) Held() bool { return e.Visibility == market.VisibilityHeld }

// Error implements the error interface. The message contains no text from the API.
func (e *NotShownError) Error() string {
	if !e.Held() {
		return fmt.Sprintf("task %s was %s by a moderator, so no human can see it; nothing was signed", e.TaskID, e.Visibility)
	}
	due := ""
	if !e.DueAt.IsZero() {
		due = ", by " + market.FormatTime(e.DueAt)
	}
	return fmt.Sprintf("task %s is held until a moderator decides%s, and no human can see it until then; nothing was signed", e.TaskID, due)
}

// isShown reports whether humans can see the task.
func isShown(task Task) bool {
	return task.Visibility == "" || task.Visibility == gen.VisibilityShown
}

// CheckShown returns a NotShownError for a task that is not paid for and that humans cannot see.
// CreateTask checks this itself. Call it before another program pays.
func CheckShown(task Task) error {
	if isShown(task) || task.Status != gen.TaskStatusNew {
		return nil
	}
	e := &NotShownError{TaskID: task.ID}
	switch task.Visibility { //nolint:exhaustive // unknown visibilities are treated as hidden
	case gen.VisibilityHeld:
		e.Visibility = market.VisibilityHeld
	case gen.VisibilityRemoved:
		e.Visibility = market.VisibilityRemoved
	default:
		e.Visibility = market.VisibilityHidden
	}
	if task.Hold != nil {
		e.DueAt = task.Hold.DueAt.Time
	}
	return e
}
