package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/store/storetest"
)

const (
	// closing is how long the server may take to close a connection after its response. It is shorter than
	// readHeaderTimeout, after which the server would also close a connection that it had kept open.
	closing = 3 * time.Second
	// lingering is how long a connection that stays open is read. A second response would follow at once.
	lingering = 150 * time.Millisecond
)

// converse sends the bytes over one connection and returns the statuses of all responses, and whether the
// server closed the connection. After the first bytes, it waits up to patience for further ones.
func converse(t *testing.T, address, request string, patience time.Duration) (statuses []string, closed bool, raw string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	var received bytes.Buffer
	for wait := 5 * time.Second; ; wait = patience {
		_ = conn.SetReadDeadline(time.Now().Add(wait))
		part := make([]byte, 64<<10)
		n, err := conn.Read(part)
		received.Write(part[:n])
		if err != nil {
			closed = !errors.Is(err, os.ErrDeadlineExceeded)
			break
		}
	}
	for _, line := range statusLine.FindAllStringSubmatch(received.String(), -1) {
		statuses = append(statuses, line[1])
	}
	return statuses, closed, received.String()
}

var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d{3}) `)

// smuggled is a request that a proxy could forward as part of the body of another request.
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: m\r\n\r\n"

// ambiguous contains requests that two servers could read in different ways. Each is refused, and the bytes
// after it on the connection are not read as a request.
var ambiguous = map[string]string{
	"two lengths":                       "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0\r\nContent-Length: 38\r\n\r\n" + smuggled,
	"a list of lengths":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0, 38\r\n\r\n" + smuggled,
	"a length with a plus":              "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: +0\r\n\r\n" + smuggled,
	"a negative length":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: -1\r\n\r\n" + smuggled,
	"a hexadecimal length":              "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0x0\r\n\r\n" + smuggled,
	"a length above 2^63":               "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 18446744073709551616\r\n\r\n" + smuggled,
	"an unknown coding":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled,
	"two codings":                       "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"two headers with codings":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + smuggled,
	"a blank before the colon":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"a tab in a coding":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n" + smuggled,
	"a header without a colon":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding\r\n\r\n0\r\n\r\n" + smuggled,
	"a first header that is continued":  "POST /api/v1/tasks/ HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: m\r\n\r\n0\r\n\r\n" + smuggled,
	"a header name with a blank":        "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX Y: a\r\n\r\n" + smuggled,
	"NUL in a header":                   "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX: a\x00b\r\n\r\n" + smuggled,
	"a bare CR in a header":             "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"no host":                           "GET /livez HTTP/1.1\r\n\r\n" + smuggled,
	"two hosts":                         "GET /livez HTTP/1.1\r\nHost: m\r\nHost: evil.example\r\n\r\n" + smuggled,
	"a host with a path":                "GET /livez HTTP/1.1\r\nHost: m/evil\r\n\r\n" + smuggled,
	"two blanks in the request line":    "GET  /livez HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a request line without a version":  "GET /livez\r\nHost: m\r\n\r\n" + smuggled,
	"a version in lower case":           "GET /livez http/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a version that does not exist":     "GET /livez HTTP/1.10\r\nHost: m\r\n\r\n" + smuggled,
	"a method with a control character": "GE\x01T /livez HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a target with a control character": "GET /livez\x7f HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a chunk with a sign":               "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n+0\r\n\r\n" + smuggled,
	"a chunk with a hexadecimal prefix": "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + smuggled,
	"a chunk that ends with a bare LF":  "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n" + smuggled,
	"a chunk size above 2^64":           "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n" + smuggled,
}

// The service's HTTP server refuses ambiguous requests and supports only HTTP/1.1.
func TestThreat118AmbiguousRequestsAreRefused(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	c.RateLimits = []string{"*=600/min:100"}
	origin, _ := serving(t, c)
	awaits(t, origin, 200, "ok\n")
	address := strings.TrimPrefix(origin, "http://")
	for name, request := range ambiguous {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statuses, closed, raw := converse(t, address, request, closing)
			if !closed || len(statuses) != 1 || !slices.Contains([]string{"400", "413", "501", "505"}, statuses[0]) {
				t.Errorf("statuses %v, closed: %t: %.500q", statuses, closed, raw)
			}
		})
	}
	t.Run("a length beside chunks", func(t *testing.T) { // RFC 9112, 6.1: the length is ignored, and the connection is closed
		t.Parallel()
		body := "0\r\n\r\n" + smuggled
		head := "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body))
		if statuses, closed, raw := converse(t, address, head+"\r\nTransfer-Encoding: chunked\r\n\r\n"+body, closing); !closed || !slices.Equal(statuses, []string{"400"}) {
			t.Errorf("statuses %v, closed: %t: %.500q", statuses, closed, raw)
		}
	})
	t.Run("threat 117: HTTP/2 is refused", func(t *testing.T) {
		t.Parallel()
		preface := "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
		if statuses, closed, raw := converse(t, address, preface, closing); !closed || len(statuses) > 1 || len(statuses) == 1 && statuses[0] < "400" || strings.Contains(raw, "\x00\x00") {
			t.Errorf("the preface: statuses %v, closed: %t: %q", statuses, closed, raw)
		}
		upgrade := "GET /livez HTTP/1.1\r\nHost: m\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"
		if statuses, _, raw := converse(t, address, upgrade, lingering); !slices.Equal(statuses, []string{"200"}) || strings.Contains(raw, "Upgrade:") {
			t.Errorf("an upgrade: %q", raw)
		}
		conn, err := new(tls.Dialer).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			t.Error("the server negotiates TLS, and therefore possibly HTTP/2")
		}
	})
}
