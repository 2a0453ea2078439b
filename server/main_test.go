package server_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"taskmarket"
	"taskmarket/chain"
	"taskmarket/gen/api"
)

// runningTests is the default number of tests that run at the same time. It exceeds the number of processors,
// because most tests wait for processes and timeouts most of the time.
const runningTests = "4"

// TestMain fails if the response statuses that occurred during the tests differ from the documented
// ones. It checks them only if all tests ran and passed.
func TestMain(m *testing.M) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set(runningTests)
	}
	code := m.Run()
	stopIdle()
	if code == 0 && everyTestRan() {
		if err := seen.complete(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// everyTestRan reports whether no flag has excluded tests.
func everyTestRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

// seen contains the kinds of responses that occurred during the tests.
var seen sightings

// sighting is a kind of response: a status, for an operation or for a tag.
type sighting struct {
	name   string
	status string
}

// sightings is a set of kinds of responses. It is safe for concurrent use.
type sightings struct {
	mu   sync.Mutex
	have map[sighting]bool
}

// add records a response. Server errors are counted per tag, not per operation.
func (s *sightings) add(op *openapi3.Operation, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.have == nil {
		s.have = make(map[sighting]bool)
	}
	s.have[sightingOf(op, fmt.Sprint(status))] = true
}

func sightingOf(op *openapi3.Operation, status string) sighting {
	if status == fmt.Sprint(http.StatusInternalServerError) || status == fmt.Sprint(http.StatusServiceUnavailable) {
		return sighting{"tag " + op.Tags[0], status}
	}
	return sighting{op.OperationID, status}
}

// complete returns an error that lists the documented responses that did not occur and the
// undocumented ones that did.
func (s *sightings) complete() error {
	spec, err := document()
	if err != nil {
		return err
	}
	documented := make(map[sighting]bool)
	for _, item := range spec.Paths.Map() {
		for _, op := range item.Operations() {
			for status := range op.Responses.Map() {
				documented[sightingOf(op, status)] = true
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := slices.Concat(without(documented, s.have, "documented and never seen"), without(s.have, documented, "seen and not documented"))
	if len(faults) > 0 {
		return fmt.Errorf("the responses in the tests differ from openapi.yaml:\n%s", strings.Join(faults, "\n"))
	}
	return nil
}

// without lists the keys that are in a but not in b.
func without(a, b map[sighting]bool, what string) []string {
	var list []string
	for each := range maps.Keys(a) {
		if !b[each] {
			list = append(list, fmt.Sprintf("\t%s %s: %s", each.name, each.status, what))
		}
	}
	slices.Sort(list)
	return list
}

// document reads openapi.yaml and closes its responses. Clients accept members and values that it does
// not list, but this version of the server must not send any.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		return nil, err
	}
	for _, schema := range spec.Components.Schemas {
		closeSchema(schema)
	}
	return spec, spec.Validate(openapi3.NewLoader().Context)
})

// closeSchema makes a schema, with those nested in it, reject unknown members and values.
func closeSchema(ref *openapi3.SchemaRef) {
	if ref == nil || ref.Ref != "" {
		return
	}
	s := ref.Value
	if len(s.Properties) > 0 {
		s.AdditionalProperties.Has = new(false)
	}
	if known := knownValues(s); known != nil {
		s.Enum = known
	}
	for _, property := range s.Properties {
		closeSchema(property)
	}
	closeSchema(s.Items)
}

// knownValues returns the values of an open list, or nil for other schemas.
func knownValues(s *openapi3.Schema) []any {
	known, _ := s.Extensions["x-extensible-enum"].([]any)
	return known
}

// documentRouter finds the operation in openapi.yaml for a request. It is built once, because
// building it is slow.
var documentRouter = sync.OnceValues(func() (routers.Router, error) {
	spec, err := document()
	if err != nil {
		return nil, err
	}
	return legacy.NewRouter(spec)
})

// validator is an HTTP transport that fails the test when a response does not match openapi.yaml.
type validator struct {
	t      testing.TB
	router routers.Router
}

func newValidator(tb testing.TB) validator {
	tb.Helper()
	router, err := documentRouter()
	if err != nil {
		tb.Fatalf("create router: %v", err)
	}
	return validator{tb, router}
}

// RoundTrip implements http.RoundTripper.
func (v validator) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	v.check(request, response, body)
	return response, nil
}

// checkHeaders fails the test if the document does not describe a header that clients read.
func (v validator) checkHeaders(name string, op *openapi3.Operation, response *http.Response) {
	v.t.Helper()
	documented := op.Responses.Status(response.StatusCode)
	if documented == nil {
		return
	}
	for _, header := range []string{"RateLimit", "RateLimit-Policy", "Retry-After", "ETag", "Accept-Encoding"} {
		if response.Header[http.CanonicalHeaderKey(header)] != nil && documented.Value.Headers[header] == nil {
			v.t.Errorf("%s: the header %s is not documented", name, header)
		}
	}
}

func (v validator) check(request *http.Request, response *http.Response, body []byte) {
	v.t.Helper()
	name := fmt.Sprintf("%s %s → %d", request.Method, request.URL.Path, response.StatusCode)
	for header, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
	} {
		if got := response.Header.Get(header); got != want {
			v.t.Errorf("%s: header %s = %q, want %q", name, header, got, want)
		}
	}
	if response.Header.Get("X-Request-Id") == "" {
		v.t.Errorf("%s: no X-Request-Id", name)
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable {
		if wait, err := strconv.Atoi(response.Header.Get("Retry-After")); err != nil || wait < 1 {
			v.t.Errorf("%s: Retry-After = %q, want whole seconds", name, response.Header.Get("Retry-After"))
		}
	}
	if request.Method == http.MethodHead || request.Method == http.MethodOptions {
		return
	}
	checkTimes(v.t, name, body)
	checkIdentifiers(v.t, name, body)
	route := v.route(request)
	// getHealth sends a health report, not an error body, even when the service is unhealthy.
	if response.StatusCode >= http.StatusBadRequest && (route == nil || route.Operation.OperationID != "getHealth") {
		v.checkError(name, response, body)
	}
	if route == nil {
		return
	}
	seen.add(route.Operation, response.StatusCode)
	v.checkHeaders(name, route.Operation, response)
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, Route: route},
		Status:                 response.StatusCode, Header: response.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if response.Header.Get("Content-Type") == "text/event-stream" {
		input.Options.ExcludeResponseBody = true
		for line := range strings.Lines(string(body)) {
			if data, is := strings.CutPrefix(line, "data: "); is {
				checkEvent(v.t, data)
			}
		}
	}
	if response.StatusCode == http.StatusNotModified {
		input.Options.ExcludeResponseBody = true
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(request.Context(), input); err != nil {
		v.t.Errorf("%s does not match openapi.yaml: %v\n%s", name, err, body)
	}
}

// anyTime matches a time in any format.
var anyTime = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:[.,]\d*)?(?:Z|[+-]\d{2}:?\d{2})?`)

// checkTimes requires that every time in a response is in UTC with milliseconds: in fields,
// messages, server-sent events and texts to sign.
func checkTimes(tb testing.TB, name string, body []byte) {
	tb.Helper()
	for _, found := range anyTime.FindAll(body, -1) {
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", string(found)); err != nil {
			tb.Errorf("%s: the time %s does not have the form 2026-01-02T03:04:05.000Z", name, found)
		}
	}
}

// noIdentifier matches a JSON string that is an identifier or address of zeros.
var noIdentifier = regexp.MustCompile(`"(?:[\w-]+)"\s*:\s*"(?:0{8}-0{4}-0{4}-0{4}-0{12}|0[xX]0{40}|0[xX]0{64})"`)

// checkIdentifiers requires that no identifier, address or hash in a response is zero. A member without a
// value is null or absent.
func checkIdentifiers(tb testing.TB, name string, body []byte) {
	tb.Helper()
	for _, member := range noIdentifier.FindAll(body, -1) {
		tb.Errorf("%s: the response identifies nothing: %s", name, member)
	}
}

// route finds the operation for a path with or without a trailing slash. It returns nil if no
// operation matches.
func (v validator) route(request *http.Request) *routers.Route {
	if request.URL.RawPath != "" || strings.Contains(request.URL.Path, "//") {
		return nil // an encoded path that matches no operation
	}
	for _, path := range []string{request.URL.Path, request.URL.Path + "/", strings.TrimSuffix(request.URL.Path, "/")} {
		spelled := request.Clone(request.Context())
		spelled.URL.Path, spelled.URL.RawPath = path, ""
		// The server URL in openapi.yaml is only a path, so the router needs a URL without scheme and
		// host.
		spelled.URL.Host, spelled.URL.Scheme = "", ""
		if route, _, err := v.router.FindRoute(spelled); err == nil {
			return route
		}
	}
	return nil
}

// checkError checks the body of an error response, including those for unknown paths.
func (v validator) checkError(name string, response *http.Response, body []byte) {
	v.t.Helper()
	if response.Header.Get("Content-Type") != "application/json" {
		v.t.Errorf("%s: error with content type %q", name, response.Header.Get("Content-Type"))
	}
	var e struct {
		api.APIError
		Challenge string `json:"challenge"` // present only with status 428
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil || e.Error == "" || e.Message == "" || e.RequestID != response.Header.Get("X-Request-Id") {
		v.t.Errorf("%s: body is not an ApiError (%v): %s", name, err, body)
	}
	checkSecrecy(v.t, name, body)
	if (e.Challenge != "") != (response.StatusCode == http.StatusPreconditionRequired) {
		v.t.Errorf("%s: challenge %q", name, e.Challenge)
	}
}

// answer formats a response of the generated client for error messages.
func answer(response any) string {
	value := reflect.ValueOf(response)
	if value.Kind() != reflect.Pointer || value.IsNil() {
		return "nothing"
	}
	code := "?"
	if status, ok := response.(interface{ StatusCode() int }); ok {
		code = fmt.Sprint(status.StatusCode())
	}
	return code + " " + string(value.Elem().FieldByName("Body").Bytes())
}

// errorOf returns the code of an error body.
func errorOf(tb testing.TB, body string) string {
	tb.Helper()
	var e api.APIError
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		tb.Fatalf("body is not an error: %v: %s", err, body)
	}
	return e.Error
}

func signText(tb testing.TB, signer *chain.KeySigner, text string) string {
	tb.Helper()
	signature, err := signer.SignMessage(tb.Context(), text)
	if err != nil {
		tb.Fatalf("sign: %v", err)
	}
	return hexutil.Encode(signature)
}

// logBuffer collects the server's log.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns the whole log.
func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// checkEvent validates the data of a server-sent event against openapi.yaml.
func checkEvent(tb testing.TB, data string) {
	tb.Helper()
	spec, err := document()
	if err != nil {
		tb.Fatalf("read document: %v", err)
	}
	var value any
	if err := json.Unmarshal([]byte(data), &value); err != nil {
		tb.Errorf("the event %s: %v", data, err)
		return
	}
	if err := spec.Components.Schemas["Event"].Value.VisitJSON(value, openapi3.MultiErrors()); err != nil {
		tb.Errorf("the event %s does not match openapi.yaml: %v", data, err)
	}
}

// documented is an operation of openapi.yaml, parsed independently of the server's parser, which is
// under test.
type documented struct {
	id, method, template string // template is the path with parameter names
	path                 string // path with unknown ids
	op                   *openapi3.Operation
	key, session         bool // credentials that the operation accepts
	anonymous            bool // can be called without credentials
	unverified           bool // accepts unverified agents, at least for some records
}

// caller is a kind of credentials.
type caller string

const (
	noCaller    caller = "nobody"
	agentCaller caller = "agent"
	humanCaller caller = "human"
)

// callers returns the kinds of callers that the operation accepts.
func (d documented) callers() []caller {
	var all []caller
	if d.key {
		all = append(all, agentCaller)
	}
	if d.session {
		all = append(all, humanCaller)
	}
	if d.anonymous {
		all = append(all, noCaller)
	}
	return all
}

// unsafe reports whether the operation can change state.
func (d documented) unsafe() bool { return d.method != http.MethodGet }

// media returns the content type of the operation's body; JSON if it has no body.
func (d documented) media() string {
	if d.op.RequestBody != nil && d.op.RequestBody.Value.Content["multipart/form-data"] != nil {
		return "multipart/form-data"
	}
	return "application/json"
}

var parameterName = regexp.MustCompile(`\{[A-Za-z]+\}`)

func operations(tb testing.TB) []documented {
	tb.Helper()
	spec, err := document()
	if err != nil {
		tb.Fatalf("read document: %v", err)
	}
	var all []documented
	for template, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			d := documented{
				path: "/api/v1" + parameterName.ReplaceAllString(template, unknownID),
				id:   op.OperationID, method: method, template: "/api/v1" + template,
				op: op, anonymous: len(*op.Security) == 0, unverified: op.Extensions["x-unverified"] != nil,
			}
			for _, requirement := range *op.Security {
				_, key := requirement["ApiKey"]
				_, session := requirement["Session"]
				d.key, d.session, d.anonymous = d.key || key, d.session || session, d.anonymous || len(requirement) == 0
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b documented) int { return strings.Compare(a.id, b.id) })
	return all
}

func operationsByID(tb testing.TB) map[string]documented {
	tb.Helper()
	byID := make(map[string]documented)
	for _, d := range operations(tb) {
		byID[d.id] = d
	}
	return byID
}
