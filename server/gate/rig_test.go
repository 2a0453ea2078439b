package gate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// unknownID is the id of no record.
const unknownID = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"

// goodTask is a valid body of createTask.
const goodTask = `{"title":"T","description":"D","escrow_amount":"10000000000000000"}`

// stub contains handlers that the gate protects. An operation without one here panics, so a request that reaches it
// is answered with 500.
type stub struct {
	api.StrictServerInterface
	created *atomic.Int64 // calls of CreateTask
	panics  *atomic.Bool  // whether GetHealth panics
}

func (stub) GetContractsConfig(context.Context, api.GetContractsConfigRequestObject) (api.GetContractsConfigResponseObject, error) {
	return api.GetContractsConfig200JSONResponse{}, nil
}

func (stub) GetSkillsConfig(context.Context, api.GetSkillsConfigRequestObject) (api.GetSkillsConfigResponseObject, error) {
	return api.GetSkillsConfig200JSONResponse{}, nil
}

func (stub) SearchLocations(context.Context, api.SearchLocationsRequestObject) (api.SearchLocationsResponseObject, error) {
	return api.SearchLocations200JSONResponse{}, nil
}

func (stub) ExportAccount(context.Context, api.ExportAccountRequestObject) (api.ExportAccountResponseObject, error) {
	return api.ExportAccount200JSONResponse{}, nil
}

func (stub) GetAgentMe(context.Context, api.GetAgentMeRequestObject) (api.GetAgentMeResponseObject, error) {
	return api.GetAgentMe200JSONResponse{}, nil
}

func (stub) GetHumanMe(context.Context, api.GetHumanMeRequestObject) (api.GetHumanMeResponseObject, error) {
	return api.GetHumanMe200JSONResponse{}, nil
}

func (stub) GetSession(context.Context, api.GetSessionRequestObject) (api.GetSessionResponseObject, error) {
	return api.GetSession200JSONResponse{}, nil
}

func (stub) ListTasks(context.Context, api.ListTasksRequestObject) (api.ListTasksResponseObject, error) {
	return api.ListTasks200JSONResponse{}, nil
}

func (stub) ListAvailableHumans(context.Context, api.ListAvailableHumansRequestObject) (api.ListAvailableHumansResponseObject, error) {
	return api.ListAvailableHumans200JSONResponse{}, nil
}

func (stub) ListHumanReviews(context.Context, api.ListHumanReviewsRequestObject) (api.ListHumanReviewsResponseObject, error) {
	return api.ListHumanReviews200JSONResponse{}, nil
}

func (stub) GetProfile(context.Context, api.GetProfileRequestObject) (api.GetProfileResponseObject, error) {
	return api.GetProfile200JSONResponse{}, nil
}

func (stub) GetTask(_ context.Context, r api.GetTaskRequestObject) (api.GetTaskResponseObject, error) {
	return api.GetTask200JSONResponse{Body: api.Task{ID: r.ID}}, nil
}

func (stub) GetTaskNext(_ context.Context, r api.GetTaskNextRequestObject) (api.GetTaskNextResponseObject, error) {
	return api.GetTaskNext200JSONResponse{Body: api.TaskNext{TaskID: r.ID}}, nil
}

func (s stub) CreateTask(ctx context.Context, r api.CreateTaskRequestObject) (api.CreateTaskResponseObject, error) {
	s.created.Add(1)
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	return api.CreateTask201JSONResponse{Body: api.Task{ID: id, Title: r.Body.Title}}, nil
}

func (stub) CreateReport(context.Context, api.CreateReportRequestObject) (api.CreateReportResponseObject, error) {
	return api.CreateReport201JSONResponse{}, nil
}

func (stub) RotateAPIKey(context.Context, api.RotateAPIKeyRequestObject) (api.RotateAPIKeyResponseObject, error) {
	return api.RotateAPIKey200JSONResponse{}, nil
}

func (stub) RegisterAgent(context.Context, api.RegisterAgentRequestObject) (api.RegisterAgentResponseObject, error) {
	return api.RegisterAgent201JSONResponse{}, nil
}

