package gate

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"
)

// recorder buffers a response, so that it can be replaced or stored before it is sent.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// record runs next and returns its buffered response. Nothing is sent yet, but header changes take
// effect immediately.
func record(c echo.Context, next echo.HandlerFunc) (*recorder, error) {
	response := c.Response()
	answer := &recorder{ResponseWriter: response.Writer}
	response.Writer = answer
	err := next(c)
	response.Writer = answer.ResponseWriter
	return answer, err
}

// send writes the buffered response.
func (r *recorder) send() error {
	r.ResponseWriter.WriteHeader(r.status)
	_, err := r.ResponseWriter.Write(r.body.Bytes())
	return err
}
