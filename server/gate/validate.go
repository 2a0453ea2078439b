package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/server/strictjson"
)

// transferTimeout limits the duration of an upload, including its response, and of a download.
const transferTimeout = 5 * time.Minute

// validate rejects requests that do not match openapi.yaml. It keeps the validated body, which the
// generated code passes to the handler.
func validate(op *Operation) echo.MiddlewareFunc {
	options := &openapi3filter.Options{MultiError: true, KeepValidatedValue: true, ExcludeRequestBody: op.multipart}
	route := withoutSecurity(op.Route)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := readBody(c, op); err != nil {
				return err
			}
			r := c.Request()
			if err := checkQuery(r, op.query); err != nil {
				return err
			}
			if err := checkHeaders(r, op.headers); err != nil {
				return err
			}
			parameters := make(map[string]string, len(c.ParamNames()))
			for i, name := range c.ParamNames() {
				parameters[name] = c.ParamValues()[i]
			}
			input := &openapi3filter.RequestValidationInput{
				Request: r, PathParams: parameters, Route: route, Options: options,
			}
			if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
				return faultsOf(err)
			}
			if err := checkTexts(r, op); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// checkTexts rejects hidden characters in all texts of a JSON body, because other users and their language
// models read them. It runs for every operation, so that no handler can omit it.
func checkTexts(r *http.Request, op *Operation) error {
	if op.multipart || r.ContentLength == 0 {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return strictjson.CheckTexts(text)
}

// withoutSecurity returns the route without its security requirements. The caller is already
// authenticated, and the validator would read the whole body into memory to check them, even for
// uploads.
func withoutSecurity(route *routers.Route) *routers.Route {
	operation, open := *route.Operation, *route
	operation.Security = openapi3.NewSecurityRequirements()
	open.Operation = &operation
	return &open
}

// checkHeaders rejects parameters that are repeated headers. Only If-None-Match is a list, which clients and proxies
// can divide into several headers.
func checkHeaders(r *http.Request, names []string) error {
	for _, name := range names {
		values := r.Header.Values(name)
		switch {
		case len(values) <= 1:
		case name == ifNoneMatch:
			r.Header.Set(name, strings.Join(values, ", "))
		default:
			return market.Invalid(name, "repeated", "is given more than once")
		}
	}
	return nil
}

// byteOrderMark begins the texts of some Windows programs.
const byteOrderMark = "\ufeff"

// checkCoding rejects a body with a content coding such as gzip.
func checkCoding(c echo.Context) error {
	for _, coding := range c.Request().Header.Values(echo.HeaderContentEncoding) {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			c.Response().Header().Set(echo.HeaderAcceptEncoding, "identity")
			return market.Errorf(market.KindUnsupportedMedia, "the body has a Content-Encoding, which this service does not accept").
				WithHint("send the body uncompressed, without the header Content-Encoding")
		}
	}
	return nil
}

// readBody checks the size, the type and the coding of the body, then its JSON. A multipart body is read by the
// handler, with a size limit and a longer deadline.
func readBody(c echo.Context, op *Operation) error {
	r := c.Request()
	if r.ContentLength > op.maxBody {
		return &market.Error{Kind: market.KindTooLarge, Message: fmt.Sprintf("the body is larger than %d bytes", op.maxBody)}
	}
	if r.Body == http.NoBody && !op.multipart {
		r.GetBody = func() (io.ReadCloser, error) { return http.NoBody, nil }
		return nil
	}
	if err := checkCoding(c); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, op.maxBody)
	if op.multipart {
		extendDeadlines(c)
		if state := requestOf(r.Context()); state != nil {
			// Not the echo response, whose writer a later step replaces with a recorder.
			controller := http.NewResponseController(c.Response().Writer)
			state.endBody = func() { _ = controller.SetReadDeadline(time.Now()) }
		}
		return checkForm(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return unreadable(err)
	}
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	setBody(r, body)
	if len(body) == 0 {
		return nil
	}
	if _, err := mediaParameters(r, "application/json"); err != nil {
		return err
	}
	if body, err = strictjson.Check(body); err != nil {
		return err
	}
	if op.Route.Operation.RequestBody == nil && !emptyObject(body) {
		return market.Invalid("body", "unexpected", "this operation accepts no body except {}")
	}
	// Before the validation, so that the limits of lengths, the handlers and stored answers see the cleaned texts.
	setBody(r, strictjson.Clean(body, op.texts))
	return nil
}

func setBody(r *http.Request, body []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
}

// unreadable returns the error for a failed read of the body. It returns err itself if clients may
// read it, for example if the body is too large, and KindInvalid otherwise.
func unreadable(err error) error {
	if RefusalOf(err) != nil {
		return err
	}
	return market.Invalid("body", "incomplete", "could not be read completely").WithCause(err)
}

// EndBody makes the reads of the request's multipart body fail, also a read that waits for the client. It must
// not be called after the request. It has no effect on other requests.
func EndBody(ctx context.Context) {
	if r := requestOf(ctx); r != nil && r.endBody != nil {
		r.endBody()
	}
}

// mediaParameters returns the parameters of a body's content type.
func mediaParameters(r *http.Request, want string) (map[string]string, error) {
	kinds := r.Header.Values("Content-Type")
	if len(kinds) == 1 {
		if kind, parameters, err := mime.ParseMediaType(kinds[0]); err == nil && kind == want {
			return parameters, nil
		}
	}
	return nil, market.Errorf(market.KindUnsupportedMedia, "the body must have the content type %s", want)
}

func checkForm(r *http.Request) error {
	parameters, err := mediaParameters(r, "multipart/form-data")
	if err == nil && parameters["boundary"] == "" {
		err = market.Invalid("body", "boundary", "must have a boundary in the Content-Type header")
	}
	return err
}

// emptyObject reports whether body, which is valid JSON, is {}.
func emptyObject(body []byte) bool {
	return string(bytes.Join(bytes.Fields(body), nil)) == "{}"
}

// unhurriedDownload gives downloads as much time as uploads.
func unhurriedDownload(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		extendDeadlines(c)
		return next(c)
	}
}

// extendDeadlines gives a transfer more time than other requests. The read deadline also limits a
// download, because the server cancels a request whose connection reaches it.
func extendDeadlines(c echo.Context) {
	deadline := time.Now().Add(transferTimeout)
	controller := http.NewResponseController(c.Response())
	// Test recorders do not support deadlines; the connection's own timeouts apply then.
	_ = controller.SetReadDeadline(deadline)
	_ = controller.SetWriteDeadline(deadline)
}

// unhurried removes the read deadline for event streams, which have no fixed duration.
func unhurried(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		// Without this, the expired read deadline would look like a disconnected client.
		err := http.NewResponseController(c.Response()).SetReadDeadline(time.Time{})
		if err != nil && !errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("remove the read deadline: %w", err)
		}
		return next(c)
	}
}
