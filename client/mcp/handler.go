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
	callTimeout = 45 * time.Second // time limit for one request; less than the server's write timeout
	maxBody     = 256 << 10        // maximum size of a message, in bytes; the same as for API requests
)

// HandlerOptions configure the market's own tool server.
type HandlerOptions struct {
	// API is the handler for the whole service. The tools' API requests pass through it like all
	// other requests.
	API http.Handler
	// BaseURL is the service's public address.
	BaseURL string
	// Version is the program's version.
	Version string
	// Funding reads permit nonces from the chain.
	Funding Funding
	// Log receives the tools' internal errors.
	Log *slog.Logger
}

// NewHandler serves the tools without a wallet over streamable HTTP. It has no sessions, so any
// replica can serve any request. The caller must reject cross-origin requests and limit the request
// rate.
func NewHandler(o HandlerOptions) (http.Handler, error) {
	tools, err := serverTools(o.Funding)
	if err != nil {
		return nil, err
	}
	server := newServer(o.Version, handlerInstructions, tools, host{clientFor: callersOf(o.API, o.BaseURL), trusted: true, log: o.Log})
	return guard{sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		// The origin is already checked, and a proxy on the same machine would look like a DNS
		// rebinding attack.
		DisableLocalhostProtection: true,
	})}, nil
}

// newServer creates a server with the tools.
func newServer(version, instructions string, tools []*tool, h host) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "taskmarket", Title: "Task Market", Version: version}, &sdk.ServerOptions{
		Instructions: instructions,
		PageSize:     len(tools),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}, // no listChanged, because the tools do not change at run time
	})
	for _, t := range tools {
		t.add(server, h)
	}
	server.AddReceivingMiddleware(withoutStreams)
	return server
}

// withoutStreams rejects requests for an event stream, because the server has no events to send.
func withoutStreams(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if method == "subscriptions/listen" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}
		}
		return next(ctx, method, request)
	}
}

// guard reads each request completely, extracts its API key, and rejects batches.
type guard struct{ next http.Handler }

// ServeHTTP implements http.Handler.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, err := apiKey(r.Header)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity")
		refuse(w, http.StatusUnsupportedMediaType, "the body is compressed; send it without Content-Encoding")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the message is larger than %d bytes", maxBody))
		return
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the message is incomplete")
		return
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		refuse(w, http.StatusBadRequest, "the body is not a single JSON message")
		return
	}
	if batched(body) {
		refuse(w, http.StatusBadRequest, "batches are not supported; send one message per request")
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

// batched reports whether the body is a JSON array. Batches are rejected because one small request
// could cause any number of large responses. Later versions of the protocol have no batches.
func batched(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("["))
}

// apiKey returns the caller's API key from one of two headers.
func apiKey(header http.Header) (string, error) {
	keys := header.Values("X-Api-Key")
	for _, value := range header.Values("Authorization") {
		scheme, key, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", errors.New("the Authorization header must use the Bearer scheme")
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

// refuse sends a JSON-RPC error response.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(schema{ // an error means that the client has disconnected
		"jsonrpc": "2.0", "id": nil,
		"error": schema{"code": jsonrpc.CodeInvalidRequest, "message": message},
	})
}

// uncached is a ResponseWriter that sets Cache-Control to no-store, because the MCP transport would
// set a weaker value.
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
	_ = http.NewResponseController(u.ResponseWriter).Flush() // if flushing is not supported, the response is sent at the end
}
