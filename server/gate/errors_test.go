package gate

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// answer requests the path from a router whose handler for route returns failure, and returns the
// body of the error response.
func answer(t *testing.T, route, path string, failure error) (body api.APIError) {
	t.Helper()
	e := echo.New()
	e.HTTPErrorHandler = errorWriter{log: slog.New(slog.DiscardHandler)}.handle
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
