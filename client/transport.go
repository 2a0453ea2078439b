package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"taskmarket/client/internal/poll"
	"taskmarket/market"
)

// transport carries requests to the API: with the key, bounded in time and
// size, and again where a repeat can do no harm.
type transport struct {
	http    *http.Client
	key     string
	limit   int64 // of an answer's bytes, which are buffered; 0: streamed
	maxWait time.Duration
}

const (
	maxAttempts  = 5
	firstBackoff = 250 * time.Millisecond
)

// Do sends the request. After a failure that a repeat may cure it waits as
// long as the server asks, or a growing while, and sends it again.
func (t *transport) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("Accept", "application/json, application/octet-stream")
	if t.key != "" {
		req.Header.Set("X-Api-Key", t.key)
	}
	for attempt := 1; ; attempt++ {
		resp, err := t.attempt(req)
		wait, again := t.again(req, resp, err, attempt)
		switch {
		case again:
		case err != nil:
			return nil, unreachable(req.Context(), err)
		case t.limit > 0:
			return judge(resp)
		default:
			return resp, nil
		}
		if resp != nil {
			resp.Body.Close()
		}
		if paused := poll.Pause(req.Context(), wait); paused != nil {
			return nil, paused
		}
		if err := rewind(req); err != nil {
			return nil, err
		}
	}
}

// attempt sends once. A buffered answer is read whole here, so that a
// connection lost half-way counts as a failed attempt.
func (t *transport) attempt(req *http.Request) (*http.Response, error) {
	resp, err := t.http.Do(req)
	if err != nil || t.limit == 0 {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, t.limit+1))
	if err != nil {
		return nil, fmt.Errorf("read answer of %s %s: %w", req.Method, req.URL.Path, err)
	}
	if int64(len(body)) > t.limit {
		return nil, &oversizeError{path: req.URL.Path, limit: t.limit}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// unreachable says what came of a request without an answer. When the caller's
// time is over, that is all that is known of the API.
func unreachable(ctx context.Context, err error) error {
	if _, oversize := errors.AsType[*oversizeError](err); oversize || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// judge makes an answer other than the API's success an error, which the
// generated client hands through.
func judge(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode >= 200 && resp.StatusCode <= 299 || meantToBe(resp) {
		if !isJSON(resp) {
			return nil, fmt.Errorf("the server answered %q instead of JSON; check the base URL", resp.Header.Get("Content-Type"))
		}
		resp.Header.Set("Content-Type", "application/json") // in one spelling, for the generated client
		return resp, nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return nil, refusal(resp, body)
}

// oversizeError is an answer that a repeat would not make smaller.
type oversizeError struct {
	path  string
	limit int64
}

func (e *oversizeError) Error() string {
	return fmt.Sprintf("the answer of %s is larger than %d bytes", e.path, e.limit)
}

// again decides whether to repeat and after what time.
func (t *transport) again(req *http.Request, resp *http.Response, err error, attempt int) (time.Duration, bool) {
	if attempt == maxAttempts || req.Context().Err() != nil {
		return 0, false
	}
	wait := firstBackoff << (attempt - 1)
	wait += time.Duration(rand.Int64N(int64(wait) / 4)) //nolint:gosec // spreads load, guards nothing
	if err != nil {
		_, oversize := errors.AsType[*oversizeError](err)
		return wait, repeatable(req) && !oversize
	}
	if !curable(req, resp) {
		return 0, false
	}
	if asked := retryAfter(resp.Header); asked > 0 {
		return asked, asked <= t.maxWait
	}
	return wait, true
}

// curable reports whether the same request may be answered better later. A
// 429 is decided before a request has any effect, so it can always be repeated.
func curable(req *http.Request, resp *http.Response) bool {
	if meantToBe(resp) {
		return false
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return repeatable(req)
	case http.StatusConflict:
		return repeatable(req) && inProgress(resp)
	default:
		return false
	}
}

// inProgress reports whether an earlier attempt with the same idempotency key
// still runs on the server. It leaves the body readable.
func inProgress(resp *http.Response) bool {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return false
	}
	var wire struct {
		Error market.Kind `json:"error"`
	}
	return json.Unmarshal(body, &wire) == nil && wire.Error == market.KindRequestInProgress
}

type repeatKey struct{}

// harmless marks requests whose repeat changes nothing although they are POSTs
// without an idempotency key: confirmations and requests for calldata.
func harmless(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatKey{}, true)
}

func repeatable(req *http.Request) bool {
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return true
	}
	return req.Header.Get("Idempotency-Key") != "" || req.Context().Value(repeatKey{}) != nil
}

type meantKey struct{}

// meant marks requests that a server which cannot serve answers as any other,
// with the status 503.
func meant(ctx context.Context) context.Context {
	return context.WithValue(ctx, meantKey{}, true)
}

func meantToBe(resp *http.Response) bool {
	return resp.StatusCode == http.StatusServiceUnavailable && isJSON(resp) && resp.Request.Context().Value(meantKey{}) != nil
}

// rewind makes the request's body readable once more; all of ours are in memory.
func rewind(req *http.Request) error {
	if req.GetBody == nil {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return fmt.Errorf("rewind request: %w", err)
	}
	req.Body = body
	return nil
}

// answer takes the body out of an answer of the generated client.
func answer[T any](resp interface{ GetJSON200() *T }, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return present(resp.GetJSON200())
}

// created is answer for operations that answer 201.
func created[T any](resp interface{ GetJSON201() *T }, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return present(resp.GetJSON201())
}

func present[T any](body *T) (T, error) {
	if body == nil {
		return *new(T), errors.New("the server answered with another success than the API has")
	}
	return *body, nil
}
