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
	"net/url"
	"strings"
	"time"

	"taskmarket/client/internal/poll"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// transport sends requests to the API. It adds the API key, limits duration and size, and retries
// when it is safe to do so.
type transport struct {
	http    *http.Client
	key     string
	limit   int64 // maximum size of a buffered response, in bytes; 0 streams responses
	maxWait time.Duration
}

const (
	maxAttempts  = 5
	firstBackoff = 250 * time.Millisecond
)

// Do sends the request. After a temporary failure of a request that is safe to repeat, it waits for
// the response's Retry-After delay, or with exponential backoff, and sends the request again.
func (t *transport) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("Accept", "application/json, application/octet-stream")
	if t.key != "" {
		req.Header.Set("X-Api-Key", t.key)
	}
	for attempt := 1; ; attempt++ {
		resp, err := t.attempt(req)
		wait, again := t.retryDelay(req, resp, err, attempt)
		switch {
		case again:
		case err != nil:
			return nil, unreachable(req.Context(), err)
		case t.limit > 0:
			return checkStatus(resp)
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

// attempt sends the request once. It reads the whole response, unless the response is streamed, so that
// a connection that is lost halfway counts as a failed attempt.
func (t *transport) attempt(req *http.Request) (*http.Response, error) {
	resp, err := t.http.Do(req)
	if err != nil || t.limit == 0 {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, t.limit+1))
	if err != nil {
		return nil, fmt.Errorf("read response of %s %s: %w", req.Method, req.URL.Path, err)
	}
	if int64(len(body)) > t.limit {
		return nil, &oversizeError{limit: t.limit}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// unreachable converts the error from a request without a complete response to ErrUnavailable,
// unless ctx has ended or the response was too large.
func unreachable(ctx context.Context, err error) error {
	if _, oversize := errors.AsType[*oversizeError](err); oversize || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// checkStatus converts an unsuccessful response to an error, which the generated client returns
// unchanged.
func checkStatus(resp *http.Response) (*http.Response, error) {
	if resp.StatusCode >= 200 && resp.StatusCode <= 299 || unavailableAccepted(resp) {
		if !isJSON(resp) {
			return nil, fmt.Errorf("the server sent %q instead of JSON; check the URL of the API", resp.Header.Get("Content-Type"))
		}
		resp.Header.Set("Content-Type", "application/json") // the generated client expects exactly this value
		return resp, nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	return nil, refusal(resp, body)
}

// oversizeError is the error for a response that is too large. It is not retried, because the next
// response would be as large.
type oversizeError struct{ limit int64 }

func (e *oversizeError) Error() string {
	return fmt.Sprintf("the response is larger than %d bytes", e.limit)
}

// retryDelay reports whether to retry, and after which delay.
func (t *transport) retryDelay(req *http.Request, resp *http.Response, err error, attempt int) (time.Duration, bool) {
	if attempt == maxAttempts || req.Context().Err() != nil {
		return 0, false
	}
	wait := firstBackoff << (attempt - 1)
	wait += time.Duration(rand.Int64N(int64(wait) / 4)) //nolint:gosec // spreads load; not security-relevant
	if err != nil {
		_, oversize := errors.AsType[*oversizeError](err)
		return wait, repeatable(req) && !oversize
	}
	if !retryable(req, resp) {
		return 0, false
	}
	if requested := retryAfter(resp.Header); requested > 0 {
		return requested, requested <= t.maxWait
	}
	return wait, true
}

// retryable reports whether a retry is safe and may succeed. After status 429 it is always safe,
// because the API sends it before a request has any effect.
func retryable(req *http.Request, resp *http.Response) bool {
	if unavailableAccepted(resp) {
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

// inProgress reports whether an earlier attempt with the same idempotency key is still running on
// the server. The response body can still be read afterwards.
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

type idempotentKey struct{}

// idempotent marks a POST request without an idempotency key as safe to repeat: a confirmation or a
// request for calldata.
func idempotent(ctx context.Context) context.Context {
	return context.WithValue(ctx, idempotentKey{}, true)
}

func repeatable(req *http.Request) bool {
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return true
	}
	return req.Header.Get("Idempotency-Key") != "" || req.Context().Value(idempotentKey{}) != nil
}

type unavailableKey struct{}

// acceptUnavailable marks a request for the service's health, for which status 503 is a regular
// response.
func acceptUnavailable(ctx context.Context) context.Context {
	return context.WithValue(ctx, unavailableKey{}, true)
}

func unavailableAccepted(resp *http.Response) bool {
	return resp.StatusCode == http.StatusServiceUnavailable && isJSON(resp) && resp.Request.Context().Value(unavailableKey{}) != nil
}

// rewind resets the request's body for a retry. All bodies are in memory.
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

// resultOf returns the decoded body of a response from the generated client.
func resultOf[T any](resp interface{ GetJSON200() *T }, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return present(resp.GetJSON200())
}

// created is like resultOf, but for operations that respond with status 201.
func created[T any](resp interface{ GetJSON201() *T }, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return present(resp.GetJSON201())
}

func present[T any](body *T) (T, error) {
	if body == nil {
		return *new(T), errors.New("the server responded with an unexpected status")
	}
	return *body, nil
}

// Request is a request for an API operation, identified by method and path.
type Request struct {
	Method string
	Path   string // path relative to the base URL, for example /tasks/, with each segment escaped
	Query  url.Values
	Body   any // encoded as JSON; nil for no body
	// IdempotencyKey makes it safe to repeat a POST request, if the operation supports such a key.
	IdempotencyKey string
}

// Call sends a request and returns the API's JSON unchanged. It is for programs that forward
// responses; the other methods decode them.
func (c *Client) Call(ctx context.Context, r Request) (json.RawMessage, error) {
	api, ok := c.api.ClientInterface.(*gen.Client)
	if !ok {
		return nil, fmt.Errorf("Call requires a client from New, but this client uses a %T", c.api.ClientInterface)
	}
	var body io.Reader = http.NoBody
	if r.Body != nil {
		text, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	address := strings.TrimSuffix(c.base.String(), "/") + r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, body)
	if err != nil {
		return nil, fmt.Errorf("create request: %w", err)
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", r.IdempotencyKey)
	}
	resp, err := api.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}
