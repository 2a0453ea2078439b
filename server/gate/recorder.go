package gate

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"

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

// recorders pools recorders, so that the memory of their bodies is reused.
var recorders = sync.Pool{New: func() any { return new(recorder) }}

// maxPooledBody is the capacity, in bytes, of the largest body that is reused. Few responses are larger.
const maxPooledBody = 256 << 10

// record runs next and returns its buffered response. Nothing is sent yet, but header changes take
// effect immediately. The caller can release the response when it is no longer used.
func record(c echo.Context, next echo.HandlerFunc) (*recorder, error) {
	response := c.Response()
	rec, _ := recorders.Get().(*recorder)
	rec.ResponseWriter, rec.status = response.Writer, 0
	response.Writer = rec
	err := next(c)
	response.Writer = rec.ResponseWriter
	return rec, err
}

// release makes the recorder's memory available to other requests.
func (r *recorder) release() {
	if r.body.Cap() <= maxPooledBody {
		r.ResponseWriter = nil
		r.body.Reset()
		recorders.Put(r)
	}
}

// send writes the buffered response. It sets Content-Length, so that large responses are not chunked.
func (r *recorder) send() error {
	if r.body.Len() > 0 {
		r.Header().Set("Content-Length", strconv.Itoa(r.body.Len()))
	}
	r.ResponseWriter.WriteHeader(r.status)
	_, err := r.ResponseWriter.Write(r.body.Bytes())
	return err
}
