package server_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/server/social"
	"taskmarket/server/socialdev"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// rig is a running service with its own database and chain.
type rig struct {
	t       testing.TB
	url     string // URL of the service, without the API's base path
	net     *chaintest.Net
	store   *store.Store
	records *store.Store // store for the service's database, opened by storetest
	social  *socialdev.Network
	log     *logBuffer
	rpc     *httptest.Server // proxy between the service and the chain; nil if the chain is idle
	watcher *follow.Watcher  // nil if the chain is idle
	host    string           // host of the social network

	reader   *chain.Reader
	verifier *chain.Verifier
	head     func() (market.Block, error)
}

// option changes the server's options.
type option func(*server.Options)

// generous raises all rate limits for tests that are not about limits, because waiting a minute for
// a refill would take too long.
func generous(o *server.Options) {
	o.Limits = map[string]gate.Limit{"*": {Count: 1_000_000, Period: time.Minute, Burst: 1_000_000}}
}

// newRig starts a chain, a database, a watcher and the service.
func newRig(tb testing.TB, options ...option) *rig {
	tb.Helper()
	r := &rig{t: tb, net: chaintest.New(tb), log: &logBuffer{}}
	r.records = storetest.New(tb)
	r.store = openStore(tb, storetest.URL(tb, r.records), r.net.Deployment)
	r.watcher = r.watch()
	target, err := url.Parse(r.net.Dev.URL())
	if err != nil {
		tb.Fatalf("parse URL: %v", err)
	}
	r.rpc = httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
	tb.Cleanup(r.rpc.Close)
	r.connect(chaintest.Dial(tb, r.rpc.URL))
	return r.start(append([]option{func(o *server.Options) { o.Wake = r.watcher.Wake }}, options...))
}

// idle is the rig without a service whose chain all idle rigs share, and whose database is their template. It is
// nil until the first idle rig starts.
var idle struct {
	sync.Mutex
	rig  *rig
	ends []func()
}

// untilExit is a testing.TB whose cleanup functions run when all tests have ended.
type untilExit struct{ testing.TB }

// Cleanup implements testing.TB.
func (untilExit) Cleanup(end func()) { idle.ends = append(idle.ends, end) }

// Context implements testing.TB.
func (untilExit) Context() context.Context { return context.Background() }

// stopIdle stops what idle rigs share.
func stopIdle() {
	for _, end := range slices.Backward(idle.ends) {
		end()
	}
}

// newIdleRig is like newRig, for tests that send no transactions. Their rigs share a chain, and have no watcher.
func newIdleRig(tb testing.TB, options ...option) *rig {
	tb.Helper()
	idle.Lock()
	shared := sharedIdle(tb)
	records := storetest.Copy(tb, shared.records)
	idle.Unlock()
	r := &rig{t: tb, net: shared.net, records: records, log: &logBuffer{}, reader: shared.reader, verifier: shared.verifier, head: shared.head}
	r.store = openStore(tb, storetest.URL(tb, r.records), r.net.Deployment)
	before := r.net.Head(tb)
	tb.Cleanup(func() {
		if after := r.net.Head(untilExit{tb}); after.Hash != before.Hash {
			tb.Error("a test with an idle chain sent a transaction: use newRig")
		}
	})
	return r.start(options)
}

