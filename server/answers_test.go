package server_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
)

func TestIdempotencyKeyReturnsTheStoredAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	create := func(key, body string, who *user) reply {
		return r.do("POST", "/api/v1/tasks/", body, "X-API-Key", who.key, "Idempotency-Key", key)
	}
	first := create("a", goodTask, agent)
	if first.status != 201 {
		t.Fatalf("first = %d %s", first.status, first.body)
	}
	if again := create("a", goodTask, agent); again.status != 201 || again.body != first.body {
		t.Errorf("again = %d %s, want the first response", again.status, again.body)
	}
	if twin := r.do("POST", "/api/v1/tasks", goodTask, "X-API-Key", agent.key, "Idempotency-Key", "a"); twin.body != first.body {
		t.Errorf("with a trailing slash = %d %s", twin.status, twin.body)
	}
	if changed := create("a", strings.Replace(goodTask, `"T"`, `"U"`, 1), agent); changed.status != 409 || errorOf(t, changed.body) != "idempotency_key_reused" {
		t.Errorf("other body = %d %s", changed.status, changed.body)
	}
	if foreign := create("a", goodTask, other); foreign.status != 201 || foreign.body == first.body {
		t.Errorf("other agent = %d %s", foreign.status, foreign.body)
	}
	if fresh := create("b", goodTask, agent); fresh.status != 201 || fresh.body == first.body {
		t.Errorf("other key = %d %s", fresh.status, fresh.body)
	}
	// An error response is not stored, so the same key can be used again.
	if refused := create("c", `{"title":"","description":"D","escrow_amount":"10000000000000000"}`, agent); refused.status != 400 {
		t.Errorf("refused = %d", refused.status)
	}
	if retried := create("c", goodTask, agent); retried.status != 201 {
		t.Errorf("retried = %d %s", retried.status, retried.body)
	}
	for _, key := range []string{strings.Repeat("x", 256), "a b", "ключ"} {
		if got := create(key, goodTask, agent); got.status != 400 {
			t.Errorf("key %.20q = %d %s", key, got.status, got.body)
		}
	}
}

// An idempotency key is bound to the request body, also in operations other than createTask.
func TestIdempotencyKeyIsBoundToItsBody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, newcomer := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	open, active := "/tasks/"+r.funded(agent).ID.String(), "/tasks/"+r.active(agent, human).ID.String()
	submitted := "/tasks/" + r.submitted(agent, human).ID.String()
	conversation := "/messages/" + agent.write(r, "", human, "Hello.").ConversationID.String() + "/"
	username := human.username(r)
	for _, test := range []struct {
		path, first, second string
		who                 *user
	}{
		{open + "/applications", `{"application_message":"a"}`, `{"application_message":"b"}`, newcomer},
		{active + "/messages/", `{"content":"a"}`, `{"content":"b"}`, human},
		{active + "/submission", `{"note":"a","file_ids":[]}`, `{"note":"b","file_ids":[]}`, human},
		{submitted + "/dispute", `{"reason":"a"}`, `{"reason":"b"}`, agent},
		{"/messages/", `{"username":"` + username + `","content":"a"}`, `{"username":"` + username + `","content":"b"}`, agent},
		{conversation, `{"content":"a"}`, `{"content":"b"}`, human},
	} {
		send := func(body string) reply {
			return r.do("POST", "/api/v1"+test.path, body, append(r.credentials(test.who), "Idempotency-Key", "k")...)
		}
		first := send(test.first)
		if again := send(test.first); first.status/100 != 2 || again.status != first.status || again.body != first.body {
			t.Errorf("%s = %d %s, then %d %s", test.path, first.status, first.body, again.status, again.body)
		}
		if changed := send(test.second); changed.status != 409 || errorOf(t, changed.body) != "idempotency_key_reused" {
			t.Errorf("%s, other body = %d %s", test.path, changed.status, changed.body)
		}
	}
}

