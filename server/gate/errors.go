package gate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// CodeInternal is the code of internal errors. Clients do not see their cause.
const CodeInternal = "internal_error"

// BusyRetry is the Retry-After of a 429 or 503 response whose error has none.
const BusyRetry = 5 * time.Second

// StatusOf returns the HTTP status of a kind of error.
func StatusOf(kind market.Kind) int {
	switch kind {
	case market.KindInvalid, market.KindWrongStatus, market.KindSignatureInvalid, market.KindChallengeMismatch,
		market.KindChallengeExpired, market.KindTxNotFound, market.KindTxFailed, market.KindTxMismatch,
		market.KindTxAlreadyUsed, market.KindWouldRevert, market.KindVerificationFailed,
		market.KindNothingToClaim, market.KindReasonRequired, market.KindAmbiguousCredentials, market.KindDeclarationRequired:
		return http.StatusBadRequest
	case market.KindUnauthorized:
		return http.StatusUnauthorized
	case market.KindForbidden, market.KindNotVerified, market.KindCSRF, market.KindRestricted:
		return http.StatusForbidden
	case market.KindNotFound:
		return http.StatusNotFound
	case market.KindMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case market.KindWalletRegistered, market.KindUsernameTaken, market.KindSocialAccountTaken,
		market.KindAlreadyVerified, market.KindAlreadyExists, market.KindIdempotencyReused,
		market.KindRequestInProgress, market.KindTooManyUnfunded:
		return http.StatusConflict
	case market.KindCursorExpired:
		return http.StatusGone
	case market.KindTooLarge:
		return http.StatusRequestEntityTooLarge
	case market.KindUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case market.KindSignatureRequired:
		return http.StatusPreconditionRequired
	case market.KindRateLimited, market.KindRotationTooSoon:
		return http.StatusTooManyRequests
	case market.KindChainUnavailable, market.KindNetworkUnavailable, market.KindBudgetExhausted,
		market.KindStorageUnavailable, market.KindUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// errorWriter writes the bodies of all error responses.
type errorWriter struct {
	observer Observer
	log      *slog.Logger
}

// handle is echo's HTTPErrorHandler.
func (e errorWriter) handle(err error, c echo.Context) {
	if c.Response().Committed {
		ctx, level := c.Request().Context(), slog.LevelWarn
		if ctx.Err() != nil { // the client has disconnected; net/http also cancels ctx when a write fails
			level = slog.LevelDebug
		}
		e.log.Log(ctx, level, "request failed after its response had started", slog.Any("err", err))
		return
	}
	e.write(c.Response(), c.Request(), err)
}

// write sends the part of err that clients may read (see RefusalOf). If there is none, it logs err
// and sends an internal error.
func (e errorWriter) write(w http.ResponseWriter, r *http.Request, err error) {
	refusal, status, code := RefusalOf(err), http.StatusInternalServerError, CodeInternal
	if refusal != nil {
		status, code = StatusOf(refusal.Kind), string(refusal.Kind)
	}
	e.observer.Refused(code)
	e.note(r, err, refusal, status)
	if refusal == nil {
		refusal = &market.Error{Message: "internal error; the cause was logged under this request id"}
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		header.Set("Retry-After", strconv.Itoa(RetrySeconds(refusal.RetryAfter)))
	}
	body, err := json.Marshal(toErrorBody(refusal, code, RequestID(r.Context())))
	if err != nil {
		e.log.ErrorContext(r.Context(), "encoding an error response failed", slog.Any("err", err))
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(append(body, '\n')) // fails only if the client has disconnected
	}
}

// note logs a server error with its request. Client errors are not logged. After the client has
// disconnected, errors are expected, so they are logged only at debug level. Lanes log their own
// refusals.
func (e errorWriter) note(r *http.Request, err error, refusal *market.Error, status int) {
	where := slog.Group("request", slog.String("method", r.Method), pathOf(r))
	switch {
	case r.Context().Err() != nil:
		e.log.DebugContext(r.Context(), "client disconnected", slog.Any("err", err), where)
	case errors.Is(err, errOverloaded):
	case refusal == nil:
		e.log.ErrorContext(r.Context(), "request failed", slog.Any("err", err), where)
	case status >= http.StatusInternalServerError:
		e.log.WarnContext(r.Context(), "a dependency is unavailable; the client can retry", slog.Any("err", err), slog.Any("cause", refusal.Cause), where)
	}
}

// RefusalOf returns the part of err that clients may read, or nil for an internal error.
func RefusalOf(err error) *market.Error {
	if refusal, ok := errors.AsType[*market.Error](err); ok {
		return refusal
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &market.Error{Kind: market.KindTooLarge, Message: "the body is larger than this operation allows", Cause: err}
	}
	if failed, ok := errors.AsType[*echo.HTTPError](err); ok {
		return refusalOfHTTP(failed)
	}
	if _, ok := errors.AsType[*net.OpError](err); ok || errors.Is(err, context.DeadlineExceeded) {
		return &market.Error{
			Kind: market.KindUnavailable, Message: "a part of the service is unavailable at the moment",
			Hint: "try again shortly", Cause: err,
		}
	}
	return nil
}

// refusalOfHTTP rewrites errors from echo and the generated binder, whose texts contain Go types.
func refusalOfHTTP(failed *echo.HTTPError) *market.Error {
	kind, message, hint := market.Kind(""), "", ""
	switch failed.Code {
	case http.StatusBadRequest:
		return market.Invalid(faultyField(failed), "type", "has the wrong type").WithCause(failed)
	case http.StatusNotFound:
		kind, message = market.KindNotFound, "there is nothing at this path"
		hint = "check the path; GET /openapi.yaml lists the operations"
	case http.StatusMethodNotAllowed:
		kind, message = market.KindMethodNotAllowed, "this path does not support this method; the Allow header lists the supported methods"
	case http.StatusRequestEntityTooLarge:
		kind, message = market.KindTooLarge, "the body is larger than this operation allows"
	case http.StatusUnsupportedMediaType:
		kind, message = market.KindUnsupportedMedia, "the body has a content type that this operation does not accept"
	default:
		return nil
	}
	return &market.Error{Kind: kind, Message: message, Hint: hint, Cause: failed}
}

// faultyParameter extracts the name of a parameter from the generated binder's message, the only place where it is
// available.
var faultyParameter = regexp.MustCompile(`for (?:parameter )?([A-Za-z_-]+)[:,]`)

// faultyField returns the name of the field or parameter that could not be decoded, or "body". The validator finds
// almost all such faults before.
func faultyField(failed *echo.HTTPError) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](failed); ok && wrong.Field != "" {
		return wrong.Field
	}
	if name := faultyParameter.FindStringSubmatch(fmt.Sprint(failed.Message)); name != nil {
		return name[1]
	}
	return "body"
}

