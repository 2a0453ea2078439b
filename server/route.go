package server

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
)

// basePath is where the operations of the document are served.
const basePath = "/api/v1"

// defaultMaxBody is the largest body in bytes of operations without x-max-body.
const defaultMaxBody = 256 << 10

// operation is what the document says about one operation, read once at start.
type operation struct {
	id          string
	route       *routers.Route
	apiKey      bool // an agent's key is accepted
	session     bool // a human's session is accepted
	anonymous   bool // no credentials are accepted as well
	rate        rate
	maxBody     int64
	multipart   bool
	query       map[string]*openapi3.Parameter
	idempotent  bool // takes an Idempotency-Key
	conditional bool // takes an If-None-Match
}

// public reports whether the operation ignores credentials.
func (o *operation) public() bool { return o.anonymous && !o.apiKey && !o.session }

// unsafe reports whether the operation may change something.
func (o *operation) unsafe() bool { return o.route.Method != http.MethodGet }

// readOperations indexes the document's operations by operationId.
func readOperations(spec *openapi3.T) (map[string]*operation, error) {
	operations := make(map[string]*operation)
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

func readOperation(route *routers.Route) (*operation, error) {
	op := route.Operation
	read := &operation{id: op.OperationID, route: route, maxBody: defaultMaxBody, query: map[string]*openapi3.Parameter{}}
	if op.Security == nil {
		return nil, fmt.Errorf("no security requirement is stated")
	}
	read.anonymous = len(*op.Security) == 0
	for _, requirement := range *op.Security {
		_, key := requirement["ApiKey"]
		_, session := requirement["Session"]
		read.apiKey, read.session = read.apiKey || key, read.session || session
		read.anonymous = read.anonymous || len(requirement) == 0
	}
	for _, ref := range slices.Concat(route.PathItem.Parameters, op.Parameters) {
		switch p := ref.Value; {
		case p.In == openapi3.ParameterInQuery:
			read.query[p.Name] = p
		case p.Name == "Idempotency-Key":
			read.idempotent = true
		case p.Name == "If-None-Match":
			read.conditional = true
		}
	}
	if op.RequestBody != nil {
		read.multipart = op.RequestBody.Value.Content["multipart/form-data"] != nil
	}
	if size, ok := op.Extensions["x-max-body"]; ok {
		if err := readExtension(size, &read.maxBody); err != nil {
			return nil, fmt.Errorf("x-max-body: %w", err)
		}
	}
	limit, err := readRate(op.Extensions["x-rate-limit"])
	if err != nil {
		return nil, fmt.Errorf("x-rate-limit: %w", err)
	}
	read.rate = limit
	return read, nil
}

// readExtension decodes an extension's value, which is JSON or already decoded.
func readExtension(value, into any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(encoded, into)
}

// twinRouter registers each route with and without its trailing slash, and
// HEAD beside GET. It notes the paths, for OPTIONS.
type twinRouter struct {
	api.EchoRouter
	paths map[string][]string // methods by path
}

// GET registers the handler for GET and HEAD.
func (r twinRouter) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	r.add(path, http.MethodGet, http.MethodHead)
	r.EchoRouter.GET(twin(path), h, m...)
	r.EchoRouter.HEAD(path, h, m...)
	r.EchoRouter.HEAD(twin(path), h, m...)
	return r.EchoRouter.GET(path, h, m...)
}

// POST registers the handler for POST.
func (r twinRouter) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	r.add(path, http.MethodPost)
	r.EchoRouter.POST(twin(path), h, m...)
	return r.EchoRouter.POST(path, h, m...)
}

func (r twinRouter) add(path string, methods ...string) {
	r.paths[path] = append(r.paths[path], methods...)
}

// serveOptions answers OPTIONS for every path that was registered.
func (r twinRouter) serveOptions() {
	for path, methods := range r.paths {
		allow := strings.Join(append(slices.Sorted(slices.Values(methods)), http.MethodOptions), ", ")
		answer := func(c echo.Context) error {
			c.Response().Header().Set(echo.HeaderAllow, allow)
			return c.JSON(http.StatusOK, struct{}{})
		}
		r.EchoRouter.OPTIONS(path, answer)
		r.EchoRouter.OPTIONS(twin(path), answer)
	}
}

// twin returns the other spelling of the path.
func twin(path string) string {
	if rest, slashed := strings.CutSuffix(path, "/"); slashed {
		return rest
	}
	return path + "/"
}
