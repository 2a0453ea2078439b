package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Detail names one member of a request and what is wrong with it.
type Detail = gen.ErrorDetail

// APIError is an answer of the API other than success.
type APIError struct {
	Status     int           // HTTP status
	Code       market.Kind   // stable code; empty when the answer was not the API's own
	Message    string        // one sentence
	Hint       string        // what to do next; may be empty
	Details    []Detail      // members at fault; may be empty
	RequestID  string        // to be quoted when asking for help
	RetryAfter time.Duration // when to try again; 0 when not said
	Challenge  string        // the text to sign, for market.KindSignatureRequired only
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

// codeOf returns the code of the APIError in err's chain, "" when there is none.
func codeOf(err error) market.Kind {
	if refused, ok := errors.AsType[*APIError](err); ok {
		return refused.Code
	}
	return ""
}

// refusal reads an error body. What is not the API's own, such as a proxy's
// page, keeps its status and nothing else: its text is for nobody's eyes.
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
		e.Message = "the server answered " + strings.ToLower(http.StatusText(resp.StatusCode)) + " without an explanation"
		if location := resp.Header.Get("Location"); location != "" {
			e.Message = "the server answered a redirect, which is never followed"
			e.Hint = "check the base URL"
		}
		return e
	}
	e.Code, e.Message, e.Hint, e.Details, e.Challenge = wire.Error, wire.Message, wire.Hint, wire.Details, wire.Challenge
	if e.RequestID == "" {
		e.RequestID = wire.RequestID
	}
	return e
}

// retryAfter reads the header as the API writes it, in whole seconds.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func isJSON(resp *http.Response) bool {
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json")
}
