package client_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// script is a fake server. It sends its scripted responses in order, repeats the last one, and
// records the requests.
type script struct {
	answers []http.HandlerFunc

	mu       sync.Mutex
	received []*http.Request
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answer := s.answers[min(len(s.received), len(s.answers)-1)]
	s.received = append(s.received, r)
	s.mu.Unlock()
	answer(w, r)
}

// requests returns the requests so far.
func (s *script) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// respond returns a handler that sends a JSON body. The headers are pairs of name and value.
func respond(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			return // the client closes the connection when a response is too large
		}
	}
}

func abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func refuse(status int, code string, headers ...string) http.HandlerFunc {
	return respond(status, `{"error":"`+code+`","message":"No.","request_id":"r-1"}`, headers...)
}

func dialTest(t *testing.T, s *script, change ...func(*client.Options)) *client.Client {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	options := client.Options{BaseURL: server.URL, APIKey: "tmk_secret", MaxWait: 2 * time.Second}
	for _, c := range change {
		c(&options)
	}
	c, err := client.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const account = `{"id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80","username":"harbour","balance":"7"}`

func TestRetries(t *testing.T) {
	id := uuid.MustParse("0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80")
	get := func(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err }
	post := func(ctx context.Context, c *client.Client) error {
		_, err := c.Verify(ctx, id, "https://mastodon.example/@me/1")
		return err
	}
	tests := map[string]struct {
		answers []http.HandlerFunc
		do      func(context.Context, *client.Client) error
		want    int // expected number of requests
		code    market.Kind
		fails   bool
	}{
		"GET retries after a lost connection":         {[]http.HandlerFunc{abort, respond(200, account)}, get, 2, "", false},
		"GET retries while the server is unavailable": {[]http.HandlerFunc{refuse(503, "unavailable", "Retry-After", "1"), respond(200, account)}, get, 2, "", false},
		"GET retries after a proxy error":             {[]http.HandlerFunc{respond(502, "<html>", "Content-Type", "text/html"), respond(200, account)}, get, 2, "", false},
		"GET stops after five attempts":               {[]http.HandlerFunc{refuse(503, "unavailable")}, get, 5, market.KindUnavailable, true},
		"GET does not wait longer than MaxWait":       {[]http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "3600")}, get, 1, market.KindRateLimited, true},
		"a 400 is not retried":                        {[]http.HandlerFunc{refuse(400, "invalid_request")}, get, 1, market.KindInvalid, true},
		"a 500 is not retried":                        {[]http.HandlerFunc{refuse(500, "internal_error")}, get, 1, "internal_error", true},
		"POST is not retried after a lost connection": {[]http.HandlerFunc{abort, respond(200, `{}`)}, post, 1, "", true},
		"POST is not retried after a 503":             {[]http.HandlerFunc{refuse(503, "unavailable")}, post, 1, market.KindUnavailable, true},
		"POST is retried after a 429":                 {[]http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "1"), respond(200, `{}`)}, post, 2, "", false},
		"GET retries after a truncated body":          {[]http.HandlerFunc{respond(200, account, "Content-Length", "9999"), respond(200, account)}, get, 2, "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: test.answers}
			err := test.do(t.Context(), dialTest(t, s))
			if (err != nil) != test.fails {
				t.Errorf("got error %v", err)
			}
			if refused, ok := errors.AsType[*client.APIError](err); test.code != "" && (!ok || refused.Code != test.code) {
				t.Errorf("got error %v, want code %s", err, test.code)
			}
			if len(s.requests()) != test.want {
				t.Errorf("sent %d requests, want %d", len(s.requests()), test.want)
			}
		})
	}
}

func TestRetryHonoursRetryAfter(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "1"), respond(200, account)}}
	began := time.Now()
	if _, err := dialTest(t, s).Me(t.Context()); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(began); waited < time.Second {
		t.Errorf("returned after %s", waited)
	}
}

func TestRetryEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	s := &script{answers: []http.HandlerFunc{refuse(503, "unavailable", "Retry-After", "2")}}
	if _, err := dialTest(t, s).Me(ctx); !errors.Is(err, context.DeadlineExceeded) || len(s.requests()) != 1 {
		t.Errorf("got error %v after %d requests", err, len(s.requests()))
	}
}

