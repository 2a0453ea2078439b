package chaintest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// Exchange is a JSON-RPC call and the node's response to it.
type Exchange struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`

	Result json.RawMessage `json:"-"`
	Fault  *Fault          `json:"-"` // if not nil, returned instead of the result
}

// Fault is a JSON-RPC error.
type Fault struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"` // for example, the data of a revert
}

// Proxy is an HTTP and websocket proxy in front of a node. It can change the node's responses.
type Proxy struct {
	URL   string
	WSURL string

	server   *httptest.Server
	upgrader websocket.Upgrader

	mu sync.Mutex
	// Set guards the following fields during requests.
	Upstream string                                             // URL of the node
	Answer   func(*Exchange)                                    // changes the response to a call; nil for no change
	HTTP     func(w http.ResponseWriter, methods []string) bool // if not nil, can respond instead of the node, and returns whether it did

	calls     map[string]int
	intercept func(*Exchange) bool
	misbehave func([]*Exchange) bool
	mute      bool
	refuse    bool
	open      map[*wire]struct{}
}

// NewProxy starts a proxy in front of the node. The proxy stops when the test ends.
func NewProxy(tb testing.TB, upstream string) *Proxy {
	tb.Helper()
	p := &Proxy{Upstream: upstream, calls: make(map[string]int), open: make(map[*wire]struct{})}
	server := httptest.NewServer(p)
	tb.Cleanup(p.Stop)
	p.server, p.URL, p.WSURL = server, server.URL, "ws"+strings.TrimPrefix(server.URL, "http")
	return p
}

// Stop closes the proxy, as if the node were gone.
func (p *Proxy) Stop() {
	p.Cut()
	p.server.Close()
}

// Set changes the proxy's behavior between requests.
func (p *Proxy) Set(change func(*Proxy)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// Count returns how often a method was called over HTTP or a websocket.
func (p *Proxy) Count(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

// Misbehave sets a function that can change the responses to a call or batch. If the function
// returns false, the proxy closes the connection without a response. nil restores the unchanged
// responses.
func (p *Proxy) Misbehave(change func(calls []*Exchange) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.misbehave = change
}

// Intercept sets a function that can set a call's result itself: if it returns true, the call is not
// forwarded to the node. nil forwards every call.
func (p *Proxy) Intercept(answers func(call *Exchange) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intercept = answers
}

// Mute suppresses subscription notifications while mute is true.
func (p *Proxy) Mute(mute bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = mute
}

// Refuse makes the proxy reject new subscriptions while refuse is true.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = refuse
}

// Cut closes all websocket connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.open {
		w.near.Close()
	}
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if websocket.IsWebSocketUpgrade(r) {
		p.serveSocket(w, r)
		return
	}
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		return
	}
	calls, batch, err := parse(body.Bytes())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	methods := p.count(calls)
	p.mu.Lock()
	instead := p.HTTP
	p.mu.Unlock()
	if instead != nil && instead(w, methods) {
		return
	}
	response, ok := p.forward(r.Context(), calls, batch)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(response)
}

// count counts the calls and returns their methods.
func (p *Proxy) count(calls []*Exchange) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	methods := make([]string, len(calls))
	for i, c := range calls {
		p.calls[c.Method]++
		methods[i] = c.Method
	}
	return methods
}

// forward forwards a call or a batch, and passes the responses to the functions that change them.
func (p *Proxy) forward(ctx context.Context, calls []*Exchange, batch bool) (response []byte, ok bool) {
	p.mu.Lock()
	upstream, answers, one, all := p.Upstream, p.intercept, p.Answer, p.misbehave
	p.mu.Unlock()
	for _, call := range calls {
		if answers != nil && answers(call) {
			continue
		}
		if call.ask(ctx, upstream) != nil {
			return nil, false
		}
		if one != nil {
			one(call)
		}
	}
	if all != nil && !all(calls) {
		return nil, false
	}
	replies := make([]map[string]any, len(calls))
	for i, call := range calls {
		replies[i] = map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": call.Result}
		if call.Fault != nil {
			replies[i] = map[string]any{"jsonrpc": "2.0", "id": call.ID, "error": call.Fault}
		}
	}
	var whole any = replies
	if !batch {
		whole = replies[0]
	}
	response, err := json.Marshal(whole)
	return response, err == nil
}

func parse(message []byte) (calls []*Exchange, batch bool, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) {
		return calls, true, json.Unmarshal(message, &calls)
	}
	calls = []*Exchange{{}}
	return calls, false, json.Unmarshal(message, calls[0])
}

// ask forwards the call to the node, and keeps the response.
func (call *Exchange) ask(ctx context.Context, upstream string) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": call.Method, "params": call.Params})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, upstream, bytes.NewReader(body))
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
		Result json.RawMessage `json:"result"`
		Error  *Fault          `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return err
	}
	call.Result, call.Fault = reply.Result, reply.Error
	return nil
}

// wire is a websocket connection from a client. Messages about subscriptions are forwarded over a
// second connection, to the node; all other calls are handled as over HTTP.
type wire struct {
	near, far *websocket.Conn
	writing   sync.Mutex // guards writes to near
}

func (p *Proxy) serveSocket(w http.ResponseWriter, r *http.Request) {
	near, err := p.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer near.Close()
	far, response, err := websocket.DefaultDialer.DialContext(r.Context(), "ws"+strings.TrimPrefix(p.Upstream, "http"), nil)
	if err != nil {
		return
	}
	defer response.Body.Close()
	defer far.Close()
	s := &wire{near: near, far: far}
	p.mu.Lock()
	p.open[s] = struct{}{}
	p.mu.Unlock()
	go p.announce(s)
	p.converse(r.Context(), s)
	p.mu.Lock()
	delete(p.open, s)
	p.mu.Unlock()
}

// converse handles the client's messages until the connection ends.
func (p *Proxy) converse(ctx context.Context, s *wire) {
	for {
		_, message, err := s.near.ReadMessage()
		if err != nil {
			return
		}
		if p.passes(message) {
			err = s.far.WriteMessage(websocket.TextMessage, message)
		} else {
			err = p.respond(ctx, s, message)
		}
		if err != nil {
			return
		}
	}
}

// respond answers a call or a batch over the websocket.
func (p *Proxy) respond(ctx context.Context, s *wire, message []byte) error {
	calls, batch, err := parse(message)
	if err != nil {
		return err
	}
	p.count(calls)
	response, ok := p.forward(ctx, calls, batch)
	if !ok {
		return errors.New("the proxy does not answer")
	}
	return s.send(response)
}

// passes reports whether the message must be forwarded over the websocket, because it starts or
// ends a subscription. While subscriptions are refused, such a message is sent over HTTP instead,
// where the node rejects it.
func (p *Proxy) passes(message []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.refuse && bytes.Contains(message, []byte(`subscribe"`)) // or unsubscribe
}

// announce forwards the node's websocket messages to the client, without the notifications that
// Mute suppresses.
func (p *Proxy) announce(s *wire) {
	defer s.near.Close()
	for {
		_, message, err := s.far.ReadMessage()
		if err != nil {
			return
		}
		p.mu.Lock()
		keep := p.mute && bytes.Contains(message, []byte("eth_subscription"))
		p.mu.Unlock()
		if !keep && s.send(message) != nil {
			return
		}
	}
}

func (w *wire) send(message []byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.near.WriteMessage(websocket.TextMessage, message)
}
