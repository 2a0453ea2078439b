package server_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/social"
	"taskmarket/store/storetest"
)

func (r *rig) code(u *user) string {
	r.t.Helper()
	me, err := u.GetAgentMeWithResponse(r.t.Context(), nil)
	if err != nil || me.JSON200 == nil {
		r.t.Fatalf("GET /agents/me = %s, %v", answer(me), err)
	}
	return *me.JSON200.VerificationCode
}

func (r *rig) tryVerify(by *user, id uuid.UUID, post string) (int, string) {
	r.t.Helper()
	got, err := by.VerifyAgentWithResponse(r.t.Context(), id, client.VerifyAgentRequest{PostURL: new(post)})
	if err != nil {
		r.t.Fatalf("verify: %v", err)
	}
	if got.JSON200 != nil {
		return 200, ""
	}
	return got.StatusCode(), errorOf(r.t, string(got.Body))
}

func TestVerificationWithAPost(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	got, err := r.anonymous().VerifyAgentWithResponse(t.Context(), agent.id, client.VerifyAgentRequest{
		PostURL: new(r.social.Post("Harbour-Agent", "<b>"+r.code(agent)+"</b> it is")),
	})
	if err != nil || got.JSON200 == nil || !got.JSON200.Verified || got.JSON200.Handle != "Harbour-Agent" {
		t.Fatalf("verify = %s, %v", answer(got), err)
	}
	me, err := agent.GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil || !me.JSON200.IsVerified || *me.JSON200.Handle != "Harbour-Agent" {
		t.Errorf("agents/me = %s, %v", answer(me), err)
	}
}