func toErrorBody(refusal *market.Error, code, requestID string) any {
	var details *[]api.ErrorDetail
	if len(refusal.Details) > 0 {
		list := make([]api.ErrorDetail, len(refusal.Details))
		for i, d := range refusal.Details {
			list[i] = api.ErrorDetail{Field: d.Field, Code: d.Code, Message: d.Message}
		}
		details = &list
	}
	if refusal.Kind == market.KindSignatureRequired {
		return api.SignatureRequired{
			Error: code, Message: sentence(refusal.Message), Challenge: refusal.Challenge, Hint: sentence(refusal.Hint),
			Details: details, RequestID: requestID,
		}
	}
	body := api.APIError{Error: code, Message: messageOf(refusal), Details: details, RequestID: requestID}
	if hint := cmp.Or(refusal.Hint, generalHints[refusal.Kind]); hint != "" {
		body.Hint = new(sentence(hint))
	}
	return body
}

// generalHints are fallbacks for errors without a hint.
var generalHints = map[market.Kind]string{
	market.KindForbidden:   "if another of your accounts has access, use that one",
	market.KindWrongStatus: "load the task or notice again to see what is possible now",
	market.KindNotFound:    "it may not exist, or your account may not have access to it",
}

// messageOf returns the error's text as a sentence. A field name at its beginning is not
// capitalized.
func messageOf(refusal *market.Error) string {
	if len(refusal.Details) > 0 && strings.HasPrefix(refusal.Message, refusal.Details[0].Field+": ") {
		return refusal.Message
	}
	return sentence(refusal.Message)
}

// RetrySeconds rounds d up to whole seconds. If d is not positive, it returns BusyRetry in seconds.
func RetrySeconds(d time.Duration) int {
	if d <= 0 {
		d = BusyRetry
	}
	return max(1, int(math.Ceil(d.Seconds())))
}

// sentence adds an initial capital letter and a full stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}
