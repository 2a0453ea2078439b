package gate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// BasePath is the path below which the operations of openapi.yaml are served.
const BasePath = "/api/v1"

// defaultMaxBody is the maximum body size, in bytes, of operations without x-max-body.
const defaultMaxBody = 256 << 10

// Operation is the description of one operation in openapi.yaml, read at start.
type Operation struct {
	id          string
	Route       *routers.Route
	APIKey      bool          // whether an agent's key is accepted
	session     bool          // whether a human's session is accepted
	opens       bool          // whether the operation is public and creates a human's session
	unverified  access        // what unverified agents may do
	refusedTo   accountStates // account states in which the operation is refused
	Rate        rate
	maxBody     int64
	texts       map[string]bool // members of the body that are free texts, or lists of them
	multipart   bool
	query       map[string]*openapi3.Parameter
	headers     []string // names of the headers that are parameters
	idempotent  bool     // whether the operation accepts an Idempotency-Key
	conditional bool     // whether the operation accepts If-None-Match
	last        bool     // whether the operation is served even when the server is overloaded (x-shed: last)
	maxAge      int      // seconds for which shared caches may store the response; 0 forbids it
}

// Public reports whether the operation ignores credentials.
func (o *Operation) Public() bool { return !o.APIKey && !o.session }

// unsafe reports whether the operation may change state.
func (o *Operation) unsafe() bool { return o.Route.Method != http.MethodGet }

// readOperations indexes the operations of openapi.yaml by operationId.
func readOperations(spec *openapi3.T) (map[string]*Operation, error) {
	operations := make(map[string]*Operation)
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			read, err := readOperation(&routers.Route{
				Spec: spec, Path: path, PathItem: item, Method: method, Operation: op,
			})
			if err != nil {
				return nil, fmt.Errorf("read operation %s %s: %w", method, path, err)
			}
			operations[read.id] = read
		}
	}
	return operations, nil
}

// freeTexts returns the members of a JSON body that are free texts, or lists of them: strings without a pattern, a
// format or an enum.
func freeTexts(body *openapi3.MediaType) map[string]bool {
	if body == nil {
		return nil
	}
	texts := map[string]bool{}
	for name, member := range body.Schema.Value.Properties {
		schema := member.Value
		if schema.Type.Is("array") {
			schema = schema.Items.Value
		}
		if schema.Type.Is("string") && schema.Pattern == "" && schema.Format == "" && schema.Enum == nil {
			texts[name] = true
		}
	}
	return texts
}

func readOperation(route *routers.Route) (*Operation, error) {
	op := route.Operation
	read := &Operation{id: op.OperationID, Route: route, maxBody: defaultMaxBody, query: map[string]*openapi3.Parameter{}}
	if op.Security == nil {
		return nil, fmt.Errorf("no security requirement is stated")
	}
	for _, requirement := range *op.Security {
		_, key := requirement["ApiKey"]
		_, session := requirement["Session"]
		if !key && !session {
			return nil, fmt.Errorf("a security requirement names neither ApiKey nor Session; a public operation has none")
		}
		read.APIKey, read.session = read.APIKey || key, read.session || session
	}
	for _, ref := range slices.Concat(route.PathItem.Parameters, op.Parameters) {
		p := ref.Value
		switch {
		case p.In == openapi3.ParameterInQuery:
			read.query[p.Name] = p
		case p.Name == "Idempotency-Key":
			read.idempotent = true
		case p.Name == ifNoneMatch:
			read.conditional = true
		}
		if p.In == openapi3.ParameterInHeader {
			read.headers = append(read.headers, p.Name)
		}
	}
	if ok := op.Responses.Value("200"); ok != nil && read.Public() {
		read.opens = ok.Value.Headers["Set-Cookie"] != nil
	}
	if err := read.readExtensions(op); err != nil {
		return nil, err
	}
	return read, nil
}

// readExtensions reads the request body and the extensions of an operation.
func (o *Operation) readExtensions(op *openapi3.Operation) error {
	if op.RequestBody != nil {
		o.multipart = op.RequestBody.Value.Content["multipart/form-data"] != nil
		o.texts = freeTexts(op.RequestBody.Value.Content["application/json"])
	}
	if size, ok := op.Extensions["x-max-body"]; ok {
		if err := readExtension(size, &o.maxBody); err != nil {
			return fmt.Errorf("x-max-body: %w", err)
		}
	}
	if age, ok := op.Extensions["x-max-age"]; ok {
		if err := readExtension(age, &o.maxAge); err != nil {
			return fmt.Errorf("x-max-age: %w", err)
		}
		if !o.Public() || !o.conditional {
			return fmt.Errorf("x-max-age is allowed only on public operations with If-None-Match")
		}
	}
	if shed, ok := op.Extensions["x-shed"]; ok {
		if o.last = shed == "last"; !o.last {
			return fmt.Errorf("x-shed is %v, not last", shed)
		}
	}
	if err := o.unverified.read(op.Extensions["x-unverified"]); err != nil {
		return fmt.Errorf("x-unverified: %w", err)
	}
	if err := o.refusedTo.read(op.Extensions["x-refused-to"]); err != nil {
		return fmt.Errorf("x-refused-to: %w", err)
	}
	limit, err := readRate(op.Extensions["x-rate-limit"])
	if err != nil {
		return fmt.Errorf("x-rate-limit: %w", err)
	}
	o.Rate = limit
	return nil
}

type accountStates []market.AccountState

