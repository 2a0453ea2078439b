package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/internal/wire"
)

// bulkCall is a call whose answer can be large. It does not use the decoder of package rpc, which
// would read the answer about five times.
type bulkCall struct {
	method string
	params []any
	// read decodes the result. The text of the reader is valid only during the call.
	read func(result *wire.Reader)
}

// bulkRequest is a JSON-RPC request. Its id is the call's index.
type bulkRequest struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

// bulk makes the calls in one request and decodes their results in order. It returns the first
// error of the transport, of a call, or of a decoder. Several calls are sent as a batch.
func (p *Provider) bulk(ctx context.Context, calls ...bulkCall) error {
	if !strings.HasPrefix(p.url, "http") {
		return p.bulkOverSocket(ctx, calls)
	}
	body, err := p.post(ctx, calls)
	if err != nil {
		return err
	}
	results, err := splitAnswer(body, len(calls))
	if err != nil {
		return err
	}
	for i, call := range calls {
		if err := call.decode(results[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c bulkCall) decode(result []byte) error {
	r := wire.NewReader(result)
	c.read(r)
	r.End()
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s: %w: %w", c.method, ErrInvalidAnswer, err)
	}
	return nil
}

// bulkOverSocket uses package rpc, which owns the connection of a websocket.
func (p *Provider) bulkOverSocket(ctx context.Context, calls []bulkCall) error {
	results, batch := make([]json.RawMessage, len(calls)), make([]rpc.BatchElem, len(calls))
	for i, call := range calls {
		batch[i] = rpc.BatchElem{Method: call.method, Args: call.params, Result: &results[i]}
	}
	if err := p.client.Client().BatchCallContext(ctx, batch); err != nil {
		return err
	}
	for i, call := range calls {
		if batch[i].Error != nil {
			return batch[i].Error
		}
		if err := call.decode(results[i]); err != nil {
			return err
		}
	}
	return nil
}

// post sends the calls over HTTP and returns the body of the answer.
func (p *Provider) post(ctx context.Context, calls []bulkCall) ([]byte, error) {
	requests := make([]bulkRequest, len(calls))
	for i, call := range calls {
		requests[i] = bulkRequest{Version: "2.0", ID: i, Method: call.method, Params: call.params}
	}
	var body []byte
	var err error
	if len(requests) == 1 {
		body, err = json.Marshal(requests[0])
	} else {
		body, err = json.Marshal(requests)
	}
	if err != nil {
		return nil, fmt.Errorf("encode a request: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	response, err := p.transport.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, fmt.Errorf("the node answered with HTTP status %s", response.Status)
	}
	var content bytes.Buffer
	if length := response.ContentLength; length > 0 && length <= maxAnswer {
		content.Grow(int(length) + bytes.MinRead)
	}
	if _, err := io.Copy(&content, response.Body); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// splitAnswer returns the results of an answer by the index of their calls. It returns the error of
// a call that failed. If the answer to a batch is not a list, it is an error for the whole batch.
func splitAnswer(body []byte, calls int) ([][]byte, error) {
	results := make([][]byte, calls)
	r := wire.NewReader(body)
	var failed error
	one := func() {
		if err := readOne(r, results); err != nil && failed == nil {
			failed = err
		}
	}
	if r.IsArray() {
		r.Array(one)
	} else {
		one()
	}
	r.End()
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
	}
	if failed != nil {
		return nil, failed
	}
	for i, result := range results {
		if result == nil {
			return nil, fmt.Errorf("%w: there is no response to call %d", ErrInvalidAnswer, i)
		}
	}
	return results, nil
}

// readOne stores the result of one response, or returns its error.
func readOne(r *wire.Reader, results [][]byte) error {
	id := -1
	var result, fault []byte
	r.Object(func(key []byte) {
		switch string(key) {
		case "id":
			if err := json.Unmarshal(r.Raw(), &id); err != nil {
				id = -1
			}
		case "result":
			result = r.Raw()
		case "error":
			if !r.Null() {
				fault = r.Raw()
			}
		default:
			r.Skip()
		}
	})
	if r.Err() != nil {
		return nil //nolint:nilerr // the caller checks the reader once, after all responses
	}
	if fault != nil {
		var read struct{ Message string }
		if err := json.Unmarshal(fault, &read); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
		}
		return fmt.Errorf("the node returned an error: %s", read.Message)
	}
	if id < 0 || id >= len(results) || results[id] != nil || result == nil {
		return fmt.Errorf("%w: the response with id %d is unexpected, repeated or without a result", ErrInvalidAnswer, id)
	}
	results[id] = result
	return nil
}