func TestVerificationWithOwnKey(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, other := r.agent(r.net.Agent), r.agent(r.net.OtherAgent)
	post := r.social.Post("harbour", r.code(agent))
	verify := func(who *user, body client.VerifyAgentRequest) *client.VerifyAgentMeResponse {
		got, err := who.VerifyAgentMeWithResponse(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := verify(r.anonymous(), client.VerifyAgentRequest{PostURL: &post}); got.JSON401 == nil {
		t.Errorf("without a key = %s", answer(got))
	}
	if got := verify(other, client.VerifyAgentRequest{PostURL: &post}); got.JSON400 == nil || got.JSON400.Error != "verification_failed" {
		t.Errorf("another agent's post = %s", answer(got))
	}
	if got := verify(agent, client.VerifyAgentRequest{}); got.JSON400 == nil || got.JSON400.Error != "invalid_request" {
		t.Errorf("without a post = %s", answer(got))
	}
	if got := verify(agent, client.VerifyAgentRequest{PostURL: &post, TweetURL: new(post + "0")}); got.JSON400 == nil || got.JSON400.Error != "invalid_request" {
		t.Errorf("two posts = %s", answer(got))
	}
	for _, body := range []client.VerifyAgentRequest{{TweetURL: &post}, {PostURL: &post, TweetURL: &post}} {
		if got := verify(agent, body); got.JSON200 == nil || got.JSON200.AgentID != agent.id || got.JSON200.Handle != "harbour" {
			t.Errorf("verify with %+v = %s", body, answer(got))
		}
	}
	copied := r.social.Post("HARBOUR", r.code(other))
	if got := verify(other, client.VerifyAgentRequest{PostURL: &copied}); got.JSON409 == nil || got.JSON409.Error != "social_account_taken" {
		t.Errorf("the account of another agent = %s", answer(got))
	}
}

func TestVerificationRequiresTheRequestedPost(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, other := r.agent(r.net.Agent), r.agent(r.net.OtherAgent)
	code := r.code(agent)
	good := r.social.Post("harbour", code)
	host := strings.TrimPrefix(good[:strings.Index(good, "/@")], "http://")
	id := good[strings.LastIndex(good, "/")+1:]
	for name, test := range map[string]struct {
		post string
		code string
	}{
		"code of another agent": {r.social.Post("harbour", r.code(other)), "verification_failed"},
		"no code":               {r.social.Post("harbour", "hello"), "verification_failed"},
		"part of the code":      {r.social.Post("harbour", code[:len(code)-1]), "verification_failed"},
		"URL of another author": {strings.Replace(good, "@harbour", "@somebody", 1), "verification_failed"},
		"unknown post":          {strings.Replace(good, "/"+id, "/999999", 1), "verification_failed"},
		"unknown host":          {"https://mastodon.evil.example/@harbour/" + id, "verification_failed"},
		"metadata service":      {"http://169.254.169.254/@harbour/" + id, "verification_failed"},
		"user info":             {"http://" + host + "@evil.example/@harbour/" + id, "verification_failed"},
		"credentials":           {"http://a:b@" + host + "/@harbour/" + id, "verification_failed"},
		"other scheme":          {strings.Replace(good, "http:", "https:", 1), "verification_failed"},
		"other port":            {"http://127.0.0.1:1/@harbour/" + id, "verification_failed"},
		"path with ..":          {good + "/../../x", "verification_failed"},
		"encoded path":          {strings.Replace(good, "/@harbour/", "/@harbour%2f", 1), "verification_failed"},
		"URL of an account":     {"http://" + host + "/@harbour", "verification_failed"},
		"remote author":         {"http://" + host + "/@harbour@evil.example/" + id, "verification_failed"},
		"not a URL":             {"ftp://" + host + "/@harbour/" + id, "invalid_request"},
		"relative":              {"/@harbour/" + id, "invalid_request"},
		"URL with a space":      {good + " x", "invalid_request"},
	} {
		if status, got := r.tryVerify(r.anonymous(), agent.id, test.post); status != 400 || got != test.code {
			t.Errorf("%s = %d %s, want %s", name, status, got, test.code)
		}
	}
	if status, got := r.tryVerify(r.anonymous(), uuid.Must(uuid.NewV7()), good); status != 404 {
		t.Errorf("unknown agent = %d %s", status, got)
	}
	if status, got := r.tryVerify(r.anonymous(), agent.id, good+"?x=1#y"); status != 200 {
		t.Errorf("the post itself = %d %s", status, got)
	}
}

// codeFor requests a code for the account.
func (r *rig) codeFor(u *user, handle string) string {
	r.t.Helper()
	me, err := u.GetAgentMeWithResponse(r.t.Context(), &client.GetAgentMeParams{Handle: &handle})
	if err != nil || me.JSON200 == nil || me.JSON200.VerificationCode == nil || *me.JSON200.VerificationHandle != strings.ToLower(strings.TrimPrefix(handle, "@")) {
		r.t.Fatalf("GET /agents/me?handle=%s = %s, %v", handle, answer(me), err)
	}
	return *me.JSON200.VerificationCode
}

// wantHandle requires the agent to be linked to the handle.
func (r *rig) wantHandle(u *user, handle string) {
	r.t.Helper()
	me, err := u.GetAgentMeWithResponse(r.t.Context(), nil)
	if err != nil || me.JSON200 == nil || me.JSON200.Handle == nil || *me.JSON200.Handle != handle {
		r.t.Errorf("agents/me = %s, %v, want the handle %s", answer(me), err, handle)
	}
}

// A link can only be replaced with a new code, regardless of the caller.
func TestLinkIsReplacedOnlyByANewCode(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	spent := r.code(agent)
	r.verify(agent)
	me, err := agent.GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil || me.JSON200.VerificationCode != nil {
		t.Fatalf("a verified agent reads %s, %v, want no code", answer(me), err)
	}
	for name, by := range map[string]*user{"no caller": r.anonymous(), "the agent": agent} {
		if status, got := r.tryVerify(by, agent.id, r.social.Post("port", spent)); status != 409 || got != "already_verified" {
			t.Errorf("the spent code by %s = %d %s", name, status, got)
		}
	}
	fresh := r.codeFor(agent, "@Port@"+r.host)
	if again := r.codeFor(agent, "port@"+r.host); again != fresh {
		t.Errorf("the code of a second request is %s, want %s", again, fresh)
	}
	if status, got := r.tryVerify(agent, agent.id, r.social.Post("copy", fresh)); status != 400 || got != "verification_failed" {
		t.Errorf("a copy of the new code = %d %s", status, got)
	}
	if status, got := r.tryVerify(r.anonymous(), agent.id, r.social.Post("port", fresh)); status != 200 {
		t.Errorf("the new code = %d %s", status, got)
	}
	r.wantHandle(agent, "port")
	for name, code := range map[string]string{"first": spent, "second": fresh} {
		if status, got := r.tryVerify(agent, agent.id, r.social.Post("copy", code)); status != 409 || got != "already_verified" {
			t.Errorf("the %s code, spent = %d %s", name, status, got)
		}
	}
	for _, handle := range []string{"port", "port@evil.example", "@", "port@" + r.host + "@x", "a b@" + r.host, ""} {
		if got := r.do("GET", "/api/v1/agents/me?handle="+url.QueryEscape(handle), "", "X-API-Key", agent.key); got.status != 400 {
			t.Errorf("a code for %q = %d %s", handle, got.status, got.body)
		}
	}
}

// A code for a named account links no other account, even before the agent is verified.
func TestNamedCodeLinksOnlyItsAccount(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	first := r.code(agent)
	named := r.codeFor(agent, "harbour@"+r.host)
	if r.code(agent) != named {
		t.Error("the named code is not shown")
	}
	for name, post := range map[string]string{"a copy": r.social.Post("copy", named), "the code before": r.social.Post("harbour", first)} {
		if status, got := r.tryVerify(agent, agent.id, post); status != 400 || got != "verification_failed" {
			t.Errorf("%s = %d %s", name, status, got)
		}
	}
	if status, got := r.tryVerify(r.anonymous(), agent.id, r.social.Post("Harbour", named)); status != 200 {
		t.Errorf("the account itself = %d %s", status, got)
	}
}

// Of several posts with the registration code, the earliest counts, regardless of the order of the requests.
func TestTheEarliestPostCounts(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	code := r.code(agent)
	var posts []string
	for _, handle := range []string{"harbour", "copy", "copy-of-copy"} {
		posts = append(posts, r.social.Post(handle, code))
		time.Sleep(5 * time.Millisecond) // post times have a resolution of one millisecond
	}
	for _, step := range []struct {
		post   int
		status int
		handle string
	}{{2, 200, "copy-of-copy"}, {1, 200, "copy"}, {2, 409, "copy"}, {0, 200, "harbour"}, {1, 409, "harbour"}, {0, 200, "harbour"}} {
		if status, got := r.tryVerify(r.anonymous(), agent.id, posts[step.post]); status != step.status {
			t.Errorf("post %d = %d %s, want %d", step.post, status, got, step.status)
		}
		r.wantHandle(agent, step.handle)
	}
}

func TestCodesExpireAndAreRenewed(t *testing.T) {
	t.Parallel()
	var c clock
	r := newIdleRig(t, func(o *server.Options) { o.Now = c.now })
	agent := r.agent(r.net.Agent)
	old := r.code(agent)
	c.advance(25 * time.Hour)
	if status, got := r.tryVerify(r.anonymous(), agent.id, r.social.Post("harbour", old)); status != 400 || got != "verification_failed" {
		t.Errorf("the old code = %d %s", status, got)
	}
	renewed := r.code(agent)
	if renewed == old || renewed != r.code(agent) {
		t.Errorf("codes %q, %q: want one new code", old, renewed)
	}
	if status, got := r.tryVerify(r.anonymous(), agent.id, r.social.Post("harbour", renewed)); status != 200 {
		t.Errorf("the new code = %d %s", status, got)
	}
}

// A replica whose clock is behind treats a used code as used.
func TestUsedCodeHasExpiredByEveryClock(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	behind := r.replica(func(o *server.Options) { o.Now = func() time.Time { return time.Now().Add(-50 * time.Second) } })
	agent := r.agent(r.net.Agent)
	post := r.social.Post("harbour", r.code(agent))
	for _, at := range []*rig{r, behind} {
		if status, got := at.tryVerify(at.anonymous(), agent.id, post); status != 200 {
			t.Errorf("the post = %d %s", status, got)
		}
	}
}

// Invalid responses from a network do not make the service fail, respond slowly, or follow a
// redirect.
func TestInvalidNetworkResponsesAreUnavailable(t *testing.T) {
	t.Parallel()
	var code atomic.Pointer[string]
	var elsewhere atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(canary.Close)
	const account = `"account":{"id":"7","username":"harbour","acct":"harbour"}`
	status := func(text string) string {
		return `{"id":"1","created_at":"2026-03-01T12:00:00.000Z","content":"` + text + `","reblog":null,` + account + `}`
	}
	answers := map[string]struct {
		say    func(w http.ResponseWriter)
		status int
	}{
		"1":  {func(w http.ResponseWriter) { jsonAnswer(w, status(*code.Load())) }, 200},
		"2":  {func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) }, 503},
		"3":  {func(w http.ResponseWriter) { w.Header().Set("Location", canary.URL); w.WriteHeader(http.StatusFound) }, 503},
		"4":  {func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>"+*code.Load()) }, 503},
		"5":  {func(w http.ResponseWriter) { jsonAnswer(w, "{") }, 503},
		"6":  {func(w http.ResponseWriter) { jsonAnswer(w, `{"id":"6","content":"`+strings.Repeat("x", 300<<10)+`"}`) }, 503},
		"7":  {func(w http.ResponseWriter) { jsonAnswer(w, `[]`) }, 503},
		"8":  {func(w http.ResponseWriter) { jsonAnswer(w, `{"id":"8","content":5,`+account+`}`) }, 503},
		"9":  {func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }, 400},
		"10": {func(w http.ResponseWriter) { jsonAnswer(w, `null`) }, 400},
		"11": {func(w http.ResponseWriter) { // returns a post other than the requested one
			jsonAnswer(w, strings.Replace(status(*code.Load()), `"id":"1"`, `"id":"12"`, 1))
		}, 400},
		"12": {func(w http.ResponseWriter) { // returns a boost of another account's post
			jsonAnswer(w, strings.NewReplacer(`"id":"1"`, `"id":"12"`, `"reblog":null`, `"reblog":{"id":"3"}`).Replace(status(*code.Load())))
		}, 400},
		"13": {func(w http.ResponseWriter) { // returns a post by an account of another host
			jsonAnswer(w, strings.NewReplacer(`"id":"1"`, `"id":"13"`, `"acct":"harbour"`, `"acct":"harbour@evil.example"`).Replace(status(*code.Load())))
		}, 400},
	}
	chaos := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		answers[strings.TrimPrefix(request.URL.Path, "/api/v1/statuses/")].say(w)
	}))
	t.Cleanup(chaos.Close)
	host := strings.TrimPrefix(chaos.URL, "http://")
	r := newIdleRig(t, func(o *server.Options) { o.Networks = []social.Network{social.NewMastodon(host)} })
	agent := r.agent(r.net.Agent)
	code.Store(new(r.code(agent)))
	for id, test := range answers {
		if id == "1" {
			continue
		}
		got, name := r.tryVerify(agent, agent.id, fmt.Sprintf("http://%s/@harbour/%s", host, id))
		if got != test.status {
			t.Errorf("answer %s = %d %s, want %d", id, got, name, test.status)
		}
	}
	if got, name := r.tryVerify(agent, agent.id, fmt.Sprintf("http://%s/users/harbour/statuses/1", host)); got != 200 {
		t.Errorf("the good answer = %d %s", got, name)
	}
	chaos.Close()
	if got, name := r.tryVerify(agent, agent.id, fmt.Sprintf("http://%s/@harbour/1", host)); got != 503 || name != "network_unavailable" {
		t.Errorf("no answer = %d %s", got, name)
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("a redirect was followed %d times", n)
	}
}

