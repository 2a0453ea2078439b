package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"taskmarket"
)

// added is the name of the members and the value that no client knows.
const added = "added_later"

// laterAPI is a proxy before the API that makes its responses those of a later version: each object has
// another member, and each open list another value.
type laterAPI struct {
	router  routers.Router
	server  *httptest.Server
	members int // number of added members
	values  int // number of added values
	fault   error
}

// newLaterAPI starts a proxy before the API at a base URL.
func newLaterAPI(base string) (*laterAPI, error) {
	target, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("read TASKMARKET_API_URL: %w", err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	router, err := legacy.NewRouter(spec)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	l := &laterAPI{router: router}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: l.extend,
	}
	l.server = httptest.NewServer(proxy)
	l.server.URL += target.Path
	return l, nil
}

func (l *laterAPI) url() string { return l.server.URL }

func (l *laterAPI) close() { l.server.Close() }

// check fails if the agent has not read additions, because then its success shows nothing.
func (l *laterAPI) check() error {
	l.server.Close() // waits for the requests in progress
	if l.fault != nil {
		return l.fault
	}
	if l.members < 15 || l.values < 15 {
		return fmt.Errorf("the agent read only %d added members and %d added values", l.members, l.values)
	}
	return nil
}

// extend adds members and values to a JSON response.
func (l *laterAPI) extend(response *http.Response) error {
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	schema, err := l.schemaOf(response)
	if err != nil {
		l.fault = err
		return err
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var body any
	if err := decoder.Decode(&body); err != nil {
		return err
	}
	if raw, err = json.Marshal(l.later(schema, body)); err != nil {
		return err
	}
	response.Body = io.NopCloser(bytes.NewReader(raw))
	response.ContentLength = int64(len(raw))
	response.Header.Set("Content-Length", strconv.Itoa(len(raw)))
	return nil
}

// schemaOf returns the schema of a response.
func (l *laterAPI) schemaOf(response *http.Response) (*openapi3.Schema, error) {
	request := response.Request.Clone(response.Request.Context())
	request.URL.Scheme, request.URL.Host = "", "" // the document's server URL is only a path
	route, _, err := l.router.FindRoute(request)
	if err != nil {
		return nil, fmt.Errorf("find the operation of %s %s: %w", request.Method, request.URL.Path, err)
	}
	documented := route.Operation.Responses.Status(response.StatusCode)
	if documented == nil || documented.Value.Content["application/json"] == nil {
		return nil, fmt.Errorf("%s does not document status %d", route.Operation.OperationID, response.StatusCode)
	}
	return documented.Value.Content["application/json"].Schema.Value, nil
}

// later returns a value with additions wherever its schema is open.
func (l *laterAPI) later(s *openapi3.Schema, value any) any {
	for _, part := range s.AllOf {
		value = l.later(part.Value, value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, property := range s.Properties {
			if member, ok := value[name]; ok {
				value[name] = l.later(property.Value, member)
			}
		}
		if open := s.AdditionalProperties.Has; open != nil && *open {
			value[added] = map[string]any{"list": []any{1, "two", nil}}
			l.members++
		}
	case []any:
		for i, item := range value {
			value[i] = l.later(s.Items.Value, item)
		}
		if s.Items != nil && s.Items.Value.Extensions["x-extensible-enum"] != nil {
			l.values++
			return append(value, added)
		}
	case string:
		if s.Extensions["x-extensible-enum"] != nil {
			l.values++
			return added
		}
	}
	return value
}