// sharedIdle returns what idle rigs share. The caller has locked idle.
func sharedIdle(tb testing.TB) *rig {
	tb.Helper()
	if idle.rig == nil {
		all := untilExit{tb}
		r := &rig{t: all, net: chaintest.New(all)}
		r.records = storetest.New(all)
		r.store = openStore(tb, storetest.URL(all, r.records), r.net.Deployment)
		watcher := follow.NewWatcher(r.net.Node, r.store.Journal, r.net.Contracts, follow.WatcherOptions{}, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(tb.Context())
		done := make(chan error, 1)
		go func() { done <- watcher.Run(ctx) }()
		r.settle()
		cancel()
		if err := <-done; err != nil {
			tb.Fatalf("follow the idle chain: %v", err)
		}
		must(tb, r.store.Close()) // the template has no connections
		r.connect(r.net.Node)
		idle.rig = r
	}
	return idle.rig
}

// connect makes the service use the node.
func (r *rig) connect(node *rpc.Node) {
	r.t.Helper()
	r.reader, r.verifier = chain.NewReader(node, r.net.Contracts), chain.NewVerifier(node)
	r.head = r.monitor(r.reader, 20*time.Millisecond)
}

// start starts the social network and the service.
func (r *rig) start(options []option) *rig {
	r.t.Helper()
	r.t.Cleanup(r.tellFailures)
	listener := httptest.NewUnstartedServer(nil)
	r.url = "http://" + listener.Listener.Addr().String()
	network := httptest.NewUnstartedServer(nil)
	r.social = socialdev.New("http://" + network.Listener.Addr().String())
	network.Config.Handler = r.social.Handler()
	network.Start()
	r.t.Cleanup(network.Close)

	r.host = network.Listener.Addr().String()
	listener.Config.Handler = r.handler(options...)
	listener.Start()
	r.t.Cleanup(listener.Close)
	return r
}

// tellFailures prints the internal errors in the service's log if the test has failed.
func (r *rig) tellFailures() {
	if !r.t.Failed() {
		return
	}
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			r.t.Log(strings.TrimSpace(line))
		}
	}
}

func (r *rig) options(socialHost string) server.Options {
	return server.Options{
		Store: r.store, Calls: r.net.Contracts, Reader: r.reader, Head: r.head, Verifier: r.verifier,
		Files: folderBucket(r.t, filepath.Join(r.t.TempDir(), "files")), Networks: []social.Network{social.NewMastodon(socialHost)},
		Sessions: gate.SessionKeys{Current: "k1", Keys: map[string][]byte{"k1": []byte(strings.Repeat("k", 32))}},
		Rewards:  &server.Rewards{Rate: market.DefaultKarmaRate()},
		BaseURL:  r.url, Version: "test", Log: slog.New(gate.LogHandler(slog.NewJSONHandler(r.log, nil), nil)),
	}
}

// monitor reads the chain's head repeatedly until the test ends. It returns after the first read.
func (r *rig) monitor(reader *chain.Reader, interval time.Duration) func() (market.Block, error) {
	r.t.Helper()
	m := chain.NewHeadMonitor(reader, interval)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); m.Run(ctx) }()
	r.t.Cleanup(func() { cancel(); <-done })
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := m.Head(); err == nil {
			return m.Head
		}
	}
	r.t.Fatal("the head was not read")
	return nil
}

// openStore opens the database for the deployment. The quotas of agents are too high to be reached.
func openStore(tb testing.TB, url string, d market.Deployment, options ...store.Option) *store.Store {
	tb.Helper()
	options = append([]store.Option{store.WithQuotas(store.Quotas{Unfunded: 1_000_000, Rejections: 1_000_000})}, options...)
	return storetest.OpenFor(tb, url, d, options...)
}

// watch runs a watcher until the test ends. It returns when the watcher has reached the head.
func (r *rig) watch() *follow.Watcher {
	r.t.Helper()
	watcher := follow.NewWatcher(r.net.Node, r.store.Journal, r.net.Contracts, follow.WatcherOptions{Poll: 100 * time.Millisecond}, slog.New(slog.NewTextHandler(r.t.Output(), nil)))
	ctx, cancel := context.WithCancel(r.t.Context())
	done := make(chan error, 1)
	go func() { done <- watcher.Run(ctx) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			r.t.Errorf("watcher: %v", err)
		}
	})
	r.settle()
	return watcher
}

// settle waits until the watcher has reached the chain's head.
func (r *rig) settle() {
	r.t.Helper()
	want := r.net.Head(r.t)
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
		cursor, err := r.store.Journal.Head(r.t.Context())
		if err != nil {
			r.t.Fatalf("Head() error = %v", err)
		}
		if cursor.Block.Hash == want.Hash {
			return
		}
		if r.watcher != nil {
			r.watcher.Wake()
		}
	}
	r.t.Fatalf("the watcher did not reach block %d", want.Number)
}

// user is an account with credentials and a generated client.
type user struct {
	*client.ClientWithResponses
	id     uuid.UUID
	signer *chain.KeySigner
	key    string // API key; set for agents
	csrf   string // CSRF token; set for humans
	http   *http.Client
}

// anonymous returns a client without credentials that validates every response against
// openapi.yaml.
func (r *rig) anonymous() *user {
	return r.newUser(nil)
}

