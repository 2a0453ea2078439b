package social_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/server/social"
)

// standIn is a fake host of a network with one post.
type standIn struct {
	network  social.Network
	url      string            // URL of the post
	answers  map[string]string // response files by path
	last     string            // path of the response that contains the post
	say      atomic.Pointer[func(http.ResponseWriter, string)]
	requests atomic.Pointer[http.Request]
}

// newStandIn serves the example responses of a network.
func newStandIn(t *testing.T, name string) *standIn {
	t.Helper()
	s := &standIn{}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	host := strings.TrimPrefix(web.URL, "http://")
	switch name {
	case "mastodon":
		s.network, s.url, s.last = social.NewMastodon(host), web.URL+"/@Harbour/112233445566778899", "/api/v1/statuses/112233445566778899"
		s.answers = map[string]string{s.last: "mastodon.json"}
	case "bluesky":
		s.network, s.url, s.last = social.NewBluesky(host), "https://bsky.app/profile/Harbour.example.com/post/3l6oveex3ii2l", "/xrpc/app.bsky.feed.getPosts"
		s.answers = map[string]string{s.last: "bluesky-posts.json", "/xrpc/com.atproto.identity.resolveHandle": "bluesky-handle.json"}
	case "x":
		s.network, s.url, s.last = social.NewX(host), "https://x.com/Harbour/status/1234567890123456789", "/oembed"
		s.answers = map[string]string{s.last: "x.json"}
	}
	return s
}

// networks are the names of all supported networks.
var networks = []string{"mastodon", "bluesky", "x"}

func answerOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ServeHTTP implements http.Handler.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := s.answers[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if say := s.say.Load(); say != nil && r.URL.Path == s.last {
		s.requests.Store(r)
		(*say)(w, string(text))
		return
	}
	jsonAnswer(w, string(text))
}

// ask reads the post at the URL.
func (s *standIn) ask(t *testing.T, address string) (social.Post, error) {
	t.Helper()
	ref, ok := s.network.Parse(address)
	if !ok {
		t.Fatalf("Parse(%s) = false", address)
	}
	return s.network.Post(t.Context(), ref)
}

// answer overrides the response that contains the post.
func (s *standIn) answer(say func(w http.ResponseWriter, text string)) { s.say.Store(&say) }

func TestPostsAreReadAsTheirNetworksDocumentThem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]social.Post{
		"mastodon": {ID: "112233445566778899", Handle: "Harbour", AccountID: "4711", Text: "I am an agent: CODE & https://market.example", At: time.Date(2026, 11, 1, 8, 30, 0, 0, time.UTC)},
		"bluesky": {
			ID: "did:plc:abcdefghijklmnopqrstuvwx/3l6oveex3ii2l", Handle: "Harbour.example.com",
			AccountID: "did:plc:abcdefghijklmnopqrstuvwx", Text: "I am an agent: CODE", At: time.Date(2026, 11, 1, 8, 30, 1, 0, time.UTC),
		},
		"x": {ID: "1234567890123456789", Handle: "Harbour", AccountID: "harbour", Text: "I am an agent: CODE & more https://t.co/abc", At: time.UnixMilli(1583178896824).UTC()},
	} {
		s := newStandIn(t, name)
		for _, address := range []string{s.url, strings.Replace(s.url, "Harbour", "hARBOUR", 1), s.url + "/", s.url + "?a=b#c"} {
			if got, err := s.ask(t, address); err != nil || got != want {
				t.Errorf("%s: Post(%s) = %+v, %v, want %+v", name, address, got, err, want)
			}
		}
	}
	s := newStandIn(t, "bluesky")
	if got, err := s.ask(t, "https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3l6oveex3ii2l"); err != nil || got.Handle != "Harbour.example.com" {
		t.Errorf("by the account's id = %+v, %v", got, err)
	}
	x := newStandIn(t, "x")
	if got, err := x.ask(t, "https://www.twitter.com/Harbour/status/1234567890123456789"); err != nil || got.Handle != "Harbour" {
		t.Errorf("by the old name = %+v, %v", got, err)
	}
}

