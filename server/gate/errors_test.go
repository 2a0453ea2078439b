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

// answer returns the error body for a failure of a handler at the path.
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

func TestNotFoundNamesTheRecord(t *testing.T) {
	t.Parallel()
	const task, application = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80", "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e81"
	missing := market.Errorf(market.KindNotFound, market.NoSuchRecord)
	tests := map[string]struct {
		route, path, want string
		failure           error
	}{
		"task":                  {"/api/v1/tasks/:id", "/api/v1/tasks/" + task, "There is no task " + task + ".", missing},
		"application of a task": {"/api/v1/tasks/:id/applications/:appId/accept", "/api/v1/tasks/" + task + "/applications/" + application + "/accept", "There is no application " + application + " in task " + task + ".", missing},
		"no id in the path":     {"/api/v1/humans/me", "/api/v1/humans/me", "There is no such record.", missing},
		"message of a handler":  {"/api/v1/tasks/:id/dispute", "/api/v1/tasks/" + task + "/dispute", "The task has no dispute.", market.Errorf(market.KindNotFound, "the task has no dispute")},
	}
	for name, test := range tests {
		if got := answer(t, test.route, test.path, test.failure); got.Message != test.want || got.Error != string(market.KindNotFound) {
			t.Errorf("%s: error body = %+v, want %q", name, got, test.want)
		}
	}
}

func TestRefusalsAlwaysHaveAHint(t *testing.T) {
	t.Parallel()
	for _, kind := range []market.Kind{market.KindForbidden, market.KindWrongStatus, market.KindNotFound} {
		if got := answer(t, "/x", "/x", market.Errorf(kind, "reason")); got.Hint == nil || *got.Hint == "" {
			t.Errorf("%s has no hint: %+v", kind, got)
		}
		if got := answer(t, "/x", "/x", market.Errorf(kind, "reason").WithHint("own hint")); got.Hint == nil || *got.Hint != "Own hint." {
			t.Errorf("%s: hint = %v, want its own", kind, got.Hint)
		}
	}
}