func TestAPIErrorFields(t *testing.T) {
	body := `{"error":"would_revert","message":"The contract refuses.","hint":"Read the task.",
		"details":[{"field":"contract","code":"NotDue","message":"NotDue(taskId 7)"}],"request_id":"r-1"}`
	s := &script{answers: []http.HandlerFunc{respond(429, body, "Retry-After", "90", "X-Request-Id", "r-2")}}
	_, err := dialTest(t, s).Me(t.Context())
	got, ok := errors.AsType[*client.APIError](err)
	if !ok {
		t.Fatalf("got error %v", err)
	}
	want := &client.APIError{
		Status: 429, Code: market.KindWouldRevert, Message: "The contract refuses.", Hint: "Read the task.",
		Details:   []client.Detail{{Field: "contract", Code: "NotDue", Message: "NotDue(taskId 7)"}},
		RequestID: "r-2", RetryAfter: 90 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestForeignResponses(t *testing.T) {
	tests := map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"HTML instead of JSON":         {respond(200, "<html>", "Content-Type", "text/html"), "instead of JSON"},
		"a proxy's error page":         {respond(403, "<html>secret", "Content-Type", "text/html"), "403: the server responded with status 403 and no error message"},
		"truncated JSON":               {respond(200, `{"id":`), "unexpected end of JSON input"},
		"a response that is too large": {respond(200, `{"name":"`+strings.Repeat("x", 9<<20)+`"}`), "larger than"},
		"a redirect":                   {respond(302, "", "Location", "https://evil.example/"), "a redirect, which is never followed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: []http.HandlerFunc{test.answer}}
			_, err := dialTest(t, s).Me(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got error %v", err)
			}
			if len(s.requests()) != 1 {
				t.Errorf("sent %d requests", len(s.requests()))
			}
		})
	}
}

func TestKeyIsNotSentElsewhere(t *testing.T) {
	elsewhere := &script{answers: []http.HandlerFunc{respond(200, account)}}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	s := &script{answers: []http.HandlerFunc{respond(307, "", "Location", other.URL, "Set-Cookie", "session=1")}}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := dialTest(t, s, func(o *client.Options) { o.HTTPClient = &http.Client{Jar: jar} })
	for range 2 {
		if _, err := c.Me(t.Context()); err == nil {
			t.Error("followed a redirect")
		}
	}
	if len(elsewhere.requests()) != 0 {
		t.Error("another host received a request")
	}
	if key := s.requests()[1].Header.Get("X-API-Key"); key != "tmk_secret" {
		t.Errorf("the key was %q", key)
	}
	if cookies := s.requests()[1].Cookies(); len(cookies) != 0 {
		t.Errorf("sent cookies: %v", cookies)
	}
}

func TestBaseURL(t *testing.T) {
	tests := map[string]struct {
		url      string
		insecure bool
		fails    bool
	}{
		"https":               {url: "https://market.example/api/v1"},
		"without the path":    {url: "https://market.example/"},
		"loopback IPv4":       {url: "http://127.0.0.1:8080"},
		"loopback IPv6":       {url: "http://[::1]:8080"},
		"localhost":           {url: "http://localhost:8080"},
		"plain http":          {url: "http://market.example", fails: true},
		"plain http, allowed": {url: "http://market.example", insecure: true},
		"no host":             {url: "/api/v1", fails: true},
		"no scheme":           {url: "market.example", fails: true},
		"another scheme":      {url: "ftp://market.example", fails: true},
		"a user":              {url: "https://me@market.example", fails: true},
		"no user":             {url: "https://@market.example", fails: true},
		"an empty query":      {url: "https://market.example/?", fails: true},
		"a fragment":          {url: "https://market.example/#a", fails: true},
		"capitals and a port": {url: "HTTPS://Market.Example:443/API/v1"},
		"a query":             {url: "https://market.example/api/v1?x=1", fails: true},
		"host name that starts with a loopback address": {url: "http://127.0.0.1.evil.example", fails: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := client.New(client.Options{BaseURL: test.url, InsecureHTTP: test.insecure})
			if (err != nil) != test.fails {
				t.Errorf("got error %v", err)
			}
		})
	}
}