// read parses x-refused-to; nil means that it is absent.
func (a *accountStates) read(value any) error {
	if value == nil {
		return nil
	}
	if err := readExtension(value, a); err != nil {
		return err
	}
	for _, state := range *a {
		if state != market.AccountLimited && state != market.AccountSuspended {
			return fmt.Errorf("%q is neither %q nor %q", state, market.AccountLimited, market.AccountSuspended)
		}
	}
	return nil
}

// access is an unverified agent's access to an operation.
type access string

const (
	accessNone    access = ""
	accessAllowed access = "allowed"
	accessOwn     access = "own" // only if the path contains the agent's own username
)

// read parses x-unverified; nil means that it is absent.
func (a *access) read(value any) error {
	if value == nil {
		return nil
	}
	if err := readExtension(value, a); err != nil {
		return err
	}
	if *a != accessAllowed && *a != accessOwn {
		return fmt.Errorf("%q is neither %q nor %q", *a, accessAllowed, accessOwn)
	}
	return nil
}

// readExtension decodes an extension, which the parser returns as JSON text or as a value.
func readExtension(value, into any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(encoded, into)
}

// guardedRouter registers each route with and without a trailing slash, with HEAD in addition to
// GET, and behind the checks of its operation. It does not register routes that are missing from
// openapi.yaml; check reports them.
type guardedRouter struct {
	api.EchoRouter
	pipelines map[string][]echo.MiddlewareFunc // checks by method and path
	methods   map[string][]string              // methods by path
}

// namesAll rejects a path with an empty parameter, such as /tasks//.
func namesAll(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if slices.Contains(c.ParamValues(), "") {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

func newGuardedRouter(router api.EchoRouter, operations map[string]*Operation, pipeline func(*Operation) []echo.MiddlewareFunc) guardedRouter {
	guarded := guardedRouter{
		EchoRouter: router, pipelines: make(map[string][]echo.MiddlewareFunc), methods: make(map[string][]string),
	}
	spell := strings.NewReplacer("{", ":", "}", "") // converts {id} to echo's :id
	for _, op := range operations {
		guarded.pipelines[op.Route.Method+" "+BasePath+spell.Replace(op.Route.Path)] = pipeline(op)
	}
	return guarded
}

// GET registers the handler for GET and HEAD.
func (r guardedRouter) GET(path string, h echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	r.guard(http.MethodGet, path, h, map[string]register{http.MethodGet: r.EchoRouter.GET, http.MethodHead: r.HEAD})
	return nil
}

// POST registers the handler for POST.
func (r guardedRouter) POST(path string, h echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	r.guard(http.MethodPost, path, h, map[string]register{http.MethodPost: r.EchoRouter.POST})
	return nil
}

// PATCH registers the handler for PATCH.
func (r guardedRouter) PATCH(path string, h echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	r.guard(http.MethodPatch, path, h, map[string]register{http.MethodPatch: r.EchoRouter.PATCH})
	return nil
}

// PUT registers the handler for PUT.
func (r guardedRouter) PUT(path string, h echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	r.guard(http.MethodPut, path, h, map[string]register{http.MethodPut: r.EchoRouter.PUT})
	return nil
}

// register is the type of echo's methods that register a handler for one HTTP method.
type register func(path string, h echo.HandlerFunc, guards ...echo.MiddlewareFunc) *echo.Route

// guard registers the handler behind the checks of the operation, for each method. For a route that
// openapi.yaml does not contain, it records an empty method, which check reports.
func (r guardedRouter) guard(operation, path string, h echo.HandlerFunc, ways map[string]register) {
	guards, ok := r.pipelines[operation+" "+path]
	if !ok {
		r.methods[path] = append(r.methods[path], "")
		return
	}
	for method, way := range ways {
		r.methods[path] = append(r.methods[path], method)
		way(twin(path), h, guards...)
		way(path, h, guards...)
	}
}

// check fails unless exactly the operations of openapi.yaml are registered.
func (r guardedRouter) check() error {
	for path, methods := range r.methods {
		if slices.Contains(methods, "") {
			return fmt.Errorf("a route at %s is not in the document", path)
		}
	}
	for operation := range r.pipelines {
		method, path, _ := strings.Cut(operation, " ")
		if !slices.Contains(r.methods[path], method) {
			return fmt.Errorf("operation %s has no route", operation)
		}
	}
	return nil
}

// serveOptions registers OPTIONS for every path.
func (r guardedRouter) serveOptions() {
	for path, methods := range r.methods {
		r.OPTIONS(path, allow(methods))
		r.OPTIONS(twin(path), allow(methods))
	}
}

// allow returns a handler for OPTIONS that sends the Allow header.
func allow(methods []string) echo.HandlerFunc {
	list := strings.Join(append(slices.Sorted(slices.Values(methods)), http.MethodOptions), ", ")
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, list)
		return c.JSON(http.StatusOK, struct{}{})
	}
}

// twin returns the path with its trailing slash added or removed.
func twin(path string) string {
	if rest, slashed := strings.CutSuffix(path, "/"); slashed {
		return rest
	}
	return path + "/"
}

// follows reports whether the operation returns a stream of events.
func (o *Operation) follows() bool { return o.returns("text/event-stream") }

// downloads reports whether the operation returns a file.
func (o *Operation) downloads() bool { return o.returns("application/octet-stream") }

func (o *Operation) returns(contentType string) bool {
	ok := o.Route.Operation.Responses.Value("200")
	return ok != nil && ok.Value.Content[contentType] != nil
}
