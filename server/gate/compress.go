package gate

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// minCompressed is the size, in bytes, of the smallest response that is compressed. A smaller one fits into one
// packet anyway.
const minCompressed = 1 << 10

// Compressed compresses responses for clients that accept gzip. It must not be used for responses with secrets: if
// a response also contains text that another site chooses, its compressed size reveals the secret (BREACH). Errors
// are not compressed.
func Compressed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		response, err := record(c, next)
		defer response.release()
		if err != nil {
			return err
		}
		header := c.Response().Header()
		header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if response.body.Len() >= minCompressed && Accepts(c.Request().Header, "gzip") {
			response.compress()
			header.Set(echo.HeaderContentEncoding, "gzip")
		}
		return response.send()
	}
}

// zippers pools writers, because a new one allocates several hundred kilobytes.
var zippers = sync.Pool{New: func() any {
	zipper, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // cannot fail: the level is valid
	return zipper
}}

// compress replaces the body by its gzip form.
func (r *recorder) compress() {
	packed, _ := recorders.Get().(*recorder)
	zipper, _ := zippers.Get().(*gzip.Writer)
	zipper.Reset(&packed.body)
	_, _ = zipper.Write(r.body.Bytes()) // a buffer never returns an error
	_ = zipper.Close()
	zippers.Put(zipper)
	r.body, packed.body = packed.body, r.body
	packed.release()
}

// Accepts reports whether Accept-Encoding lists the encoding with a weight above zero. It ignores
// "*", which browsers do not send.
func Accepts(header http.Header, encoding string) bool {
	for each := range strings.SplitSeq(strings.Join(header.Values(echo.HeaderAcceptEncoding), ","), ",") {
		name, weight, _ := strings.Cut(each, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		value, _ := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(weight, " ", "")), "q=")
		return strings.Trim(value, "0.") != "" || value == ""
	}
	return false
}

// secretMembers are the members of responses that authenticate their reader.
var secretMembers = map[string]bool{"api_key": true, "csrf_token": true, "verification_code": true, "challenge": true, "nonce": true}

// compressible reports whether the operation returns JSON without secrets.
func (o *Operation) compressible() bool {
	if o.multipart || o.follows() || o.downloads() {
		return false
	}
	for _, response := range o.Route.Operation.Responses.Map() {
		if body := response.Value.Content["application/json"]; body != nil && hasSecret(body.Schema, make(map[*openapi3.Schema]bool)) {
			return false
		}
	}
	return true
}

// hasSecret reports whether values of the schema can contain a secret member.
func hasSecret(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool) bool {
	if ref == nil || ref.Value == nil || seen[ref.Value] {
		return false
	}
	schema := ref.Value
	seen[schema] = true
	parts := append([]*openapi3.SchemaRef{schema.Items, schema.AdditionalProperties.Schema}, schema.AllOf...)
	parts = append(append(parts, schema.OneOf...), schema.AnyOf...)
	for name, member := range schema.Properties {
		if secretMembers[name] {
			return true
		}
		parts = append(parts, member)
	}
	for _, part := range parts {
		if hasSecret(part, seen) {
			return true
		}
	}
	return false
}
