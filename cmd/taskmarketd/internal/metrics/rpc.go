package metrics

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"taskmarket/chain/rpc"
)

// otherMethod replaces methods that are not in methods.
const otherMethod = "other"

// methods are the RPC methods that the service calls.
var methods = func() (names []string) {
	for _, m := range rpc.Methods() {
		names = append(names, m.Name)
	}
	return names
}()

// RPCMethods lists the values of the label method.
func RPCMethods() []string { return append(slices.Clone(methods), otherMethod) }

// maxMethodPrefix is the number of bytes at the start of a request that are searched for its method.
const maxMethodPrefix = 256

// Transport returns a transport for rpc.NodeOptions that measures the requests to a provider.
func (m *Metrics) Transport(provider string, next http.RoundTripper) http.RoundTripper {
	return &transport{metrics: m, provider: provider, next: next}
}

type transport struct {
	metrics  *Metrics
	provider string
	next     http.RoundTripper
}

// RoundTrip implements http.RoundTripper. The duration ends with the header of the response.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := t.next.RoundTrip(r)
	result := "ok"
	switch {
	case err != nil:
		result = "failed"
	case response.StatusCode >= http.StatusBadRequest:
		result = class(response.StatusCode)
	}
	t.metrics.calls.WithLabelValues(t.provider, MethodOf(r), result).Observe(time.Since(began).Seconds())
	return response, err
}

// MethodOf returns the RPC method of the request, or the first method of a batch. It returns "other"
// for methods that the service does not call.
func MethodOf(r *http.Request) string {
	if r.GetBody == nil {
		return otherMethod
	}
	body, err := r.GetBody()
	if err != nil {
		return otherMethod
	}
	prefix, err := io.ReadAll(io.LimitReader(body, maxMethodPrefix))
	_ = body.Close()
	if err != nil {
		return otherMethod
	}
	decoder := json.NewDecoder(bytes.NewReader(prefix))
	for {
		token, err := decoder.Token()
		if err != nil {
			return otherMethod
		}
		if token != "method" {
			continue
		}
		name, err := decoder.Token()
		if method, ok := name.(string); err == nil && ok && slices.Contains(methods, method) {
			return method
		}
		return otherMethod
	}
}
