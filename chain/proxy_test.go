package chain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// call is one JSON-RPC call on its way through a proxy, with its answer.
type call struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`

	Result json.RawMessage `json:"-"`
	Fault  *fault          `json:"-"`
}

// fault is an error as a node words it.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// proxy stands before a node and misbehaves as real nodes do.
type proxy struct {
	URL string

	server   *httptest.Server
	mu       sync.Mutex
	upstream string
	answer   func(*call)                                        // changes a call's answer; nil: none
	http     func(w http.ResponseWriter, methods []string) bool // answers instead of the node, or not; nil: never
	calls    map[string]int
}

func newProxy(t *testing.T, upstream string) *proxy {
	t.Helper()
	p := &proxy{upstream: upstream, calls: make(map[string]int)}
	p.server = httptest.NewServer(p)
	t.Cleanup(p.server.Close)
	p.URL = p.server.URL
	return p
}

// set changes the proxy's behaviour between requests.
func (p *proxy) set(change func(*proxy)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

func (p *proxy) count(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	batch := bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	var calls []*call
	if batch {
		err = json.Unmarshal(body, &calls)
	} else {
		calls = []*call{{}}
		err = json.Unmarshal(body, calls[0])
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	upstream, change, instead := p.upstream, p.answer, p.http
	methods := make([]string, len(calls))
	for i, c := range calls {
		p.calls[c.Method]++
		methods[i] = c.Method
	}
	p.mu.Unlock()
	if instead != nil && instead(w, methods) {
		return
	}
	replies := make([]map[string]any, len(calls))
	for i, c := range calls {
		if err := forward(r, upstream, c); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if change != nil {
			change(c)
		}
		replies[i] = map[string]any{"jsonrpc": "2.0", "id": c.ID}
		if c.Fault != nil {
			replies[i]["error"] = c.Fault
		} else {
			replies[i]["result"] = c.Result
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if batch {
		_ = json.NewEncoder(w).Encode(replies)
		return
	}
	_ = json.NewEncoder(w).Encode(replies[0])
}

// forward has the node answer the call.
func forward(r *http.Request, upstream string, c *call) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": c.Method, "params": c.Params})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, upstream, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var reply struct {
		Result json.RawMessage
		Error  *fault
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return err
	}
	c.Result, c.Fault = reply.Result, reply.Error
	return nil
}
