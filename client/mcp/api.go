package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"taskmarket/client"
)

// visit contains the API key and the origin of one MCP request.
type visit struct {
	key     string // empty if the request has none
	address string // remote address of the MCP connection
	header  http.Header
}

type visitKey struct{}

func withVisit(ctx context.Context, v visit) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// passedOn lists the headers that are copied from an MCP request to its API requests: the request
// ID for logs, and the client address reported by trusted proxies.
var passedOn = []string{"X-Request-Id", "X-Forwarded-For"}

// inside sends requests to the API handler in the same process. They have the remote address of the
// MCP request, so that the same rate limits apply.
type inside struct{ api http.Handler }

// RoundTrip implements http.RoundTripper.
func (i inside) RoundTrip(r *http.Request) (*http.Response, error) {
	v, _ := r.Context().Value(visitKey{}).(visit)
	inner := r.Clone(r.Context())
	inner.RemoteAddr, inner.RequestURI = v.address, r.URL.RequestURI()
	for _, name := range passedOn {
		if values := v.header.Values(name); len(values) > 0 {
			inner.Header[name] = values
		}
	}
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	w := &buffered{header: http.Header{}, status: http.StatusOK}
	i.api.ServeHTTP(w, inner)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Header: w.header, Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}, nil
}

// buffered is an http.ResponseWriter that stores the response in memory.
type buffered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (b *buffered) Header() http.Header { return b.header }

// WriteHeader implements http.ResponseWriter.
func (b *buffered) WriteHeader(status int) { b.status = status }

// Write implements http.ResponseWriter.
func (b *buffered) Write(p []byte) (int, error) { return b.body.Write(p) }

// callersOf returns a function that creates the API client for the current MCP request. The API
// handler runs in the same process.
func callersOf(api http.Handler, baseURL string) callers {
	carrier := &http.Client{Transport: inside{api}}
	return func(ctx context.Context) (*client.Client, error) {
		v, _ := ctx.Value(visitKey{}).(visit)
		return client.New(client.Options{
			BaseURL: baseURL, APIKey: v.key, HTTPClient: carrier, Timeout: callTimeout,
			MaxWait:      1,    // 1 ns: returns a rate-limit error to the caller instead of waiting
			InsecureHTTP: true, // safe because the request does not leave the process
		})
	}
}