func TestConcurrentIdempotencyKeysCreateOneTask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	var wg sync.WaitGroup
	bodies := make(chan string, 20)
	for range cap(bodies) {
		wg.Go(func() {
			got := r.do("POST", "/api/v1/tasks/", goodTask, "X-API-Key", agent.key, "Idempotency-Key", "k")
			if got.status == 201 {
				bodies <- got.body
			} else if errorOf(t, got.body) != "request_in_progress" {
				t.Errorf("= %d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	close(bodies)
	different := map[string]bool{}
	for body := range bodies {
		different[body] = true
	}
	list, err := agent.ListTasksWithResponse(t.Context(), nil)
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || len(different) != 1 {
		t.Errorf("%d different responses, list %s, %v", len(different), answer(list), err)
	}
}

func TestETagsDependOnTheViewer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	path := "/api/v1/tasks/" + r.createTask(agent).ID.String() + "/"
	first := r.do("GET", path, "", "X-API-Key", agent.key)
	tag := first.header.Get("ETag")
	if first.status != 200 || tag == "" || first.header.Get("Cache-Control") != "private, no-cache" || first.header.Get("Vary") != "Cookie, X-API-Key" {
		t.Fatalf("GET = %d, headers %v", first.status, first.header)
	}
	for _, list := range []string{tag, `"x", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
		got := r.do("GET", path, "", "X-API-Key", agent.key, "If-None-Match", list)
		if got.status != 304 || got.body != "" || got.header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s = %d %q", list, got.status, got.body)
		}
	}
	if got := r.do("GET", path, "", "X-API-Key", agent.key, "If-None-Match", `"x"`); got.status != 200 {
		t.Errorf("another tag = %d", got.status)
	}
	if got := r.do("GET", path, "", "If-None-Match", tag); got.status != 401 {
		t.Errorf("without credentials = %d", got.status)
	}
	if got := r.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key); got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control of a list = %q", got.header.Get("Cache-Control"))
	}
}

func TestRequestIDsAreReturned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := r.do("GET", "/api/v1/health", "", "X-Request-Id", "abc-1.2_3"); got.header.Get("X-Request-Id") != "abc-1.2_3" {
		t.Errorf("X-Request-Id = %q", got.header.Get("X-Request-Id"))
	}
	for _, odd := range []string{strings.Repeat("a", 129), "a b", "<script>", "a\tb"} {
		if got := r.do("GET", "/api/v1/health", "", "X-Request-Id", odd); got.header.Get("X-Request-Id") == odd {
			t.Errorf("X-Request-Id %q was kept", odd)
		}
	}
}

func TestPanicsAreInternalErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) {
		o.Problems = func(context.Context) []market.HealthReason { panic("the secret") }
	})
	got := r.do("GET", "/api/v1/health", "")
	if got.status != 500 || errorOf(t, got.body) != "internal_error" || strings.Contains(got.body, "secret") {
		t.Errorf("a panic = %d %s", got.status, got.body)
	}
	if !strings.Contains(r.log.String(), "the secret") || !strings.Contains(r.log.String(), got.header.Get("X-Request-Id")) {
		t.Error("the log does not contain the panic")
	}
	if again := r.do("GET", "/api/v1/config/contracts", ""); again.status != 200 {
		t.Errorf("after the panic = %d %s", again.status, again.body)
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
		got[code] = gate.StatusOf(market.Kind(code))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses differ (-openapi.yaml +server):\n%s", diff)
	}
}

func TestLimitsAreParsedAsRateAndBurst(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]gate.Limit{
		"6/min:3":   {Count: 6, Period: time.Minute, Burst: 3},
		"10/s:1":    {Count: 10, Period: time.Second, Burst: 1},
		"5/hour:20": {Count: 5, Period: time.Hour, Burst: 20},
	} {
		if got, err := gate.ParseLimit(text); err != nil || got != want {
			t.Errorf("ParseLimit(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "6/min", "6:3", "/min:3", "0/min:3", "6/min:0", "-6/min:3", "6/day:3", "6/min:x", "6/min:3:3"} {
		if got, err := gate.ParseLimit(text); err == nil {
			t.Errorf("ParseLimit(%q) = %+v", text, got)
		}
	}
}

// Large JSON responses are compressed for clients that accept gzip, except responses with secrets and errors. Both
// forms have the same weak ETag.
func TestLargeAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for range 5 {
		r.funded(agent)
	}
	for path, large := range map[string]bool{
		"/api/v1/board": true, "/api/v1/tasks/?scope=mine": true, "/api/v1/config/skills": true, "/api/v1/config/contracts": true,
		"/openapi.json": true, "/skill.md": true, "/api/v1/agents/messages/unread-count": false,
	} {
		plain := r.unpacked(t, path, "identity", agent)
		for accepted, packed := range map[string]bool{
			"gzip": true, "br, gzip;q=0.5": true, "deflate , GZIP ; Q=1.0": true, "gzip;q=0": false, "br": false, "gzip;q=0.0, identity": false, "x-gzipped": false,
		} {
			got := r.unpacked(t, path, accepted, agent)
			if compressed := got.header.Get("Content-Encoding") == "gzip"; compressed != (packed && large) || got.body != plain.body ||
				!strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") || got.header.Get("ETag") != plain.header.Get("ETag") ||
				got.header.Get("ETag") != "" && !strings.HasPrefix(got.header.Get("ETag"), "W/") {
				t.Errorf("%s with %q has the headers %v", path, accepted, got.header)
			}
			if tag := got.header.Get("ETag"); tag != "" {
				if known := r.unpacked(t, path, accepted, agent, "If-None-Match", tag); known.status != 304 || known.body != "" ||
					known.header.Get("ETag") != tag || known.header.Get("Content-Encoding") != "" || !strings.Contains(strings.Join(known.header["Vary"], ","), "Accept-Encoding") {
					t.Errorf("%s with %q and the tag = %d %v", path, accepted, known.status, known.header)
				}
			}
		}
	}
}

// Responses that contain a key, a token or a code are not compressed, because their size would reveal it.
func TestAnswersWithSecretsAreNotCompressed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.agent(r.net.Agent), r.human(r.net.Human)
	bio := strings.Repeat("a", 2_000)
	if got := r.do("PATCH", "/api/v1/humans/me", `{"bio":"`+bio+`"}`, append(r.credentials(human), "Accept-Encoding", "gzip")...); got.status != 200 || got.header.Get("Content-Encoding") != "" || !strings.Contains(got.body, bio) {
		t.Errorf("PATCH /humans/me = %d %v", got.status, got.header)
	}
	for path, caller := range map[string]*user{"/api/v1/humans/me": human, "/api/v1/auth/session": human, "/api/v1/agents/me": agent} {
		got := r.unpacked(t, path, "gzip", caller)
		if got.status != 200 || got.header.Get("Content-Encoding") != "" || caller == human && !strings.Contains(got.body, bio) {
			t.Errorf("%s = %d %v", path, got.status, got.header)
		}
	}
}

// unpacked reads a path with an Accept-Encoding, and decompresses the response, whose headers stay as they were sent.
func (r *rig) unpacked(t *testing.T, path, accepted string, caller *user, headers ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for headers := append(append(r.credentials(caller), "Accept-Encoding", accepted), headers...); len(headers) > 0; headers = headers[2:] {
		request.Header.Add(headers[0], headers[1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body := io.Reader(response.Body)
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}