func (r *rig) newUser(edit client.RequestEditorFn) *user {
	r.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.t.Fatalf("create cookie jar: %v", err)
	}
	u := &user{http: &http.Client{
		Transport: newValidator(r.t), Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	options := []client.ClientOption{client.WithHTTPClient(u.http)}
	if edit != nil {
		options = append(options, client.WithRequestEditorFn(edit))
	}
	if u.ClientWithResponses, err = client.NewClientWithResponses(r.url+"/api/v1", options...); err != nil {
		r.t.Fatalf("create client: %v", err)
	}
	return u
}

// withKey returns a client that sends the API key.
func (r *rig) withKey(key string) *user {
	u := r.newUser(r.keyed(key))
	u.key = key
	return u
}

// keyed adds the API key to requests.
func (*rig) keyed(key string) client.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	}
}

// newSigner generates a key for a wallet without a balance.
func newSigner(tb testing.TB) *chain.KeySigner {
	tb.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		tb.Fatalf("generate key: %v", err)
	}
	return signerOf(key)
}

func signerOf(key *ecdsa.PrivateKey) *chain.KeySigner { return chain.NewKeySigner(key) }

// agent registers an agent with the wallet.
func (r *rig) agent(signer *chain.KeySigner) *user {
	r.t.Helper()
	registered := r.register(signer, "agent-"+strings.ToLower(signer.Address().Hex()[2:12]))
	u := r.withKey(registered.APIKey)
	u.id, u.signer = registered.AgentID, signer
	return u
}

// verifiedAgent registers an agent with the wallet and verifies it with a post.
func (r *rig) verifiedAgent(signer *chain.KeySigner) *user {
	r.t.Helper()
	u := r.agent(signer)
	r.verify(u)
	return u
}

func (r *rig) verify(u *user) {
	r.t.Helper()
	me, err := u.GetAgentMeWithResponse(r.t.Context(), nil)
	if err != nil || me.JSON200 == nil {
		r.t.Fatalf("GET /agents/me = %v, %v", answer(me), err)
	}
	url := r.social.Post(me.JSON200.Username, "I am "+*me.JSON200.VerificationCode)
	verified, err := u.VerifyAgentWithResponse(r.t.Context(), u.id, client.VerifyAgentRequest{PostURL: new(url)})
	if err != nil || verified.JSON200 == nil {
		r.t.Fatalf("verify = %v, %v", answer(verified), err)
	}
}

// register performs both steps of a registration.
func (r *rig) register(signer *chain.KeySigner, username string) client.AgentRegistration {
	r.t.Helper()
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "Agent " + username, Username: username}
	r.sign(signer, &body)
	registered, err := r.anonymous().RegisterAgentWithResponse(r.t.Context(), body)
	if err != nil || registered.JSON201 == nil {
		r.t.Fatalf("register, step 2 = %v, %v", answer(registered), err)
	}
	return *registered.JSON201
}

// sign requests the challenge for the body and adds its signature.
func (r *rig) sign(signer *chain.KeySigner, body *client.RegisterAgentRequest) {
	r.t.Helper()
	step1, err := r.anonymous().RegisterAgentWithResponse(r.t.Context(), *body)
	if err != nil || step1.JSON428 == nil {
		r.t.Fatalf("register, step 1 = %v, %v", answer(step1), err)
	}
	body.Challenge = &step1.JSON428.Challenge
	body.Signature = new(signText(r.t, signer, step1.JSON428.Challenge))
}

// human signs in a human with the wallet.
func (r *rig) human(signer *chain.KeySigner) *user {
	r.t.Helper()
	u := r.newUser(nil)
	u.signer = signer
	message, err := u.GetSiweMessageWithResponse(r.t.Context(), &client.GetSiweMessageParams{Address: signer.Address().Hex()})
	if err != nil || message.JSON200 == nil {
		r.t.Fatalf("GET siwe message = %v, %v", answer(message), err)
	}
	login, err := u.LoginWithEthereumWithResponse(r.t.Context(), client.LoginRequest{
		Message: message.JSON200.Message, Signature: signText(r.t, signer, message.JSON200.Message),
	})
	if err != nil || login.JSON200 == nil {
		r.t.Fatalf("login = %v, %v", answer(login), err)
	}
	u.id, u.csrf = login.JSON200.Human.ID, login.JSON200.CSRFToken
	generated, ok := u.ClientInterface.(*client.Client)
	if !ok {
		r.t.Fatalf("the generated client is a %T", u.ClientInterface)
	}
	generated.RequestEditors = append(generated.RequestEditors, r.asBrowser(u.csrf))
	return u
}

