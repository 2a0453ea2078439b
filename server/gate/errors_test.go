package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// answer requests the path from a router whose handler for route returns failure, and returns the
// body of the error response.
func answer(t *testing.T, route, path string, failure error) (body api.APIError) {
	t.Helper()
	e := echo.New()
	e.HTTPErrorHandler = errorWriter{observer: NoObserver{}, log: slog.New(slog.DiscardHandler)}.handle
	e.GET(route, func(echo.Context) error { return failure })
	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	if err := json.Unmarshal(response.Body.Bytes(), &body); err != nil {
		t.Fatalf("error body %s: %v", response.Body, err)
	}
	return body
}

func TestErrorsAlwaysHaveAHint(t *testing.T) {
	t.Parallel()
	for _, kind := range []market.Kind{market.KindForbidden, market.KindWrongStatus, market.KindNotFound} {
		if got := answer(t, "/x", "/x", market.Errorf(kind, "reason")); got.Hint == nil || *got.Hint == "" {
			t.Errorf("%s has no hint: %+v", kind, got)
		}
		if got := answer(t, "/x", "/x", market.Errorf(kind, "reason").WithHint("own hint")); got.Hint == nil || *got.Hint != "Own hint." {
			t.Errorf("%s: hint = %v, want the hint of the error", kind, got.Hint)
		}
	}
}

// A request that fails after its response has started is logged as a warning, unless the client has
// disconnected.
func TestDisconnectedClientsAreNotWarnings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		disconnects bool
	}{{"server fails", false}, {"client disconnects", true}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer // only read after the handler has returned
			e, done := echo.New(), make(chan struct{})
			handler := errorWriter{observer: NoObserver{}, log: slog.New(slog.NewTextHandler(&log, nil))}.handle
			e.HTTPErrorHandler = func(err error, c echo.Context) {
				defer close(done)
				handler(err, c)
			}
			e.GET("/", func(c echo.Context) error {
				c.Response().WriteHeader(http.StatusOK)
				for test.disconnects {
					if _, err := c.Response().Write(make([]byte, 1<<20)); err != nil {
						return err
					}
				}
				return errors.New("no more data")
			})
			server := httptest.NewServer(e)
			t.Cleanup(server.Close)
			response, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			if err := response.Body.Close(); err != nil {
				t.Fatal(err)
			}
			<-done
			if got, want := strings.Contains(log.String(), "WARN"), !test.disconnects; got != want {
				t.Errorf("logged a warning: %v, want %v: %s", got, want, log.String())
			}
		})
	}
}

// Every error code in openapi.yaml is sent with its documented status.
func TestErrorCodesHaveTheirStatus(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	codes, ok := spec.Components.Schemas["ApiError"].Value.Properties["error"].Value.Extensions["x-error-codes"].(map[string]any)
	if !ok || len(codes) < 30 {
		t.Fatalf("openapi.yaml lists %d codes", len(codes))
	}
	want, got := map[string]int{}, map[string]int{}
	for code, status := range codes {
		number, ok := status.(float64)
		if !ok {
			t.Fatalf("the status of %s is %v", code, status)
		}
		want[code] = int(number)
		got[code] = StatusOf(market.Kind(code))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses differ (-openapi.yaml +server):\n%s", diff)
	}
}
