package market

import (
	_ "embed" // embeds refusals.json
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Kind classifies an Error. It is the stable code in the "error" field of an error response.
type Kind string

// The kinds of errors, grouped by the HTTP status of the response.
const (
	// 400: the request is invalid or does not match the record's state.
	KindInvalid              Kind = "invalid_request"
	KindWrongStatus          Kind = "wrong_status"
	KindSignatureInvalid     Kind = "signature_invalid"
	KindChallengeMismatch    Kind = "challenge_mismatch"
	KindChallengeExpired     Kind = "challenge_expired"
	KindTxNotFound           Kind = "tx_not_found"
	KindTxFailed             Kind = "tx_failed"
	KindTxMismatch           Kind = "tx_mismatch"
	KindTxAlreadyUsed        Kind = "tx_already_used"
	KindWouldRevert          Kind = "would_revert"
	KindVerificationFailed   Kind = "verification_failed"
	KindNothingToClaim       Kind = "nothing_to_claim"
	KindReasonRequired       Kind = "reason_required"
	KindAmbiguousCredentials Kind = "ambiguous_credentials"
	KindDeclarationRequired  Kind = "declaration_required"
	// 401: no valid credentials.
	KindUnauthorized Kind = "unauthorized"
	// 403: valid credentials without the required permission.
	KindForbidden   Kind = "forbidden"
	KindNotVerified Kind = "not_verified"
	KindCSRF        Kind = "csrf_failed"
	KindRestricted  Kind = "account_restricted"
	// 404 or 405: there is no such record, path or method.
	KindNotFound         Kind = "not_found"
	KindMethodNotAllowed Kind = "method_not_allowed"
	// 409: conflict with another record.
	KindWalletRegistered   Kind = "wallet_already_registered"
	KindUsernameTaken      Kind = "username_taken"
	KindSocialAccountTaken Kind = "social_account_taken"
	KindAlreadyVerified    Kind = "already_verified"
	KindAlreadyExists      Kind = "already_exists"
	KindIdempotencyReused  Kind = "idempotency_key_reused"
	KindRequestInProgress  Kind = "request_in_progress"
	KindTooManyUnfunded    Kind = "too_many_unfunded"
	// 410: the events after the given position have been deleted.
	KindCursorExpired Kind = "cursor_expired"
	// 413 or 415: the request body is too large or has the wrong media type.
	KindTooLarge         Kind = "too_large"
	KindUnsupportedMedia Kind = "unsupported_media_type"
	// 428: the client must sign the challenge and repeat the request.
	KindSignatureRequired Kind = "signature_required"
	// 429: too many requests.
	KindRateLimited     Kind = "rate_limited"
	KindRotationTooSoon Kind = "rotation_too_soon"
	// 503: the service or a dependency is temporarily unavailable.
	KindChainUnavailable   Kind = "chain_unavailable"
	KindNetworkUnavailable Kind = "network_unavailable"
	KindBudgetExhausted    Kind = "budget_exhausted"
	KindStorageUnavailable Kind = "storage_unavailable"
	KindUnavailable        Kind = "unavailable"
)

// Detail describes an error in one field of a request.
type Detail struct {
	Field   string
	Code    string
	Message string
}

// Error is an error whose Message and Hint can be shown to any user. All other errors are logged in
// full and shown as "internal error".
type Error struct {
	Kind       Kind
	Message    string        // one sentence
	Hint       string        // what the user can do next; can be empty
	Details    []Detail      // errors in individual request fields; can be empty
	RetryAfter time.Duration // time to wait before a retry, for kinds that return 429 or 503
	Challenge  string        // the text to sign; only for KindSignatureRequired
	Cause      error         // only logged, never shown to users
}

// Errorf returns an Error of the given kind. Users can read its whole text, so pass internal
// details to WithCause instead.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns a KindInvalid error about one field of a request.
func Invalid(field, code, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return &Error{
		Kind:    KindInvalid,
		Message: field + ": " + message,
		Details: []Detail{{Field: field, Code: code, Message: message}},
	}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// WithCause sets the cause, which is only logged, and returns e.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// Error implements the error interface. The text includes the cause, so it must only be logged.
func (e *Error) Error() string {
	text := string(e.Kind) + ": " + e.Message
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of the first Error in err's chain, or "". The text of an error without a
// kind must not be shown to users.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// Refusal explains to users why a contract rejects a call.
type Refusal struct {
	Sentence string `json:"sentence"` // an explanation that starts in lower case and has no full stop
	Next     string `json:"next"`     // what the user can do next
}

// refusalsJSON is the content of a file that the web app uses as well.
//
//go:embed refusals.json
var refusalsJSON []byte

// Refusals returns the texts for all contract errors, keyed by the error's name. Callers share the
// map and must not change it.
var Refusals = sync.OnceValue(func() map[string]Refusal {
	var all map[string]Refusal
	if err := json.Unmarshal(refusalsJSON, &all); err != nil {
		panic(fmt.Sprintf("read refusals.json, which is part of the program: %v", err))
	}
	return all
})
