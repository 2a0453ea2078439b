package market

import (
	"errors"
	"fmt"
	"time"
)

// Kind classifies an Error. Its text is the stable code in the "error" member of an error response.
type Kind string

// The kinds, grouped by the HTTP status of the response.
const (
	// 400: the request is invalid or does not fit the record's state.
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
	// 401: no valid credentials.
	KindUnauthorized Kind = "unauthorized"
	// 403: valid credentials without the required permission.
	KindForbidden   Kind = "forbidden"
	KindNotVerified Kind = "not_verified"
	KindCSRF        Kind = "csrf_failed"
	// 404 and 405.
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
	// 413 and 415.
	KindTooLarge         Kind = "too_large"
	KindUnsupportedMedia Kind = "unsupported_media_type"
	// 428: the client must sign the challenge and repeat the request.
	KindSignatureRequired Kind = "signature_required"
	// 429: too many requests.
	KindRateLimited     Kind = "rate_limited"
	KindRotationTooSoon Kind = "rotation_too_soon"
	// 503: a dependency is unavailable.
	KindChainUnavailable   Kind = "chain_unavailable"
	KindNetworkUnavailable Kind = "network_unavailable"
	KindBudgetExhausted    Kind = "budget_exhausted"
	KindStorageUnavailable Kind = "storage_unavailable"
	KindUnavailable        Kind = "unavailable"
)

// Detail describes an error in one member of a request.
type Detail struct {
	Field   string
	Code    string
	Message string
}

// Error is an error whose Message and Hint may be shown to any user. Every other error is logged in
// full and shown as "internal error".
type Error struct {
	Kind       Kind
	Message    string        // one sentence
	Hint       string        // what to do next; can be empty
	Details    []Detail      // the invalid members; can be empty
	RetryAfter time.Duration // when to retry, for kinds that return 429 or 503
	Challenge  string        // the text to sign, for KindSignatureRequired only
	Cause      error         // for the log; never shown
}

// Errorf returns an Error of the kind. Users can see its whole text: pass internal details to
// WithCause instead.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns a KindInvalid error about one member of a request.
func Invalid(field, code, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return &Error{
		Kind:    KindInvalid,
		Message: field + ": " + message,
		Details: []Detail{{Field: field, Code: code, Message: message}},
	}
}

// WithHint sets the hint and returns the error.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// WithCause sets the cause, which is only logged, and returns the error.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// Error implements the error interface. The text includes the cause, so it is only for the log.
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
