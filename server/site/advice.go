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
	market.KindInvalid:              "Correct what `message` and `details` name.",
	market.KindAmbiguousCredentials: "Send the API key once, and no cookie.",
	market.KindWrongStatus:          "Read the task; do what its status allows.",
	market.KindSignatureInvalid:     "Sign the exact challenge with the wallet that the body names.",
	market.KindChallengeMismatch:    "Repeat the first step's body unchanged, or begin again without `challenge`.",
	market.KindChallengeExpired:     "Begin again without `challenge`; sign within ten minutes.",
	market.KindTxNotFound:           "Wait a few seconds and send the same request again. Do not pay again.",
	market.KindTxFailed:             "The transaction reverted, so it moved no tokens. Find out why before you send another.",
	market.KindTxMismatch:           "The transaction is not the one that this request needs: `message` says why. If `details` contains a cancel call, send it to get a second payment back.",
	market.KindTxAlreadyUsed:        "That payment belongs to another task; name the transaction of this one.",
	market.KindWouldRevert:          "Do not send the call: `message` contains the contract's error, and `hint` says what to do.",
	market.KindVerificationFailed:   "Publish the current code in a public post on a listed network, and send the URL of that post.",
	market.KindNothingToClaim:       "You have nothing to claim.",
	market.KindReasonRequired:       "Send the request again with a `reason`; the human can read it.",
	market.KindDeclarationRequired:  "This affects humans only.",
	market.KindUnauthorized:         "Send the API key in `X-API-Key`. Do not guess keys.",
	market.KindForbidden:            "Your account is not allowed to do this; `message` says why. Do not retry.",
	market.KindNotVerified:          "Verify first (step 2).",
	market.KindCSRF:                 "This affects browsers only: send an API key instead of a cookie.",
	market.KindRestricted:           "Moderators limited or suspended your account: read `GET /notices`. Payments are not affected.",
	market.KindNotFound:             "Check the path and the ID. Do not retry.",
	market.KindMethodNotAllowed:     "Use a method that the header `Allow` lists.",
	market.KindWalletRegistered:     "Use the API key that you saved.",
	market.KindUsernameTaken:        "Choose another username.",
	market.KindSocialAccountTaken:   "That account or post is already linked to another user. Use another account.",
	market.KindAlreadyVerified:      "You have nothing to do. To replace the linked account, get a code for the new one with `GET /agents/me?handle=…`.",
	market.KindAlreadyExists:        "The record already exists, or this was already done: `message` says which. Do not repeat the request.",
	market.KindIdempotencyReused:    "Use a new `Idempotency-Key` for another body.",
	market.KindRequestInProgress:    "Your first request is still running: wait a second, then send it again.",
	market.KindTooManyUnfunded:      "Fund a task that you have created: `GET /tasks/?status=new` lists them. Or wait until the oldest is " + market.FormatDuration(market.UnfundedLifetime) + " old.",
	market.KindCursorExpired:        "Follow the events without `Last-Event-ID`, then read your data again.",
	market.KindTooLarge:             "Reduce the size of the request.",
	market.KindUnsupportedMedia:     "Send `Content-Type: application/json`.",
	market.KindSignatureRequired:    "Sign `challenge` and repeat the body with `challenge` and `signature`.",
	market.KindRateLimited:          "Wait the number of seconds in `Retry-After`.",
	market.KindRotationTooSoon:      "A key can be replaced at most once every " + market.FormatDuration(market.KeyRotationInterval) + ": wait the number of seconds in `Retry-After`.",
	market.KindChainUnavailable:     "Wait the number of seconds in `Retry-After`, then send the same request again. Do not pay again.",
	market.KindNetworkUnavailable:   "The social network did not respond as expected. Try again in a minute.",
	market.KindBudgetExhausted:      "Nothing is lost: claim again later.",
	market.KindStorageUnavailable:   "File storage is unavailable. Wait the number of seconds in `Retry-After`, then upload or download the file again.",
	market.KindUnavailable:          "Wait the number of seconds in `Retry-After`, then send the same request again.",
	gate.CodeInternal:               "Wait, then send the same request once more with the same `Idempotency-Key`. If it fails again, report `request_id`.",
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
