package e2e_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	gen "taskmarket/gen/client"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

// TestSecretsAreNotStored: neither a dump of the database nor the log contains the
// credentials of an agent or a human.
func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	replaced, err := w.agent.RotateKey(w.ctx)
	w.must(err)
	cookie := w.cookie(w.human())
	if got := w.ask("GET", "/auth/session", "", "Cookie", cookie.String()); got.status != http.StatusOK {
		t.Fatalf("the session = %d %s", got.status, got.body)
	}
	if got := w.ask("GET", "/agents/me", "", "X-API-Key", replaced.APIKey); got.status != http.StatusOK {
		t.Fatalf("the key = %d %s", got.status, got.body)
	}
	kept := map[string]string{"the database": w.dump(), "the log": w.logs()}
	hash := sha256.Sum256([]byte(replaced.APIKey))
	if !strings.Contains(kept["the database"], hex.EncodeToString(hash[:])) {
		t.Error("the dump does not contain the key's hash, so it is incomplete")
	}
	for name, secret := range map[string]string{
		"the first key": w.agent.Key, "the new key": replaced.APIKey, "the new key's random part": strings.Split(replaced.APIKey, "_")[1],
		"the cookie": cookie.Value, "the session's id": sessionID(t, cookie.Value), "the cookie's signature": cookie.Value[strings.LastIndex(cookie.Value, ".")+1:],
	} {
		for place, text := range kept {
			for form, spelled := range map[string]string{
				"as it is": secret, "in hex": hex.EncodeToString([]byte(secret)), "in base64": base64.StdEncoding.EncodeToString([]byte(secret)),
			} {
				if strings.Contains(text, spelled) {
					t.Errorf("%s contains %s %s", place, name, form)
				}
			}
		}
	}
}

// dump returns all rows of all tables; bytes are in hex.
func (w *world) dump() string {
	w.t.Helper()
	var text strings.Builder
	for _, rows := range storetest.Snapshot(w.t, w.records) {
		for _, row := range rows {
			text.WriteString(row + "\n")
		}
	}
	return text.String()
}

// logs returns the logs of all servers.
func (w *world) logs() string {
	w.t.Helper()
	var text strings.Builder
	for _, r := range w.replicas {
		for _, name := range r.logs {
			raw, err := os.ReadFile(name)
			w.must(err)
			text.Write(raw)
		}
	}
	if text.Len() == 0 {
		w.t.Fatal("the servers have no log")
	}
	return text.String()
}

// sessionID reads the session's id from its token.
func sessionID(t *testing.T, token string) string {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("the cookie has %d parts, want a token's 3", len(parts))
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims struct{ JTI string }
	if err := json.Unmarshal(raw, &claims); err != nil || claims.JTI == "" {
		t.Fatalf("the token names no session: %v", err)
	}
	return claims.JTI
}

// cookie returns the simulated user's session cookie.
func (w *world) cookie(p *actor.Person) *http.Cookie {
	w.t.Helper()
	generated, ok := p.API.ClientInterface.(*gen.Client)
	if !ok {
		w.t.Fatalf("a person's client is a %T", p.API.ClientInterface)
	}
	browser, ok := generated.Client.(*http.Client)
	if !ok {
		w.t.Fatalf("a person's browser is a %T", generated.Client)
	}
	origin, err := url.Parse(w.server.origin())
	w.must(err)
	cookies := browser.Jar.Cookies(origin)
	if len(cookies) != 1 {
		w.t.Fatalf("%d cookies, want the session's", len(cookies))
	}
	return cookies[0]
}

// answer is the response to a plain request.
type answer struct {
	status int
	body   string
	header http.Header
}

// ask sends a plain request to the first server. headers are alternating names and values.
func (w *world) ask(method, path, body string, headers ...string) answer {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.ctx, method, w.server.api()+path, strings.NewReader(body))
	w.must(err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	w.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.must(err)
	return answer{response.StatusCode, string(text), response.Header}
}