func (stub) LoginWithEthereum(context.Context, api.LoginWithEthereumRequestObject) (api.LoginWithEthereumResponseObject, error) {
	return nil, market.Errorf(market.KindUnauthorized, "the message was not issued by this service")
}

func (stub) Logout(context.Context, api.LogoutRequestObject) (api.LogoutResponseObject, error) {
	return api.Logout200JSONResponse{}, nil
}

func (stub) CancelTask(context.Context, api.CancelTaskRequestObject) (api.CancelTaskResponseObject, error) {
	return nil, market.Errorf(market.KindWrongStatus, "the task is new")
}

func (stub) ReviewTask(context.Context, api.ReviewTaskRequestObject) (api.ReviewTaskResponseObject, error) {
	return nil, market.Errorf(market.KindNotFound, "there is no such task")
}

func (stub) PostTaskMessage(context.Context, api.PostTaskMessageRequestObject) (api.PostTaskMessageResponseObject, error) {
	return nil, market.Errorf(market.KindNotFound, "there is no such task")
}

func (stub) ApplyForTask(context.Context, api.ApplyForTaskRequestObject) (api.ApplyForTaskResponseObject, error) {
	return nil, market.Errorf(market.KindNotFound, "there is no such task")
}

func (s stub) GetHealth(context.Context, api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	if s.panics.Load() {
		panic("the secret")
	}
	return api.GetHealth200JSONResponse{}, nil
}

// rig is the gate in front of a stub, with a database of its own and no chain.
type rig struct {
	t       testing.TB
	url     string
	store   *store.Store
	gate    *gate.Gate
	handler http.Handler
	log     *logBuffer
	stub    stub
}

type option func(*gate.Options)

// sessionKey signs the sessions of all rigs.
var sessionKey = []byte(strings.Repeat("k", 32))

// newRig starts the gate on a new database. All limits are too high to be reached.
func newRig(tb testing.TB, options ...option) *rig {
	tb.Helper()
	return serve(tb, storetest.New(tb), options...)
}

// replica starts another gate on the same database.
func (r *rig) replica(options ...option) *rig {
	r.t.Helper()
	return serve(r.t, r.store, options...)
}

func serve(tb testing.TB, records *store.Store, options ...option) *rig {
	tb.Helper()
	r := &rig{t: tb, store: records, log: &logBuffer{}, stub: stub{created: new(atomic.Int64), panics: new(atomic.Bool)}}
	listener := httptest.NewUnstartedServer(nil)
	r.url = "http://" + listener.Listener.Addr().String()
	o := gateOptions(tb, records, r.url)
	o.Log = slog.New(gate.LogHandler(slog.NewJSONHandler(r.log, nil), nil))
	for _, change := range options {
		change(&o)
	}
	var err error
	if r.gate, err = gate.New(o); err != nil {
		tb.Fatalf("New() error = %v", err)
	}
	router, err := r.gate.Router(r.stub)
	must(tb, err)
	r.handler = r.gate.Edge(router)
	listener.Config.Handler = r.handler
	listener.Start()
	tb.Cleanup(listener.Close)
	return r
}

func gateOptions(tb testing.TB, records *store.Store, address string) gate.Options {
	tb.Helper()
	base, err := url.Parse(address)
	must(tb, err)
	never := func() bool { return false }
	return gate.Options{
		Store: records, Base: base, Sessions: gate.SessionKeys{Current: "k1", Keys: map[string][]byte{"k1": sessionKey}},
		Limits:   map[string]gate.Limit{"*": {Count: 1_000_000, Period: time.Minute, Burst: 1_000_000}},
		Starting: never, Stopping: never, Now: func() time.Time { return time.Now().UTC() }, SharedNow: func() time.Time { return time.Time{} },
		Observer: gate.NoObserver{}, Refused: func(market.AuditEntry) {}, Log: slog.New(slog.DiscardHandler),
	}
}

// user is an account with credentials.
type user struct {
	id           uuid.UUID
	key          string // API key; set for agents
	cookie, csrf string // set for humans
}

