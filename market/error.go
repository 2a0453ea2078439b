package market

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what sort of refusal an Error is. Its text is the stable code
// that clients see in the member "error" of an error body.
type Kind string

// The kinds, grouped by the HTTP status that the server answers for them.
const (
	// 400: the request is wrong or does not fit the record's state.
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
	KindAmbiguousCredentials Kind = "ambiguous_credentials"
	// 401: nobody, or nobody we know.
	KindUnauthorized Kind = "unauthorized"
	// 403: somebody, but not one who may.
	KindForbidden   Kind = "forbidden"
	KindNotVerified Kind = "not_verified"
	KindCSRF        Kind = "csrf_failed"
	// 404 and 405.
	KindNotFound         Kind = "not_found"
	KindMethodNotAllowed Kind = "method_not_allowed"
	// 409: another record stands in the way.
	KindWalletRegistered   Kind = "wallet_already_registered"
	KindUsernameTaken      Kind = "username_taken"
	KindSocialAccountTaken Kind = "social_account_taken"
	KindAlreadyVerified    Kind = "already_verified"
	KindAlreadyExists      Kind = "already_exists"
	KindIdempotencyReused  Kind = "idempotency_key_reused"
	KindRequestInProgress  Kind = "request_in_progress"
	// 413 and 415.
	KindTooLarge         Kind = "too_large"
	KindUnsupportedMedia Kind = "unsupported_media_type"
	// 428: sign the challenge and send it again.
	KindSignatureRequired Kind = "signature_required"
	// 429: later.
	KindRateLimited     Kind = "rate_limited"
	KindRotationTooSoon Kind = "rotation_too_soon"
	// 503: a part we depend on is away.
	KindChainUnavailable   Kind = "chain_unavailable"
	KindNetworkUnavailable Kind = "network_unavailable"
	KindBudgetExhausted    Kind = "budget_exhausted"
	KindStorageUnavailable Kind = "storage_unavailable"
	KindUnavailable        Kind = "unavailable"
)

// NoSuchRecord is the message of a KindNotFound whose record only the caller knows.
const NoSuchRecord = "there is no such record"

// Detail names one member of a request and what is wrong with it.
type Detail struct {
	Field   string
	Code    string
	Message string
}

// Error is a refusal whose Message and Hint a stranger may read. Every other
// error is logged whole and shown as "internal error".
type Error struct {
	Kind       Kind
	Message    string        // one sentence
	Hint       string        // what to do next; may be empty
	Details    []Detail      // members at fault; may be empty
	RetryAfter time.Duration // when to try again, for kinds answered with 429 or 503
	Challenge  string        // the text to sign, for KindSignatureRequired only
	Cause      error         // for the log; never shown
}

// Errorf makes an Error of the kind. Everything in its text is shown: what
// caused it has its place in WithCause.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Invalid makes a KindInvalid error about one member of a request.
func Invalid(field, code, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return &Error{
		Kind:    KindInvalid,
		Message: field + ": " + message,
		Details: []Detail{{Field: field, Code: code, Message: message}},
	}
}

// WithHint returns the error with the advice what to do next.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// WithCause returns the error with what only the log is told.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// Error implements the error interface, for the log: with the cause.
func (e *Error) Error() string {
	text := string(e.Kind) + ": " + e.Message
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of the first Error in err's chain, or "" when there
// is none, which means that a stranger must not see err.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}