func TestRequestPaths(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{respond(200, account)}}
	server := httptest.NewServer(s)
	defer server.Close()
	bases := []string{strings.Replace(server.URL, "http", "HTTP", 1), strings.Replace(server.URL, "127.0.0.1", "LOCALHOST", 1)}
	for _, path := range []string{"", "/", "/api/v1", "/api/v1/", "/api/v1//", "/market"} {
		bases = append(bases, server.URL+path)
	}
	for _, base := range bases {
		c, err := client.New(client.Options{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Me(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var paths []string
	for _, r := range s.requests() {
		paths = append(paths, r.URL.Path)
	}
	want := append(slices.Repeat([]string{"/api/v1/agents/me"}, len(bases)-1), "/market/api/v1/agents/me")
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

const recordID = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"

var (
	record = uuid.MustParse(recordID)
	noTx   common.Hash
)

// offered describes the library's method for one API operation.
type offered struct {
	method string // name of the method of Client; if it returns a page, an All… method also exists

	// call calls the method; nil for a flow with several requests, which has its own tests.
	call func(context.Context, *client.Client) error
	want string // expected method and path below /api/v1
	body string // expected JSON body; empty for no body and for files

	all  func(context.Context, *client.Client) (int, error) // iterates over the list and returns the number of items
	list string                                             // name of the page's field that contains the items
}

// count returns the number of items in a list.
func count[T any](list iter.Seq2[T, error]) (int, error) {
	n := 0
	for _, err := range list {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// operations maps every operation that agents may call to the library's method for it.
var operations = map[string]offered{
	// Operations that are part of a flow.
	"registerAgent":     {method: "Register"},
	"recoverAPIKey":     {method: "RecoverKey"},
	"eraseAccount":      {method: "EraseAccount"},
	"createTask":        {method: "CreateTask"},
	"acceptApplication": {method: "AcceptApplication"},
	"rejectApplication": {method: "RejectApplication"},
	"approveTask":       {method: "Approve"},
	"disputeTask":       {method: "Dispute"},
	"cancelTask":        {method: "Cancel"},

	// Service information, moderation and account export.
	"getHealth": {
		method: "Health", want: "GET /health",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Health(ctx); return err },
	},
	"getContractsConfig": {
		method: "Config", want: "GET /config/contracts",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Config(ctx); return err },
	},
	"getSkillsConfig": {
		method: "Skills", want: "GET /config/skills",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Skills(ctx); return err },
	},
	"getInstanceConfig": {
		method: "Instance", want: "GET /config/instance",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Instance(ctx); return err },
	},
	"createReport": {
		method: "ReportRecord", want: "POST /reports", body: `{"category":"spam","subject":"mara","subject_type":"profile"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReportRecord(ctx, client.ReportRequest{SubjectType: "profile", Subject: "mara", Category: "spam"})
			return err
		},
	},
	"exportAccount": {
		method: "AccountRecords", want: "GET /account/export?cursor=next", list: "records",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AccountRecords(ctx, "next")
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) { return count(c.AllAccountRecords(ctx)) },
	},
	"listNotices": {
		method: "Notices", want: "GET /notices?page=2", list: "notices",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Notices(ctx, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllNotices(ctx, client.PageQuery{}))
		},
	},
	"appealNotice": {
		method: "Appeal", want: "POST /notices/" + recordID + "/appeal", body: `{"statement":"It is my shop."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Appeal(ctx, record, "It is my shop.")
			return err
		},
	},
	"searchLocations": {
		method: "Locations", want: "GET /config/locations?q=s%C3%A3o+p&page_size=5", list: "locations",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Locations(ctx, "são p", client.PageQuery{PageSize: 5})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllLocations(ctx, "são p", client.PageQuery{}))
		},
	},

	// Agent account.
	"rotateAPIKey": {
		method: "RotateKey", want: "POST /agents/api-keys/rotate",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.RotateKey(ctx); return err },
	},
	"verifyAgent": {
		method: "Verify", want: "POST /agents/" + recordID + "/verify",
		body: `{"post_url":"https://social.example/@me/1"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Verify(ctx, record, "https://social.example/@me/1")
			return err
		},
	},
	"verifyAgentMe": {
		method: "VerifyMe", want: "POST /agents/verify",
		body: `{"post_url":"https://social.example/@me/1"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.VerifyMe(ctx, "https://social.example/@me/1")
			return err
		},
	},
	"changeAgentUsername": {
		method: "ChangeUsername", want: "PUT /agents/me/username", body: `{"username":"second"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ChangeUsername(ctx, "second")
			return err
		},
	},
	"getAgentMe": {
		method: "Me", want: "GET /agents/me",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err },
	},
	"listAgentActions": {
		method: "Actions", want: "GET /agents/me/actions?page=3", list: "actions",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Actions(ctx, client.PageQuery{Page: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllActions(ctx, client.PageQuery{}))
		},
	},
	"claimRewards": {
		method: "Claim", want: "POST /agents/claim",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Claim(ctx); return err },
	},
	"listClaims": {
		method: "Claims", want: "GET /agents/claims?page=2", list: "claims",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Claims(ctx, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllClaims(ctx, client.PageQuery{}))
		},
	},
	"listActivity": {
		method: "Activity", want: "GET /activity?type=payout", list: "activities",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Activity(ctx, client.ActivityQuery{Type: new(gen.ActivityTypePayout)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllActivity(ctx, client.ActivityQuery{}))
		},
	},
	"streamEvents": {
		method: "Events", want: "GET /events",
		call: func(ctx context.Context, c *client.Client) error { _, err := count(c.Events(ctx, "")); return err },
	},

	// Tasks.
	"getTask": {
		method: "Task", want: "GET /tasks/" + recordID + "/",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Task(ctx, record); return err },
	},
	"listTasks": {
		method: "Tasks", want: "GET /tasks/?scope=board&status=funded,active&q=two+words&page_size=5", list: "tasks",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Tasks(ctx, client.TaskQuery{
				Scope: new(gen.TaskScopeBoard), Status: &[]client.TaskStatus{"funded", "active"}, Q: new("two words"), PageSize: new(5),
			})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllTasks(ctx, client.TaskQuery{}))
		},
	},
	"getBoard": {
		method: "Board", want: "GET /board?page=2&page_size=7", list: "tasks",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Board(ctx, client.PageQuery{Page: 2, PageSize: 7})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllBoard(ctx, client.PageQuery{}))
		},
	},
	"getTaskNext": {
		method: "Next", want: "GET /tasks/" + recordID + "/next",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Next(ctx, record); return err },
	},
	"listTaskApplications": {
		method: "Applications", want: "GET /tasks/" + recordID + "/applications?page=2&page_size=10", list: "applications",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Applications(ctx, record, client.PageQuery{Page: 2, PageSize: 10})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllApplications(ctx, record, client.PageQuery{}))
		},
	},
	"getDispute": {
		method: "DisputeOf", want: "GET /tasks/" + recordID + "/dispute",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.DisputeOf(ctx, record); return err },
	},
	"answerDispute": {
		method: "AnswerDispute", want: "POST /tasks/" + recordID + "/dispute/response",
		body: `{"response":"Done."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AnswerDispute(ctx, record, "Done.")
			return err
		},
	},
	"listVerdicts": {
		method: "Verdicts", want: "GET /tasks/" + recordID + "/verdicts?page_size=3", list: "verdicts",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Verdicts(ctx, record, client.PageQuery{PageSize: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllVerdicts(ctx, record, client.PageQuery{}))
		},
	},

	"confirmTaskFunding": {
		method: "ConfirmFunding", want: "POST /tasks/" + recordID + "/confirm-create", body: `{"tx_hash":"` + noTx.Hex() + `"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ConfirmFunding(ctx, record, noTx)
			return err
		},
	},
	"confirmApplication": {
		method: "ConfirmAcceptance", want: "POST /tasks/" + recordID + "/confirm", body: `{"tx_hash":"` + noTx.Hex() + `"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ConfirmAcceptance(ctx, record, noTx)
			return err
		},
	},

	// Files.
	"listTaskFiles": {
		method: "Files", want: "GET /tasks/" + recordID + "/files/?cursor=abc", list: "files",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Files(ctx, record, client.PageQuery{Cursor: "abc"})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllFiles(ctx, record, client.PageQuery{}))
		},
	},
	"uploadTaskFile": {
		method: "Upload", want: "POST /tasks/" + recordID + "/files/",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Upload(ctx, record, "plan.txt", strings.NewReader(""))
			return err
		},
	},
	"downloadTaskFile": {
		method: "Download", want: "GET /tasks/" + recordID + "/files/" + recordID,
		call: func(ctx context.Context, c *client.Client) error {
			return c.Download(ctx, client.File{TaskID: record, ID: record, FileSize: 2}, new(strings.Builder))
		},
	},

	// Messages, profiles and reviews.
	"listTaskMessages": {
		method: "Messages", want: "GET /tasks/" + recordID + "/messages/?page_size=3", list: "messages",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Messages(ctx, record, client.PageQuery{PageSize: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllMessages(ctx, record, client.PageQuery{}))
		},
	},
	"postTaskMessage": {
		method: "SendMessage", want: "POST /tasks/" + recordID + "/messages/",
		body: `{"content":"Hello."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.SendMessage(ctx, record, "Hello.")
			return err
		},
	},
	"listAgentConversations": {
		method: "Conversations", want: "GET /agents/messages?folder=requests&page=2", list: "conversations",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Conversations(ctx, client.ConversationQuery{Folder: new(client.ConversationFolder("requests")), Page: new(2)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllConversations(ctx, client.ConversationQuery{}))
		},
	},
	"acceptConversation": {
		method: "AcceptConversation", want: "POST /messages/" + recordID + "/accept",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AcceptConversation(ctx, record)
			return err
		},
	},
	"muteConversation": {
		method: "MuteConversation", want: "POST /messages/" + recordID + "/mute",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.MuteConversation(ctx, record)
			return err
		},
	},
	"unmuteConversation": {
		method: "UnmuteConversation", want: "POST /messages/" + recordID + "/unmute",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.UnmuteConversation(ctx, record)
			return err
		},
	},
	"blockConversation": {
		method: "BlockConversation", want: "POST /messages/" + recordID + "/block",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.BlockConversation(ctx, record)
			return err
		},
	},
	"unblockConversation": {
		method: "UnblockConversation", want: "POST /messages/" + recordID + "/unblock",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.UnblockConversation(ctx, record)
			return err
		},
	},
	"countUnreadMessages": {
		method: "UnreadCount", want: "GET /agents/messages/unread-count",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.UnreadCount(ctx); return err },
	},
	"listDirectMessages": {
		method: "DirectMessages", want: "GET /messages/" + recordID + "/?page=2", list: "messages",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.DirectMessages(ctx, record, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllDirectMessages(ctx, record, client.PageQuery{}))
		},
	},
	"startConversation": {
		method: "WriteTo", want: "POST /messages/",
		body: `{"content":"Hello.","username":"mara"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.WriteTo(ctx, "mara", "Hello.")
			return err
		},
	},
	"postDirectMessage": {
		method: "Reply", want: "POST /messages/" + recordID + "/",
		body: `{"content":"Hello."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Reply(ctx, record, "Hello.")
			return err
		},
	},
	"listAvailableHumans": {
		method: "Humans", want: "GET /humans/available?skill=demo&page_size=5", list: "humans",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Humans(ctx, client.HumanQuery{Skill: new("demo"), PageSize: new(5)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllHumans(ctx, client.HumanQuery{}))
		},
	},
	"getProfile": {
		method: "ProfileOf", want: "GET /profiles/mara",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.ProfileOf(ctx, "mara"); return err },
	},
	"reviewTask": {
		method: "Review", want: "POST /tasks/" + recordID + "/reviews",
		body: `{"rating":5}`,
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Review(ctx, record, 5, ""); return err },
	},
	"listAgentReviews": {
		method: "ReviewsOfAgent", want: "GET /agents/" + recordID + "/reviews?page=2", list: "reviews",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReviewsOfAgent(ctx, record, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllReviewsOfAgent(ctx, record, client.PageQuery{}))
		},
	},
	"listHumanReviews": {
		method: "ReviewsOfHuman", want: "GET /humans/" + recordID + "/reviews?cursor=abc", list: "reviews",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReviewsOfHuman(ctx, record, client.PageQuery{Cursor: "abc"})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllReviewsOfHuman(ctx, record, client.PageQuery{}))
		},
	},
}

// notOffered lists the operations that agents may call but the library omits, with the reasons.
var notOffered = map[string]string{
	"getSiweMessage":    "signs humans in",
	"loginWithEthereum": "signs humans in",
	"listConversations": "lists for agents what listAgentConversations does",
}

// documentedOperation is an operation in the OpenAPI document.
type documentedOperation struct {
	template string // method and path, with parameter names in braces
	agents   bool   // whether agents may call it
	paged    bool   // whether it returns a page of a list
	creates  bool   // whether it takes an idempotency key
}

func document(t *testing.T) map[string]documentedOperation {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]documentedOperation{}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			d := documentedOperation{template: method + " " + path, agents: len(*op.Security) == 0}
			for _, requirement := range *op.Security {
				_, key := requirement["ApiKey"]
				d.agents = d.agents || key
			}
			for _, p := range op.Parameters {
				d.paged = d.paged || p.Value.Name == "cursor"
				d.creates = d.creates || p.Value.Name == "Idempotency-Key"
			}
			all[op.OperationID] = d
		}
	}
	return all
}

func TestEveryAgentOperationHasAMethod(t *testing.T) {
	documented := document(t)
	methods := reflect.TypeFor[*client.Client]()
	for id, d := range documented {
		o, is := operations[id]
		_, not := notOffered[id]
		if d.agents != (is != not) || is && not {
			t.Errorf("%s: for agents: %v, offered: %v, in notOffered: %v", id, d.agents, is, not)
		}
		if !is {
			continue
		}
		if _, there := methods.MethodByName(o.method); !there {
			t.Errorf("%s: method %s is missing", id, o.method)
		}
		if _, there := methods.MethodByName("All" + o.method); there != d.paged || there != (o.all != nil) {
			t.Errorf("%s: is a list: %v, has an iterator: %v, the iterator is tested: %v", id, d.paged, there, o.all != nil)
		}
	}
	for id := range operations {
		if _, there := documented[id]; !there {
			t.Errorf("%s is not documented", id)
		}
	}
	for id := range notOffered {
		if _, there := documented[id]; !there {
			t.Errorf("%s is not documented", id)
		}
	}
}

func TestOperationRequests(t *testing.T) {
	documented := document(t)
	for id, o := range operations {
		if o.call == nil {
			continue
		}
		t.Run(id, func(t *testing.T) {
			var body []byte
			s := &script{answers: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body) // an error is ignored: the comparison below detects missing data
				refuse(404, "not_found")(w, r)
			}}}
			if err := o.call(t.Context(), dialTest(t, s)); client.CodeOf(err) != "not_found" {
				t.Fatalf("got error %v", err)
			}
			sent := s.requests()[0]
			if diff := cmp.Diff(o.want, sent.Method+" "+strings.TrimPrefix(sent.URL.String(), "/api/v1")); diff != "" {
				t.Error(diff)
			}
			path, _, _ := strings.Cut(o.want, "?")
			if template := documented[id].template; !pattern(template).MatchString(path) {
				t.Errorf("path %s does not match %s", path, template)
			}
			if diff := cmp.Diff(o.body, strings.TrimSpace(string(body))); diff != "" && id != "uploadTaskFile" {
				t.Error(diff)
			}
			if key := sent.Header.Get("Idempotency-Key"); (key != "") != documented[id].creates {
				t.Errorf("sent the idempotency key %q", key)
			}
		})
	}
}

var parameter = regexp.MustCompile(`\\\{\w+\\\}`)

// pattern returns a regular expression that matches the paths of a template.
func pattern(template string) *regexp.Regexp {
	return regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$")
}

func TestListsReadAllPages(t *testing.T) {
	for id, o := range operations {
		if o.all == nil {
			continue
		}
		t.Run(id, func(t *testing.T) {
			s := &script{answers: []http.HandlerFunc{
				respond(200, `{"`+o.list+`":[{},{}],"next_cursor":"second"}`),
				respond(200, `{"`+o.list+`":[{}]}`),
			}}
			if n, err := o.all(t.Context(), dialTest(t, s)); n != 3 || err != nil {
				t.Errorf("found %d items, error %v", n, err)
			}
			first, second := s.requests()[0].URL.Query(), s.requests()[1].URL.Query()
			if first.Has("cursor") || second.Get("cursor") != "second" || first.Has("page") || second.Has("page") {
				t.Errorf("requested %v, then %v", first, second)
			}
			for _, name := range []string{"cursor", "page_size"} {
				first.Del(name)
				second.Del(name)
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the second page is of another list: %s", diff)
			}
		})
	}
}
