package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	gen "taskmarket/gen/client"
)

// Request is an operation of the API by its place in the contract.
type Request struct {
	Method string
	Path   string // under the base URL, as in /tasks/; each segment escaped
	Query  url.Values
	Body   any // encoded as JSON; nil for none
	// IdempotencyKey makes a POST that takes one safe to repeat.
	IdempotencyKey string
}

// Call makes a request and returns the API's JSON as it is. It is for programs
// that pass answers on; the other methods read them.
func (c *Client) Call(ctx context.Context, r Request) (json.RawMessage, error) {
	api, ok := c.api.ClientInterface.(*gen.Client)
	if !ok {
		return nil, errors.New("the client has no connection to the API")
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
		return nil, fmt.Errorf("make request: %w", err)
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