// Every malformed response is rejected quickly, without reading all of it or following redirects.
func TestInvalidHostAnswersAreRejected(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(canary.Close)
	bomb := gzipped(t, bytes.Repeat([]byte(" "), 64<<20))
	for _, name := range networks {
		s := newStandIn(t, name)
		for what, say := range map[string]func(w http.ResponseWriter, text string){
			"redirect": func(w http.ResponseWriter, _ string) { redirect(w, canary.URL, http.StatusFound) },
			"redirect to another host": func(w http.ResponseWriter, _ string) {
				redirect(w, "http://169.254.169.254/", http.StatusPermanentRedirect)
			},
			"HTML page": func(w http.ResponseWriter, text string) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(text))
			},
			"no content type": func(w http.ResponseWriter, text string) {
				w.Header()["Content-Type"] = nil
				_, _ = w.Write([]byte(text))
			},
			"error": func(w http.ResponseWriter, text string) {
				w.WriteHeader(http.StatusBadGateway)
				_, _ = w.Write([]byte(text))
			},
			"busy":           func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusTooManyRequests) },
			"status 201":     func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusCreated) },
			"empty body":     func(w http.ResponseWriter, _ string) { jsonAnswer(w, "") },
			"truncated JSON": func(w http.ResponseWriter, text string) { jsonAnswer(w, text[:len(text)/2]) },
			"truncated body": func(w http.ResponseWriter, text string) {
				w.Header().Set("Content-Length", "100000")
				jsonAnswer(w, text)
			},
			"two JSON values": func(w http.ResponseWriter, text string) { jsonAnswer(w, text+text) },
			"list":            func(w http.ResponseWriter, _ string) { jsonAnswer(w, "[]") },
			"number":          func(w http.ResponseWriter, _ string) { jsonAnswer(w, "5") },
			"deep nesting":    func(w http.ResponseWriter, _ string) { jsonAnswer(w, strings.Repeat("[", 100_000)) },
			"too large":       func(w http.ResponseWriter, text string) { jsonAnswer(w, text+strings.Repeat(" ", 300<<10)) },
			"endless": func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", "application/json")
				for block := bytes.Repeat([]byte(" "), 64<<10); ; {
					if _, err := w.Write(block); err != nil {
						return
					}
				}
			},
			"gzip bomb": func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(bomb)
			},
			"not UTF-8": func(w http.ResponseWriter, text string) { jsonAnswer(w, strings.Replace(text, "CODE", "CODE\xff", 1)) },
			"duplicate field": func(w http.ResponseWriter, text string) {
				jsonAnswer(w, strings.Replace(text, "{", `{"id":"1","ID":"2",`, 1))
			},
			"large headers": func(w http.ResponseWriter, text string) {
				w.Header().Set("X", strings.Repeat("x", 100<<10))
				jsonAnswer(w, text)
			},
			"aborted connection": func(http.ResponseWriter, string) { panic(http.ErrAbortHandler) },
		} {
			s.answer(say)
			began := time.Now()
			_, err := s.ask(t, s.url)
			if kind := kindOf(err); kind != market.KindNetworkUnavailable {
				t.Errorf("%s, %s: error = %v", name, what, err)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("%s, %s: took %s", name, what, took)
			}
		}
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("a redirect was followed %d times", n)
	}
}

func TestSlowHostsTimeOut(t *testing.T) {
	t.Parallel()
	for _, name := range networks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStandIn(t, name)
			s.answer(func(w http.ResponseWriter, text string) {
				w.Header().Set("Content-Type", "application/json")
				for _, letter := range []byte(text) { // sends so slowly that the request times out
					if _, err := w.Write([]byte{letter}); err != nil {
						return
					}
					_ = http.NewResponseController(w).Flush()
					time.Sleep(50 * time.Millisecond)
				}
			})
			began := time.Now()
			if _, err := s.ask(t, s.url); kindOf(err) != market.KindNetworkUnavailable || time.Since(began) < 4*time.Second || time.Since(began) > 8*time.Second {
				t.Errorf("error = %v after %s", err, time.Since(began))
			}
		})
	}
}

// A well-formed response with another post or author does not verify the account.
func TestPostsOfOthersVerifyNoAgent(t *testing.T) {
	t.Parallel()
	type edit struct{ old, changed string }
	const did = "did:plc:abcdefghijklmnopqrstuvwx"
	for name, edits := range map[string]map[string]edit{
		"mastodon": {
			"other author":  {`"username": "Harbour"`, `"username": "Mallory"`},
			"other post":    {`"id": "112233445566778899"`, `"id": "1"`},
			"no author":     {`"id": "4711"`, `"id": ""`},
			"no id":         {`"id": "4711",`, ``},
			"remote author": {`"acct": "Harbour"`, `"acct": "Harbour@evil.example"`},
			"boost":         {`"reblog": null`, `"reblog": {"id": "1"}`},
			"null account":  {`"account": {`, `"account": null, "other": {`},
		},
		"bluesky": {
			"other handle":   {`"handle": "Harbour.example.com"`, `"handle": "mallory.example.com"`},
			"invalid handle": {`"handle": "Harbour.example.com"`, `"handle": "handle.invalid"`},
			"no handle":      {`"handle": "Harbour.example.com",`, ``},
			"other author":   {`"did": "` + did + `"`, `"did": "did:plc:zzzzzzzzzzzzzzzzzzzzzzzz"`},
			"other post":     {"post/3l6oveex3ii2l", "post/3l6oveex3ii2m"},
			"other account":  {"at://" + did, "at://did:plc:zzzzzzzzzzzzzzzzzzzzzzzz"},
			"other record":   {`"$type": "app.bsky.feed.post"`, `"$type": "app.bsky.feed.repost"`},
			"no record":      {`"record": {`, `"record": null, "other": {`},
			"no posts":       {`"posts": [`, `"posts": [], "other": [`},
			"two posts":      {`"posts": [`, `"posts": [{},`},
		},
		"x": {
			"other author":              {`"author_url": "https://twitter.com/Harbour"`, `"author_url": "https://twitter.com/mallory"`},
			"author on another host":    {`"author_url": "https://twitter.com/Harbour"`, `"author_url": "https://evil.example/Harbour"`},
			"author with a longer path": {`"author_url": "https://twitter.com/Harbour"`, `"author_url": "https://twitter.com/Harbour/x"`},
			"no author":                 {`"author_url": "https://twitter.com/Harbour",`, ``},
			"other post":                {`"url": "https://twitter.com/Harbour/status/1234567890123456789"`, `"url": "https://twitter.com/Harbour/status/1"`},
			"other post's URL":          {`"url": "https://twitter.com/Harbour/`, `"url": "https://twitter.com/mallory/`},
			"a timeline":                {`"type": "rich"`, `"type": "link"`},
			"no blockquote":             {`<blockquote class=\"twitter-tweet\"`, `<a class=\"twitter-timeline\"`},
			"text before the quote":     {`"html": "<blockquote`, `"html": "CODE <blockquote`},
			"no text":                   {`"html": "`, `"html": null, "other": "`},
			"code in an attribute":      {`<p lang=\"en\" dir=\"ltr\">I am an agent: CODE`, `<p lang=\"CODE>\" <b`},
		},
	} {
		s := newStandIn(t, name)
		text := answerOf(t, s.answers[s.last])
		for what, e := range edits {
			changed := strings.Replace(text, e.old, e.changed, 1)
			if changed == text {
				t.Errorf("%s, %s: changes nothing", name, what)
			}
			s.answer(func(w http.ResponseWriter, _ string) { jsonAnswer(w, changed) })
			got, err := s.ask(t, s.url)
			if refused := kindOf(err) == market.KindVerificationFailed; !refused && (err != nil || strings.Contains(got.Text, "CODE")) {
				t.Errorf("%s, %s: %+v, %v", name, what, got, err)
			}
		}
	}
}

