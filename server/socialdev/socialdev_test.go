package socialdev_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"taskmarket/server/social"
	"taskmarket/server/socialdev"
)

// start serves an empty network.
func start(t *testing.T) (*socialdev.Network, string) {
	t.Helper()
	listener := httptest.NewUnstartedServer(nil)
	base := "http://" + listener.Listener.Addr().String()
	network := socialdev.New(base)
	listener.Config.Handler = network.Handler()
	listener.Start()
	t.Cleanup(listener.Close)
	return network, base
}

func ask(t *testing.T, method, url, kind, bearer, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// A post on the development network can be read by the service's Mastodon client.
func TestPostsAreReadableByTheMastodonClient(t *testing.T) {
	t.Parallel()
	_, base := start(t)
	code, body := ask(t, "POST", base+"/api/v1/statuses", "application/json", "Harbour-Agent", `{"status":"a <b> & \"code\""}`)
	var posted struct{ URL, Content string }
	if err := json.Unmarshal([]byte(body), &posted); code != 200 || err != nil {
		t.Fatalf("post = %d %s", code, body)
	}
	adapter := social.NewMastodon(strings.TrimPrefix(base, "http://"))
	ref, ok := adapter.Parse(posted.URL)
	if !ok {
		t.Fatalf("Parse(%q) = false", posted.URL)
	}
	got, err := adapter.Post(t.Context(), ref)
	if err != nil || got.Handle != "Harbour-Agent" || got.Text != `a <b> & "code"` || got.ID != ref.ID {
		t.Errorf("Post() = %+v, %v", got, err)
	}
	for _, page := range []string{base + "/", posted.URL} {
		if code, body := ask(t, "GET", page, "", "", ""); code != 200 || !strings.Contains(body, "a &lt;b&gt; &amp;") {
			t.Errorf("GET %s = %d %s", page, code, body)
		}
	}
}

func TestHandleIdentifiesOneAccount(t *testing.T) {
	t.Parallel()
	network, base := start(t)
	adapter := social.NewMastodon(strings.TrimPrefix(base, "http://"))
	accounts := map[string]string{}
	for _, handle := range []string{"ada", "ADA", "bob"} {
		ref, _ := adapter.Parse(network.Post(handle, "x"))
		post, err := adapter.Post(t.Context(), ref)
		if err != nil {
			t.Fatalf("Post() error = %v", err)
		}
		accounts[handle] = post.AccountID
	}
	if accounts["ada"] != accounts["ADA"] || accounts["ada"] == accounts["bob"] {
		t.Errorf("accounts = %v", accounts)
	}
}

// The service stores account and post ids for longer than the network runs. After a restart, post ids must
// therefore not be reused, and a handle must have the same account id.
func TestIDsAreNotReusedAfterARestart(t *testing.T) {
	t.Parallel()
	read := func(network *socialdev.Network, base, handle string) social.Post {
		t.Helper()
		adapter := social.NewMastodon(strings.TrimPrefix(base, "http://"))
		ref, _ := adapter.Parse(network.Post(handle, "x"))
		post, err := adapter.Post(t.Context(), ref)
		if err != nil {
			t.Fatalf("Post() error = %v", err)
		}
		return post
	}
	network, base := start(t)
	before := read(network, base, "ada")
	network, base = start(t)
	other, again := read(network, base, "bob"), read(network, base, "ada")
	if other.AccountID == before.AccountID || again.AccountID != before.AccountID {
		t.Errorf("ada was account %s; after a restart bob is %s and ada %s", before.AccountID, other.AccountID, again.AccountID)
	}
	if other.ID == before.ID || again.ID == before.ID {
		t.Errorf("the id of post %s was used again: %s, %s", before.ID, other.ID, again.ID)
	}
}

func TestInvalidPostsAreRejected(t *testing.T) {
	t.Parallel()
	_, base := start(t)
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	for name, test := range map[string]struct {
		kind, bearer, body string
		want               int
	}{
		"form":            {asForm, "ada", "status=hello", 200},
		"no bearer token": {asJSON, "", `{"status":"x"}`, 401},
		"invalid handle":  {asJSON, "a b", `{"status":"x"}`, 401},
		"remote":          {asJSON, "ada@evil.example", `{"status":"x"}`, 401},
		"empty":           {asJSON, "ada", `{"status":""}`, 422},
		"long":            {asJSON, "ada", `{"status":"` + strings.Repeat("x", 5001) + `"}`, 422},
		"not JSON":        {asJSON, "ada", `{`, 400},
		"much too large":  {asJSON, "ada", `{"status":"` + strings.Repeat("x", 100_000) + `"}`, 400},
	} {
		if code, body := ask(t, "POST", base+"/api/v1/statuses", test.kind, test.bearer, test.body); code != test.want {
			t.Errorf("%s = %d %s, want %d", name, code, body, test.want)
		}
	}
	for _, path := range []string{"/api/v1/statuses/2", "/api/v1/statuses/x", "/api/v1/statuses/-1", "/@ada/7", "/@bob/1"} {
		if code, _ := ask(t, "GET", base+path, "", "", ""); code != 404 {
			t.Errorf("GET %s = %d", path, code)
		}
	}
}

// The compose page shows the given text in a form; submitting it redirects to the new post.
func TestPostIsCreatedWithTheForm(t *testing.T) {
	t.Parallel()
	_, base := start(t)
	code, body := ask(t, "GET", base+"/share?text=a+%3Cb%3E", "", "", "")
	if code != 200 || !strings.Contains(body, ">a &lt;b&gt;</textarea>") {
		t.Errorf("GET /share = %d %s", code, body)
	}
	const form = "application/x-www-form-urlencoded"
	code, body = ask(t, "POST", base+"/share", form, "", "handle=mara&text=a+%3Cb%3E")
	if code != 200 || !strings.Contains(body, "@mara</a>") || !strings.Contains(body, "a &lt;b&gt;</p>") {
		t.Errorf("POST /share = %d %s", code, body)
	}
	for _, bad := range []string{"handle=&text=x", "handle=a/b&text=x", "handle=mara&text="} {
		if code, body := ask(t, "POST", base+"/share", form, "", bad); code != http.StatusUnprocessableEntity {
			t.Errorf("POST /share %s = %d %s", bad, code, body)
		}
	}
}
