package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Detail describes one cause of an error, such as an invalid request field.
type Detail = gen.ErrorDetail

// ErrUnavailable matches temporary errors: the API could not be reached, its response was cut off,
// or the error is an *APIError with the status 429, 502, 503 or 504. Safe requests were already
// retried. A request that creates a record may have succeeded.
var ErrUnavailable = errors.New("the API is unavailable")

// APIError is an error response from the API.
type APIError struct {
	Status     int           // HTTP status
	Code       market.Kind   // stable error code; empty if the response is not from the API but, for example, from a proxy
	Message    string        // description of the error, in one sentence
	Hint       string        // recommended next step; may be empty
	Details    []Detail      // causes of the error, such as invalid request fields; may be empty
	RequestID  string        // ID of the request, to quote in support requests
	RetryAfter time.Duration // delay before the next attempt; 0 if unknown
	Challenge  string        // the text to sign; only for market.KindSignatureRequired
}

// Error implements the error interface.
func (e *APIError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d", e.Status)
	if e.Code != "" {
		fmt.Fprintf(&text, " %s", e.Code)
	}
	fmt.Fprintf(&text, ": %s", e.Message)
	if e.Hint != "" {
		fmt.Fprintf(&text, " (%s)", e.Hint)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&text, " [request %s]", e.RequestID)
	}
	return text.String()
}

// Is makes temporary errors match ErrUnavailable.
func (e *APIError) Is(target error) bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return target == ErrUnavailable
	default:
		return false
	}
}

// CodeOf returns the code of the *APIError in err's chain, one of the market.Kind constants, or ""
// if there is none.
func CodeOf(err error) market.Kind {
	if refused, ok := errors.AsType[*APIError](err); ok {
		return refused.Code
	}
	return ""
}

// refusal converts an error response to an APIError. If the response is not from the API, such as a
// proxy's error page, its body is ignored: only the status and the headers are used.
func refusal(resp *http.Response, body []byte) *APIError {
	e := &APIError{
		Status:     resp.StatusCode,
		RequestID:  resp.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(resp.Header),
	}
	var wire struct {
		Error     market.Kind `json:"error"`
		Message   string      `json:"message"`
		Hint      string      `json:"hint"`
		Details   []Detail    `json:"details"`
		RequestID string      `json:"request_id"`
		Challenge string      `json:"challenge"`
	}
	if !isJSON(resp) || json.Unmarshal(body, &wire) != nil || wire.Error == "" {
		e.Message = fmt.Sprintf("the server responded with status %d and no error message", resp.StatusCode)
		if location := resp.Header.Get("Location"); location != "" {
			e.Message = "the server sent a redirect, which is never followed"
			e.Hint = "check the URL of the API"
		}
		return e
	}
	e.Code, e.Message, e.Hint, e.Details, e.Challenge = wire.Error, wire.Message, wire.Hint, wire.Details, wire.Challenge
	if e.RequestID == "" {
		e.RequestID = wire.RequestID
	}
	return e
}

// longest is the maximum delay that retryAfter returns.
const longest = 365 * 24 * time.Hour

// retryAfter parses the Retry-After header, which contains whole seconds from the API, or possibly
// a date from a proxy. It returns 0 if the header contains neither.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	seconds, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && seconds > uint64(longest/time.Second):
		return longest
	case err == nil:
		return time.Duration(seconds) * time.Second //nolint:gosec // seconds is at most longest
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(0, time.Until(date)), longest)
	}
	return 0
}

func isJSON(resp *http.Response) bool {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// wrap prefixes *err with the operation's name, unless it is nil.
func wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}

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