// A code in a quoted post or in a display name does not count as part of the post's text.
func TestOnlyTheAuthorsTextCounts(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(text string) string{
		"mastodon": func(text string) string {
			return strings.NewReplacer("I am an agent: CODE", `<b title='CODE'>hello</b>`, `"Harbour Agent"`, `"CODE"`, `"card": null`, `"quote": {"content": "CODE"}`).Replace(text)
		},
		"bluesky": func(text string) string {
			return strings.NewReplacer("I am an agent: CODE", "look", `"Harbour Agent"`, `"CODE"`,
				`"replyCount"`, `"embed": {"$type": "app.bsky.embed.record#view", "record": {"value": {"text": "CODE"}}}, "replyCount"`).Replace(text)
		},
		"x": func(text string) string {
			return strings.NewReplacer("I am an agent: CODE", "look", "Harbour Agent", "CODE").Replace(text)
		},
	} {
		s := newStandIn(t, name)
		s.answer(func(w http.ResponseWriter, text string) { jsonAnswer(w, edit(text)) })
		if got, err := s.ask(t, s.url); err != nil || strings.Contains(got.Text, "CODE") || got.Text == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// The request is built from the parsed URL and carries no credentials.
func TestNetworksAreQueriedForThePostOnly(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"mastodon": "",
		"bluesky":  "uris=at%3A%2F%2Fdid%3Aplc%3Aabcdefghijklmnopqrstuvwx%2Fapp.bsky.feed.post%2F3l6oveex3ii2l",
		"x":        "dnt=1&hide_thread=1&omit_script=1&url=https%3A%2F%2Fx.com%2FHarbour%2Fstatus%2F1234567890123456789",
	} {
		s := newStandIn(t, name)
		s.answer(jsonAnswer)
		if _, err := s.ask(t, s.url+"?token=secret"); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		asked := s.requests.Load()
		if asked.URL.RawQuery != query || asked.Method != http.MethodGet || asked.Header.Get("Cookie")+asked.Header.Get("Authorization") != "" {
			t.Errorf("%s got the request %s %s", name, asked.Method, asked.URL)
		}
	}
}

func TestNetworksAreConfiguredByHost(t *testing.T) {
	t.Parallel()
	got, err := social.New("mastodon.social", "bsky.app", "x.com", "fosstodon.org")
	if err != nil || len(got) != 3 {
		t.Fatalf("New() = %d networks, %v", len(got), err)
	}
	for _, entry := range []string{"", " ", "https://mastodon.social", "a/b", "a@b", "bsky.app=", "mastodon.social=127.0.0.1:1", "x.com=http://a", "bsky.app=a/b"} {
		if _, err := social.New(entry); err == nil {
			t.Errorf("New(%q) succeeded, want an error", entry)
		}
	}
}

func jsonAnswer(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

func redirect(w http.ResponseWriter, to string, status int) {
	w.Header().Set("Location", to)
	w.WriteHeader(status)
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// kindOf returns the kind of an error.
func kindOf(err error) market.Kind {
	if refusal, ok := errors.AsType[*market.Error](err); ok {
		return refusal.Kind
	}
	return ""
}
