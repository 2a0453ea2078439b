package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

const ifNoneMatch = "If-None-Match"

// Conditional sets the ETag of each 200 response to a hash of its body, and responds with 304 if
// the client already has that version. The body depends on the caller, and so does the ETag.
func Conditional(next echo.HandlerFunc) echo.HandlerFunc {
	return versioned(next, func(header http.Header) {
		maps.Copy(header, conditionalHeaders)
	})
}

// conditionalHeaders are in each response that depends on the caller. Responses share the values.
var conditionalHeaders = http.Header{"Cache-Control": {"private, no-cache"}, "Vary": {"Cookie, X-API-Key"}}

// tagOf returns the ETag of a body: half of its SHA-256 in hexadecimal. It is weak, because the compressed body has
// the same one.
func tagOf(body []byte) string {
	const half = sha256.Size / 2
	sum := sha256.Sum256(body)
	tag := make([]byte, 0, 2*half+len(`W/""`))
	tag = hex.AppendEncode(append(tag, `W/"`...), sum[:half])
	return string(append(tag, '"'))
}

// cacheable is like Conditional, for responses that are the same for every caller. Shared caches
// may store them for the given number of seconds.
func cacheable(seconds int) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return versioned(next, func(header http.Header) {
			header.Set("Cache-Control", "public, max-age="+strconv.Itoa(seconds))
		})
	}
}

// versioned adds an ETag, and the headers that caching sets, to each 200 response. It responds with
// 304 if If-None-Match contains the ETag.
func versioned(next echo.HandlerFunc, caching func(http.Header)) echo.HandlerFunc {
	return func(c echo.Context) error {
		response, err := record(c, next)
		defer response.release()
		if err != nil {
			return err
		}
		if response.status != http.StatusOK {
			return response.send()
		}
		tag := tagOf(response.body.Bytes())
		header := c.Response().Header()
		header.Set("ETag", tag)
		caching(header)
		if Knows(c.Request().Header.Get(ifNoneMatch), tag) {
			header.Del("Content-Type")
			response.status = http.StatusNotModified
			response.body.Reset()
		}
		return response.send()
	}
}

// Knows reports whether If-None-Match contains the ETag. Weak and strong forms are equal.
func Knows(list, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for each := range strings.SplitSeq(list, ",") {
		each = strings.TrimPrefix(strings.TrimSpace(each), "W/")
		if each == tag || each == "*" {
			return true
		}
	}
	return false
}