func jsonAnswer(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

// The service does not connect to addresses that a caller names.
func TestCallersURLsAreNotConnectedTo(t *testing.T) {
	t.Parallel()
	var connections atomic.Int64
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			_ = connection.Close()
		}
	}()
	canary := listener.Addr().String()
	port := canary[strings.LastIndex(canary, ":"):]
	r := newIdleRig(t, func(o *server.Options) {
		networks, err := social.New("mastodon.social", "bsky.app", "x.com")
		if err != nil {
			t.Fatal(err)
		}
		o.Networks = append(o.Networks, networks...) // the rig's own network is on loopback
	})
	agent := r.agent(r.net.Agent)
	hostile := hostileAddresses(canary, port)
	if len(hostile) < 40 {
		t.Errorf("%d addresses, want at least 40", len(hostile))
	}
	for _, address := range hostile {
		if status, got := r.tryVerify(agent, agent.id, address); status != 400 {
			t.Errorf("%s = %d %s", address, status, got)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

func hostileAddresses(canary, port string) []string {
	var all []string
	const mastodon, bluesky, x = "/@harbour/1", "/profile/harbour.example.com/post/3l6oveex3ii2l", "/harbour/status/1"
	for _, host := range []string{
		canary, "127.1" + port, "2130706433" + port, "0x7f000001" + port, "0177.0.0.1" + port, "0" + port, "0.0.0.0" + port, "localhost" + port,
		"LOCALHOST" + port, "[::1]" + port, "[::ffff:127.0.0.1]" + port, "[::ffff:7f00:1]" + port, "[::]" + port, "127.0.0.1.nip.io" + port,
		"mastodon.social@" + canary, "bsky.app:x@" + canary, "mastodon.social.127.0.0.1.nip.io" + port, "mastodon.social." + port, "mastodon.social" + port,
		"x.com" + port, "bsky.app" + port, "169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "100.100.100.200", "[64:ff9b::7f00:1]" + port,
	} {
		all = append(all, "http://"+host+mastodon, "https://"+host+bluesky, "https://"+host+x)
	}
	return append(all,
		"https://mastodon.social/@harbour@"+canary+"/1", "https://mastodon.social//"+canary+mastodon, "https://mastodon.social/@harbour/1/../../"+canary,
		"https://bsky.app/profile/"+canary+"/post/3l6oveex3ii2l", "https://bsky.app/profile/127.0.0.1/post/3l6oveex3ii2l",
		"https://bsky.app/profile/did:web:"+strings.Replace(canary, ":", "%3A", 1)+"/post/3l6oveex3ii2l",
		"https://bsky.app/profile/harbour.example.com/post/3l6oveex3ii2l%2f..", "https://x.com/"+canary+"/status/1", "https://x.com/i/web/status/1",
		"https://x.com/harbour/status/1&url=http://"+canary, "https://x.com/harbour/status/1%26url=http://"+canary, "https://x.com\\@"+canary+x,
		"https://x.com%2f@"+canary+x, "https://x.com#@"+canary+x, "https://x.com?@"+canary+x, "file://"+canary+mastodon, "gopher://"+canary+mastodon,
	)
}

// Once an operator has removed an agent's verification, the agent counts as unverified in every request that
// begins afterwards, even if several servers have cached the key and earlier requests are still running.
func TestRevokedVerificationStopsConcurrentRequests(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	servers := []*rig{r, r.replica()}
	body := `{"title":"T","description":"D","escrow_amount":"10000000000000000"}`
	create := func(i int) int {
		return servers[i%2].do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key).status
	}
	for i := range servers { // both servers cache the key
		if got := create(i); got != http.StatusCreated {
			t.Fatalf("create = %d", got)
		}
	}
	var revoked atomic.Bool
	var late, early atomic.Int32
	end := press(4, func() {
		after := revoked.Load()
		status := create(int(early.Load()))
		switch {
		case status == http.StatusCreated && after:
			late.Add(1)
		case status == http.StatusCreated:
			early.Add(1)
		case status != http.StatusForbidden:
			t.Errorf("create = %d", status)
		}
	})
	for early.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	storetest.DB(t, r.records).MustExec(`
		UPDATE users SET social_network = NULL, social_handle = NULL, social_account_id = NULL, social_post_id = NULL, social_posted_at = NULL, linked_code = NULL, verified_at = NULL
		WHERE id = $1`, agent.id)
	revoked.Store(true)
	time.Sleep(200 * time.Millisecond)
	end()
	if late.Load() > 0 {
		t.Errorf("%d requests that began later created a task", late.Load())
	}
	for i := range servers {
		if got := create(i); got != http.StatusForbidden {
			t.Errorf("server %d: create afterwards = %d", i, got)
		}
	}
}
