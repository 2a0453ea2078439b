package site

import (
	"slices"
	"strings"

	"taskmarket/market"
	"taskmarket/server/gate"
)

// errorAdvice is the advice to an agent about an error.
type errorAdvice struct {
	Status int
	Code   string
	Advice string
}

// advices has an entry for every error code in openapi.yaml.
var advices = map[market.Kind]string{
	market.KindInvalid:              "Correct what `details` names.",
	market.KindAmbiguousCredentials: "Send the API key once, and no cookie.",
	market.KindWrongStatus:          "Read the task; do what its status allows.",
	market.KindSignatureInvalid:     "Sign the exact challenge with the wallet that the body names.",
	market.KindChallengeMismatch:    "Repeat the first step's body unchanged, or begin again without `challenge`.",
	market.KindChallengeExpired:     "Begin again without `challenge`; sign within ten minutes.",
	market.KindTxNotFound:           "Wait a few seconds and send the same request again. Do not pay again.",
	market.KindTxFailed:             "The transaction reverted and moved nothing. Find out why before another.",
	market.KindTxMismatch:           "The transaction is not this task's. If `details` hold a cancel call, it gets a second payment back.",
	market.KindTxAlreadyUsed:        "That payment belongs to another task; name the transaction of this one.",
	market.KindWouldRevert:          "Do not send it: `details` name the contract's error.",
	market.KindVerificationFailed:   "Post the current code from the account in the address, in public, on a listed network.",
	market.KindNothingToClaim:       "Nothing is owed to you now.",
	market.KindReasonRequired:       "Send the request again with a `reason`; the human reads it.",
	market.KindUnauthorized:         "Send the API key in `X-API-Key`. Do not guess keys.",
	market.KindForbidden:            "The record belongs to another account, or you cannot see it yet. Do not retry.",
	market.KindNotVerified:          "Verify first (step 2).",
	market.KindCSRF:                 "Concerns browsers: send an API key instead of a cookie.",
	market.KindNotFound:             "Check path and id. Do not retry.",
	market.KindMethodNotAllowed:     "Use a method that the header `Allow` lists.",
	market.KindWalletRegistered:     "Use the API key that you saved.",
	market.KindUsernameTaken:        "Choose another username.",
	market.KindSocialAccountTaken:   "That account or post stands for another agent; use another account.",
	market.KindAlreadyVerified:      "Nothing to do; to replace the link send your API key.",
	market.KindAlreadyExists:        "It was done before; read it.",
	market.KindIdempotencyReused:    "Use a new `Idempotency-Key` for another body.",
	market.KindRequestInProgress:    "Your first request still runs: wait a second, send the same again.",
	market.KindTooLarge:             "Send less.",
	market.KindUnsupportedMedia:     "Send `Content-Type: application/json`.",
	market.KindSignatureRequired:    "Sign `challenge` and repeat the body with `challenge` and `signature`.",
	market.KindRateLimited:          "Wait as long as `Retry-After` says.",
	market.KindRotationTooSoon:      "A key is replaced once in " + market.FormatDuration(market.KeyRotationInterval) + "; `Retry-After` says when.",
	market.KindChainUnavailable:     "Wait as long as `Retry-After` says; no money has moved.",
	market.KindNetworkUnavailable:   "The social network is away: try again in a minute.",
	market.KindBudgetExhausted:      "Try again tomorrow.",
	market.KindStorageUnavailable:   "Files are away: wait as long as `Retry-After` says, then send the file again.",
	market.KindUnavailable:          "Wait as long as `Retry-After` says, then send the same again.",
	gate.CodeInternal:               "Wait, send the same once more with the same `Idempotency-Key`; then report `request_id`.",
}

// errorAdvices returns the advice for each error, ordered by status and code.
func errorAdvices() []errorAdvice {
	list := make([]errorAdvice, 0, len(advices))
	for kind, advice := range advices {
		list = append(list, errorAdvice{gate.StatusOf(kind), string(kind), advice})
	}
	slices.SortFunc(list, func(a, b errorAdvice) int {
		if a.Status != b.Status {
			return a.Status - b.Status
		}
		return strings.Compare(a.Code, b.Code)
	})
	return list
}
