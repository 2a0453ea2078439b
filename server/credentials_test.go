package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// A request must carry exactly one credential; a request with several is refused.
func TestThreat47RequestsCarryOneCredential(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other, human := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent), r.human(r.net.Human)
	cookie, stranger := human.cookie(t, r.url).String(), r.human(r.net.OtherHuman).cookie(t, r.url).String()
	for name, test := range map[string]struct {
		query   string
		headers []string
		status  int
	}{
		"key":            {"", []string{"X-API-Key", agent.key}, 200},
		"cookie":         {"", []string{"Cookie", cookie}, 200},
		"key and cookie": {"", []string{"X-API-Key", agent.key, "Cookie", cookie}, 400},
		"two keys":       {"", []string{"X-API-Key", agent.key, "X-API-Key", other.key}, 400},
		"one key twice":  {"", []string{"X-API-Key", agent.key, "X-API-Key", agent.key}, 400},
		"two keys, header names in different case": {"", []string{"X-API-Key", agent.key, "x-api-key", other.key}, 400},
		"two cookies":                      {"", []string{"Cookie", cookie, "Cookie", stranger}, 400},
		"two cookies in one header":        {"", []string{"Cookie", cookie + "; " + stranger}, 400},
		"forged key, good cookie":          {"", []string{"X-API-Key", "x", "Cookie", cookie}, 400},
		"good key, forged cookie":          {"", []string{"X-API-Key", agent.key, "Cookie", "taskmarket_session=x"}, 400},
		"empty key, good cookie":           {"", []string{"X-API-Key", "", "Cookie", cookie}, 400},
		"two keys in one header":           {"", []string{"X-API-Key", agent.key + "," + other.key}, 401},
		"key in the query":                 {"?X-API-Key=" + agent.key, nil, 401},
		"key in the query as api_key":      {"?api_key=" + agent.key, nil, 401},
		"keys in the query and the header": {"?api_key=" + other.key, []string{"X-API-Key", agent.key}, 400},
		"key as a bearer token":            {"", []string{"Authorization", "Bearer " + agent.key}, 401},
		"key as a password":                {"", []string{"Authorization", "Basic " + agent.key}, 401},
		"key as a cookie":                  {"", []string{"Cookie", "X-API-Key=" + agent.key}, 401},
		"session as a key":                 {"", []string{"X-API-Key", human.cookie(t, r.url).Value}, 401},
		"cookie with another name":         {"", []string{"Cookie", "__Host-" + cookie}, 401},
		"cookie in upper case":             {"", []string{"Cookie", strings.ToUpper(cookie)}, 401},
		"method override":                  {"", []string{"X-API-Key", agent.key, "X-HTTP-Method-Override", http.MethodPost}, 200},
		"user headers of a proxy":          {"", []string{"X-Forwarded-User", agent.id.String(), "X-User-Id", agent.id.String()}, 401},
	} {
		got := r.do(http.MethodGet, "/api/v1/tasks/"+test.query, "", test.headers...)
		if got.status != test.status {
			t.Errorf("%s = %d, want %d: %s", name, got.status, test.status, got.body)
		}
	}
}
