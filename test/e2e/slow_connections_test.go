package e2e_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	slowEach = 100 // number of connections of each kind
	// slowestPace is an acceptable response time on a machine that also runs other programs.
	slowestPace   = 500 * time.Millisecond
	headerTimeout = 5 * time.Second // the server's time limit for reading request headers
)

// TestSlowConnections: connections that send headers slowly, never complete the body or never
// read the response do not delay other requests. Those with incomplete headers are closed after a time
// limit.
func TestSlowConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.healthPace()
	began := time.Now()
	head := "Host: market\r\nX-API-Key: " + w.agent.Key + "\r\n"
	headers := w.dialMany("GET /api/v1/health HTTP/1.1\r\nHost: market\r\n")
	bodies := w.dialMany("POST /api/v1/tasks/ HTTP/1.1\r\n" + head + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	readers := w.dialMany(strings.Repeat("GET /openapi.json HTTP/1.1\r\n"+head+"\r\n", 3))
	var group sync.WaitGroup
	for _, c := range headers {
		group.Go(func() {
			for i := 0; time.Since(began) < 3*headerTimeout; i++ {
				if _, err := fmt.Fprintf(c, "X-%d: a\r\n", i); err != nil {
					return
				}
				_ = c.SetReadDeadline(time.Now().Add(headerTimeout / 10))
				if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
					return // the server has answered or closed the connection
				}
			}
			t.Error("a connection without complete headers is still open")
		})
	}
	time.Sleep(headerTimeout / 5) // give the server time to respond to complete requests
	during := w.healthPace()
	group.Wait()
	took := time.Since(began)
	if during > slowestPace && during > 10*before {
		t.Errorf("99 of 100 requests took %s at most, %s before", during, before)
	}
	t.Logf("99 of 100 requests took %s at most, %s before; the connections with incomplete headers were closed after %s", during, before, took)
	for _, c := range slices.Concat(bodies, readers) {
		_ = c.Close()
	}
	w.wantLargeHeadersRefused()
}

// dialMany opens connections to the server and sends the text on each.
func (w *world) dialMany(text string) []net.Conn {
	w.t.Helper()
	all := make([]net.Conn, slowEach)
	for i := range all {
		c, err := new(net.Dialer).DialContext(w.ctx, "tcp", strings.TrimPrefix(w.server.origin(), "http://"))
		w.must(err)
		w.t.Cleanup(func() { _ = c.Close() })
		if tcp, ok := c.(*net.TCPConn); ok {
			w.must(tcp.SetReadBuffer(4 << 10)) // a small buffer, which an unread response fills
		}
		_, err = c.Write([]byte(text))
		w.must(err)
		all[i] = c
	}
	return all
}

// healthPace returns the 99th percentile of the duration of health requests.
func (w *world) healthPace() time.Duration {
	w.t.Helper()
	took := make([]time.Duration, 300)
	for i := range took {
		began := time.Now()
		request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, w.server.api()+"/health", nil)
		w.must(err)
		response, err := http.DefaultClient.Do(request)
		w.must(err)
		w.must(response.Body.Close())
		if response.StatusCode != http.StatusOK {
			w.t.Errorf("health = %s", response.Status)
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// wantLargeHeadersRefused fails the test unless the server rejects a request with a megabyte of
// headers.
func (w *world) wantLargeHeadersRefused() {
	w.t.Helper()
	c, err := new(net.Dialer).DialContext(w.ctx, "tcp", strings.TrimPrefix(w.server.origin(), "http://"))
	w.must(err)
	defer c.Close()
	go func() {
		_, _ = fmt.Fprint(c, "GET /api/v1/health HTTP/1.1\r\nHost: market\r\n", strings.Repeat("X-A: "+strings.Repeat("b", 1000)+"\r\n", 1000), "\r\n")
	}()
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(answer, "431") {
		w.t.Errorf("a megabyte of headers = %q, %v", answer, err)
	}
}