// asBrowser adds the headers that the web app adds to unsafe requests.
func (r *rig) asBrowser(csrf string) client.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		if request.Method != http.MethodGet {
			request.Header.Set("Origin", r.url)
			request.Header.Set("X-CSRF-Token", csrf)
		}
		return nil
	}
}

// cookie returns the session cookie.
func (u *user) cookie(tb testing.TB, base string) *http.Cookie {
	tb.Helper()
	parsed, err := url.Parse(base)
	if err != nil {
		tb.Fatalf("parse URL: %v", err)
	}
	for _, cookie := range u.http.Jar.Cookies(parsed) {
		if cookie.Name == "taskmarket_session" {
			return cookie
		}
	}
	tb.Fatal("there is no session cookie")
	return nil
}

// reply is a raw HTTP response.
type reply struct {
	status int
	header http.Header
	body   string
}

// do sends an arbitrary request. The response is validated against openapi.yaml.
func (r *rig) do(method, path, body string, headers ...string) reply {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatalf("create request: %v", err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Content-Type" {
			request.Header.Del(headers[i])
		}
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := newValidator(r.t).RoundTrip(request)
	if err != nil {
		r.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("read response: %v", err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}

// folderBucket opens a bucket that stores blobs in a folder.
func folderBucket(tb testing.TB, folder string) *blob.Bucket {
	tb.Helper()
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{CreateDir: true, NoTempDir: true})
	if err != nil {
		tb.Fatalf("open bucket: %v", err)
	}
	tb.Cleanup(func() { _ = bucket.Close() })
	return bucket
}

// clock is a clock that advances only when a test advances it, so that no bucket gains tokens while a
// slow test runs.
type clock struct {
	once   sync.Once
	start  time.Time
	offset atomic.Int64
}

func (c *clock) now() time.Time {
	c.once.Do(func() { c.start = time.Now() })
	return c.start.Add(time.Duration(c.offset.Load()))
}

func (c *clock) advance(d time.Duration) { c.offset.Add(int64(d)) }

// limited returns an option that limits the operations to 6 per minute with burst 3 and sets the clock.
func limited(c *clock, ids ...string) option {
	return func(o *server.Options) {
		o.Now = c.now
		for _, id := range ids {
			o.Limits[id] = gate.Limit{Count: 6, Period: time.Minute, Burst: 3}
		}
	}
}

// replica starts another server on the same database and chain.
func (r *rig) replica(options ...option) *rig {
	r.t.Helper()
	twin := *r
	listener := httptest.NewServer(r.handler(options...))
	r.t.Cleanup(listener.Close)
	twin.url = listener.URL
	return &twin
}

// handler returns another server on the same database and chain without a listener, for tests that
// send many requests or measure their duration.
func (r *rig) handler(options ...option) http.Handler {
	r.t.Helper()
	o := r.options(r.host)
	generous(&o)
	for _, change := range options {
		change(&o)
	}
	handler, err := server.New(o)
	if err != nil {
		r.t.Fatalf("New() error = %v", err)
	}
	return handler
}

// at returns the rig with the server at the URL.
func (r *rig) at(url string) *rig {
	twin := *r
	twin.url = url
	return &twin
}

func must(tb testing.TB, errs ...error) {
	tb.Helper()
	if err := errors.Join(errs...); err != nil {
		tb.Fatal(err)
	}
}

// send sends a transaction from the given wallet, with calldata returned by the service.
func (r *rig) send(from *chain.KeySigner, to, data string) common.Hash {
	r.t.Helper()
	receipt := r.net.Send(r.t, from, chain.Call{To: common.HexToAddress(to), Data: hexutil.MustDecode(data)})
	r.settle()
	return receipt.TxHash
}

// funded creates a task that the agent's wallet has funded.
func (r *rig) funded(agent *user) client.Task {
	r.t.Helper()
	task := r.createTask(agent)
	_, receipt := r.net.Post(r.t, agent.signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	confirmed, err := agent.ConfirmTaskFundingWithResponse(r.t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || confirmed.JSON200 == nil || confirmed.JSON200.Status != client.TaskStatusFunded {
		r.t.Fatalf("confirm-create = %s, %v", answer(confirmed), err)
	}
	return *confirmed.JSON200
}

// applied makes the human apply for the task and lock the stake with the returned calldata.
func (r *rig) applied(human *user, task uuid.UUID) client.Application {
	r.t.Helper()
	created, err := human.ApplyForTaskWithResponse(r.t.Context(), task, nil, client.ApplyForTaskRequest{ApplicationMessage: "I live next door."})
	if err != nil || created.JSON201 == nil {
		r.t.Fatalf("apply = %s, %v", answer(created), err)
	}
	r.send(human.signer, created.JSON201.TokenAddress, created.JSON201.ApproveCalldata)
	r.send(human.signer, created.JSON201.StakingAddress, created.JSON201.LockCalldata)
	return created.JSON201.Application
}

// active creates a task that is assigned to the human.
func (r *rig) active(agent, human *user) client.Task {
	r.t.Helper()
	task := r.funded(agent)
	_, tx := r.hire(agent, human, task.ID)
	confirmed, err := agent.ConfirmApplicationWithResponse(r.t.Context(), task.ID, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || confirmed.JSON200 == nil || confirmed.JSON200.Status != client.TaskStatusActive {
		r.t.Fatalf("confirm = %s, %v", answer(confirmed), err)
	}
	return *confirmed.JSON200
}

// hire makes the human apply for the task and the agent accept.
func (r *rig) hire(agent, human *user, task uuid.UUID) (application uuid.UUID, tx common.Hash) {
	r.t.Helper()
	application = r.applied(human, task).ID
	accepted, err := agent.AcceptApplicationWithResponse(r.t.Context(), task, application)
	if err != nil || accepted.JSON200 == nil || !accepted.JSON200.Simulated {
		r.t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	return application, r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
}

// submitted creates a task with submitted work, which includes the given files.
func (r *rig) submitted(agent, human *user, files ...uuid.UUID) client.Task {
	r.t.Helper()
	task := r.active(agent, human)
	r.submit(human, task.ID, files...)
	return r.task(agent, task.ID)
}

func (r *rig) submit(human *user, task uuid.UUID, files ...uuid.UUID) client.SubmitCalldata {
	r.t.Helper()
	if files == nil {
		files = []uuid.UUID{}
	}
	draft, err := human.SubmitWorkWithResponse(r.t.Context(), task, nil, client.SubmitWorkRequest{
		Note: "Ten photos.", ProofURL: new("https://example.com/photos"), FileIds: files,
	})
	if err != nil || draft.JSON201 == nil {
		r.t.Fatalf("submit = %s, %v", answer(draft), err)
	}
	r.send(human.signer, draft.JSON201.To, draft.JSON201.SubmitTaskCalldata)
	return *draft.JSON201
}

// task reads a task as the user.
func (r *rig) task(as *user, id uuid.UUID) client.Task {
	r.t.Helper()
	got, err := as.GetTaskWithResponse(r.t.Context(), id, nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET task = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// vote signs in the first count validators and sends their verdicts.
func (r *rig) vote(task uuid.UUID, approve bool, count int) {
	r.t.Helper()
	for _, signer := range r.net.Validators[:count] {
		got := r.verdict(r.human(signer), task, approve)
		if got.JSON201 == nil {
			r.t.Fatalf("verdict = %s", answer(got))
		}
	}
}

// verdict signs and sends a verdict on a task, which must be in the validator's list.
func (r *rig) verdict(validator *user, task uuid.UUID, approve bool) *client.PostVerdictResponse {
	r.t.Helper()
	list, err := validator.ListValidationsWithResponse(r.t.Context(), nil)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("GET /validations = %s, %v", answer(list), err)
	}
	for _, v := range list.JSON200.Validations {
		if v.TaskID == task {
			data := chain.VerdictTypedData(r.net.Deployment.Escrow, r.net.Deployment.ChainID, 1, r.workHash(task), uint8(v.Round), approve)
			signature, err := validator.signer.SignTypedData(r.t.Context(), data)
			if err != nil {
				r.t.Fatalf("sign: %v", err)
			}
			return r.postVerdict(validator, task, approve, hexutil.Encode(signature))
		}
	}
	r.t.Fatalf("task %s is not in the list of validations: %s", task, list.Body)
	return nil
}

func (r *rig) workHash(task uuid.UUID) common.Hash {
	r.t.Helper()
	record, err := r.store.Task(r.t.Context(), task)
	if err != nil {
		r.t.Fatal(err)
	}
	return record.Escrow.WorkHash
}

func (r *rig) postVerdict(validator *user, task uuid.UUID, approve bool, signature string) *client.PostVerdictResponse {
	r.t.Helper()
	got, err := validator.PostVerdictWithResponse(r.t.Context(), task, nil, client.PostVerdictRequest{
		Approved: approve, Reason: "As agreed.", Signature: signature,
	})
	if err != nil {
		r.t.Fatalf("verdict: %v", err)
	}
	return got
}

func (r *rig) vote2(validator *user, task uuid.UUID) {
	r.t.Helper()
	if got := r.verdict(validator, task, true); got.JSON201 == nil {
		r.t.Fatalf("verdict = %s", answer(got))
	}
}

// listener reads a stream of events as a browser does.
type listener struct {
	t      *testing.T
	reply  *http.Response
	lines  *bufio.Scanner
	cancel context.CancelFunc
	lastID string
	silent bool // true: the test fails on a heartbeat, which is sent only when there are no events
}

// listen opens a stream. It starts after the event whose id is passed as after, or at the current
// end of the log if after is empty.
func (r *rig) listen(t *testing.T, as *user, after string) *listener {
	t.Helper()
	l := &listener{t: t, lastID: after}
	var ctx context.Context
	ctx, l.cancel = context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(l.cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	headers := r.credentials(as)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if after != "" {
		request.Header.Set("Last-Event-ID", after)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reply.Body.Close() })
	l.reply, l.lines = reply, bufio.NewScanner(reply.Body)
	if l.reply.StatusCode == http.StatusOK {
		l.block() // reads the retry interval and the start of the stream
	}
	return l
}

// block reads up to the next blank line, and returns the event before it, if any. It continues
// while no id has been received. more is false if the stream has ended.
func (l *listener) block() (event client.Event, data, more bool) {
	for l.lines.Scan() {
		name, value, _ := strings.Cut(l.lines.Text(), ": ")
		if l.silent && l.lines.Text() == ":" {
			l.t.Error("a heartbeat arrived before the event")
		}
		switch name {
		case "id":
			l.lastID = value
		case "data":
			checkEvent(l.t, value)
			if err := json.Unmarshal([]byte(value), &event); err != nil {
				l.t.Errorf("decode data %s: %v", value, err)
			}
			data = true
		case "":
			if l.lastID != "" {
				return event, data, true
			}
		}
	}
	return event, data, false
}

// next returns the next event; the test fails when the stream ends first.
func (l *listener) next() client.Event {
	l.t.Helper()
	for {
		event, data, more := l.block()
		switch {
		case !more:
			l.t.Fatalf("the stream ended: %v", l.lines.Err())
		case data:
			return event
		}
	}
}

// ended waits for the stream's end.
func (l *listener) ended() {
	l.t.Helper()
	for {
		if _, _, more := l.block(); !more {
			break
		}
	}
	if err := l.lines.Err(); err != nil {
		l.t.Errorf("the stream did not end: %v", err)
	}
}

func (l *listener) close() { l.cancel(); _ = l.reply.Body.Close() }

// notify adds an item to the user's feed. The amount identifies the item.
func (r *rig) notify(as uuid.UUID, kind string, amount int) {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key)
		VALUES ($1, $2, $3, 'task', 'task_expired', $4, 'confirmed', gen_random_uuid()::text)`, uuid.Must(uuid.NewV7()), as, kind, amount)
	if err != nil {
		r.t.Fatal(err)
	}
}

// listenAgain retries until the server opens a stream.
func (r *rig) listenAgain(t *testing.T, as *user, after string) *listener {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		l := r.listen(t, as, after)
		switch {
		case l.reply.StatusCode == http.StatusOK:
			return l
		case l.reply.StatusCode != http.StatusServiceUnavailable || time.Now().After(end):
			t.Fatalf("again = %s", l.reply.Status)
		}
		l.close()
	}
}

// concurrently sends n requests at the same time, numbered from 0, and counts the responses by
// status.
func concurrently(n int, ask func(i int) (status int)) map[int]int {
	statuses := make([]int, n)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() { statuses[i] = ask(i) })
	}
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	return count
}

// credentials returns the request headers that authenticate the user.
func (r *rig) credentials(u *user) []string {
	if u.key != "" {
		return []string{"X-API-Key", u.key}
	}
	return []string{"Cookie", u.cookie(r.t, r.url).String(), "Origin", r.url, "X-CSRF-Token", u.csrf}
}

// mine returns the first page of the user's tasks.
func (r *rig) mine(u *user) []client.Task {
	r.t.Helper()
	got, err := u.ListTasksWithResponse(r.t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("list = %s, %v", answer(got), err)
	}
	return got.JSON200.Tasks
}

func (r *rig) humanID(u *user) uuid.UUID {
	r.t.Helper()
	got, err := u.GetHumanMeWithResponse(r.t.Context())
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /humans/me = %s, %v", answer(got), err)
	}
	return got.JSON200.ID
}

// read requests a path that openapi.yaml does not describe.
func (r *rig) read(method, path string, headers ...string) reply {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, http.NoBody)
	if err != nil {
		r.t.Fatalf("create request: %v", err)
	}
	return r.carry(request, headers...)
}

// carry sends a request that openapi.yaml does not describe.
func (r *rig) carry(request *http.Request, headers ...string) reply {
	r.t.Helper()
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		r.t.Fatalf("%s %s: %v", request.Method, request.URL.Path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("read response: %v", err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// wire sends the bytes to the server over a separate connection and returns the first response.
// Unlike an HTTP client, it does not normalise the request.
func (r *rig) wire(request string) reply {
	r.t.Helper()
	conn, err := new(net.Dialer).DialContext(r.t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		r.t.Fatalf("connect: %v", err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		r.t.Fatalf("send %q: %v", request, err)
	}
	method, _, _ := strings.Cut(request, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method}) // responses to HEAD have no body
	if err != nil {
		r.t.Fatalf("read the response to %q: %v", request, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("read the body of the response to %q: %v", request, err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// target sends a request with exactly this target, and these header lines.
func (r *rig) target(method, target string, headers ...string) reply {
	r.t.Helper()
	lines := append([]string{method + " " + target + " HTTP/1.1", "Host: " + strings.TrimPrefix(r.url, "http://"), "Connection: close"}, headers...)
	return r.wire(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

// wantQuick requires that requests of a few concurrent clients succeed during a fault, and that nine
// of ten take at most quick.
func wantQuick(tb testing.TB, ask func() reply) {
	tb.Helper()
	const sides, each = 4, 25
	took := make([]time.Duration, sides*each)
	var group sync.WaitGroup
	for side := range sides {
		group.Go(func() {
			for i := range each {
				began := time.Now()
				if got := ask(); got.status >= http.StatusMultipleChoices {
					tb.Errorf("a request during the fault = %d %s", got.status, got.body)
				}
				took[side*each+i] = time.Since(began)
			}
		})
	}
	group.Wait()
	slices.Sort(took)
	if most := took[len(took)*9/10]; most > quick {
		tb.Errorf("the 90th percentile was %s during the fault, want at most %s", most, quick)
	}
}

// press calls ask repeatedly from n goroutines until the returned function is called.
func press(n int, ask func()) (end func()) {
	var over atomic.Bool
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			for !over.Load() {
				ask()
			}
		})
	}
	return func() { over.Store(true); group.Wait() }
}

func nines(n int) string { return strings.Repeat("9", n) }

// createTask creates a task that is not funded yet.
func (r *rig) createTask(agent *user) client.Task {
	r.t.Helper()
	deadline := market.TimeOf(time.Now().Add(30 * 24 * time.Hour))
	created, err := agent.CreateTaskWithResponse(r.t.Context(), nil, client.CreateTaskRequest{
		Title: "Photograph the harbour", Description: "Ten photos.", EscrowAmount: "1000000000000000000", Deadline: &deadline,
	})
	if err != nil || created.JSON201 == nil {
		r.t.Fatalf("create task = %s, %v", answer(created), err)
	}
	return *created.JSON201
}