// credentials returns the headers of a request by the user, as the web app sends them for humans.
func (r *rig) credentials(u *user) []string {
	if u.key != "" {
		return []string{"X-API-Key", u.key}
	}
	return []string{"Cookie", u.cookie, "X-CSRF-Token", u.csrf, "Origin", r.url}
}

// agent adds an agent that is not verified.
func (r *rig) agent() *user {
	r.t.Helper()
	return r.withKey(storetest.Agent(r.t, r.store, func(a *market.Agent) { a.Link = nil }))
}

func (r *rig) verifiedAgent() *user {
	r.t.Helper()
	return r.withKey(storetest.Agent(r.t, r.store))
}

func (r *rig) withKey(agent market.Agent) *user {
	r.t.Helper()
	u := &user{id: agent.ID, key: gate.NewAPIKey()}
	_, err := storetest.DB(r.t, r.store).Exec(`UPDATE agents SET key_hash = sha256($2::text::bytea) WHERE id = $1`, u.id, u.key)
	must(r.t, err)
	return u
}

// human adds a human with a session.
func (r *rig) human() *user {
	r.t.Helper()
	human := storetest.Human(r.t, r.store)
	token, session, err := r.gate.Sessions.Issue(human.Wallet)
	must(r.t, err)
	_, err = storetest.DB(r.t, r.store).Exec(`INSERT INTO sessions (id_hash, human_id, expires_at) VALUES ($1, $2, $3)`, session.IDHash, human.ID, session.ExpiresAt)
	must(r.t, err)
	return &user{id: human.ID, cookie: "taskmarket_session=" + token, csrf: session.CSRF}
}

// clock is a clock that advances only when a test advances it, so that no bucket gains tokens while a slow test runs.
type clock struct {
	once   sync.Once
	start  time.Time
	offset atomic.Int64
}

func (c *clock) now() time.Time {
	c.once.Do(func() { c.start = time.Now().UTC() })
	return c.start.Add(time.Duration(c.offset.Load()))
}

func (c *clock) advance(d time.Duration) { c.offset.Add(int64(d)) }

// limited returns an option that limits the operations to 6 per minute with burst 3 and sets the clock.
func limited(c *clock, ids ...string) option {
	return func(o *gate.Options) {
		o.Now, o.SharedNow = c.now, c.now
		for _, id := range ids {
			o.Limits[id] = gate.Limit{Count: 6, Period: time.Minute, Burst: 3}
		}
	}
}

// reply is a raw HTTP response.
type reply struct {
	status int
	header http.Header
	body   string
}

// do sends a request. A header Content-Type replaces the default, JSON.
func (r *rig) do(method, path, body string, headers ...string) reply {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	must(r.t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for ; len(headers) > 0; headers = headers[2:] {
		if headers[0] == "Content-Type" {
			request.Header.Del(headers[0])
		}
		request.Header.Add(headers[0], headers[1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	must(r.t, err)
	return readReply(r.t, response)
}

// target sends a GET request with exactly this target and these header lines, which no client normalises.
func (r *rig) target(target string, headers ...string) reply {
	r.t.Helper()
	host := strings.TrimPrefix(r.url, "http://")
	conn, err := new(net.Dialer).DialContext(r.t.Context(), "tcp", host)
	must(r.t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, strings.Join(append([]string{"GET " + target + " HTTP/1.1", "Host: " + host, "Connection: close"}, headers...), "\r\n")+"\r\n\r\n")
	must(r.t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(r.t, err)
	return readReply(r.t, response)
}

func readReply(tb testing.TB, response *http.Response) reply {
	tb.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(tb, err)
	return reply{response.StatusCode, response.Header, string(body)}
}

// errorOf returns the code of an error response.
func errorOf(tb testing.TB, body string) string {
	tb.Helper()
	var failure struct{ Error string }
	if err := json.Unmarshal([]byte(body), &failure); err != nil {
		tb.Errorf("not an error response: %.200s", body)
	}
	return failure.Error
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func nines(n int) string { return strings.Repeat("9", n) }

// logBuffer is a log that is safe for concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns everything that was written.
func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
