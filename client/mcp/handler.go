package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	callTimeout = 45 * time.Second // of one request; less than a server takes to write an answer
	maxBody     = 256 << 10        // of one message, as of any request to the API
)

// HandlerOptions say what the tools of a server act on.
type HandlerOptions struct {
	// API is the whole service; the tools' requests go through it like all others.
	API http.Handler
	// BaseURL is where the public reaches the service.
	BaseURL string
	// Version names the running program.
	Version string
	// Funding asks the chain.
	Funding Funding
	// Log takes the tools' own faults.
	Log *slog.Logger
}

// NewHandler serves the tools without a wallet by streamable HTTP. It keeps no
// sessions, so that any replica can answer any request. Whoever mounts it
// refuses requests of other origins and limits how often it is called.
func NewHandler(o HandlerOptions) (http.Handler, error) {
	tools, err := walletlessTools(o.Funding)
	if err != nil {
		return nil, err
	}
	server := newServer(o.Version, handlerInstructions, tools, host{who: callersOf(o.API, o.BaseURL), trusted: true, log: o.Log})
	return guard{sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		// The origin is checked already, and a proxy on the same machine is no rebinding.
		DisableLocalhostProtection: true,
	})}, nil
}

// newServer offers the tools.
func newServer(version, instructions string, tools []*tool, h host) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "taskmarket", Title: "Task Market", Version: version}, &sdk.ServerOptions{
		Instructions: instructions,
		PageSize:     len(tools),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}, // they never change while it runs
	})
	for _, t := range tools {
		t.add(server, h)
	}
	server.AddReceivingMiddleware(withoutStreams)
	return server
}

// withoutStreams refuses to keep a connection open for news that never come.
func withoutStreams(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if method == "subscriptions/listen" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}
		}
		return next(ctx, method, request)
	}
}

// guard reads a request whole, finds out whose it is, and refuses what one
// message could multiply into.
type guard struct{ next http.Handler }

// ServeHTTP implements http.Handler.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, err := apiKey(r.Header)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a message has at most %d bytes", maxBody))
		return
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the message did not arrive whole")
		return
	}
	if !json.Valid(body) {
		refuse(w, http.StatusBadRequest, "send one message of JSON")
		return
	}
	if batched(body) {
		refuse(w, http.StatusBadRequest, "send one message in a request, no batch")
		return
	}
	v := visit{key: key, address: r.RemoteAddr, header: r.Header.Clone()}
	v.header.Set("X-Request-Id", w.Header().Get("X-Request-Id"))
	ctx, cancel := context.WithTimeout(withVisit(r.Context(), v), callTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.next.ServeHTTP(uncached{w}, r)
}

// batched reports a JSON list: one small request could ask for any number of
// large answers. Later versions of the protocol have none.
func batched(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("["))
}

// apiKey returns the visitor's key, which is in one of two headers.
func apiKey(header http.Header) (string, error) {
	keys := header.Values("X-Api-Key")
	for _, value := range header.Values("Authorization") {
		scheme, key, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", errors.New("the header Authorization has another scheme than Bearer")
		}
		keys = append(keys, strings.TrimSpace(key))
	}
	switch len(keys) {
	case 0:
		return "", nil
	case 1:
		return keys[0], nil
	}
	return "", errors.New("send the API key once, as X-API-Key or as Authorization: Bearer")
}

// refuse answers a request that is no message to a tool.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(schema{ // the client may be gone; there is nobody left to tell
		"jsonrpc": "2.0", "id": nil,
		"error": schema{"code": jsonrpc.CodeInvalidRequest, "message": message},
	})
}

// uncached keeps the header that the service gives all its answers, where the
// transport would set a weaker one.
type uncached struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (u uncached) WriteHeader(status int) {
	u.Header().Set("Cache-Control", "no-store")
	u.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (u uncached) Write(p []byte) (int, error) {
	u.Header().Set("Cache-Control", "no-store")
	return u.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (u uncached) Flush() {
	_ = http.NewResponseController(u.ResponseWriter).Flush() // what cannot be flushed is sent at the end
}
