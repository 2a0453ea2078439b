package server_test

import (
	"context"
	"crypto/ecdsa"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
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
	rpc     *httptest.Server // proxy between the service and the chain
	watcher *follow.Watcher
	host    string // host of the social network
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
	tb.Cleanup(r.tellFailures)
	r.records = storetest.New(tb)
	r.store = openStore(tb, storetest.URL(tb, r.records), r.net.Deployment)
	r.watcher = r.watch()
	target, err := url.Parse(r.net.Dev.URL())
	if err != nil {
		tb.Fatalf("parse URL: %v", err)
	}
	r.rpc = httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
	tb.Cleanup(r.rpc.Close)
	listener := httptest.NewUnstartedServer(nil)
	r.url = "http://" + listener.Listener.Addr().String()
	network := httptest.NewUnstartedServer(nil)
	r.social = socialdev.New("http://" + network.Listener.Addr().String())
	network.Config.Handler = r.social.Handler()
	network.Start()
	tb.Cleanup(network.Close)

	r.host = network.Listener.Addr().String()
	o := r.options(r.host)
	o.Wake = r.watcher.Wake
	generous(&o)
	for _, change := range options {
		change(&o)
	}
	handler, err := server.New(o)
	if err != nil {
		tb.Fatalf("New() error = %v", err)
	}
	listener.Config.Handler = handler
	listener.Start()
	tb.Cleanup(listener.Close)
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
	node := chaintest.Dial(r.t, r.rpc.URL)
	reader := chain.NewReader(node, r.net.Contracts)
	return server.Options{
		Store: r.store, Calls: r.net.Contracts, Reader: reader, Head: r.monitor(reader, 20*time.Millisecond), Verifier: chain.NewVerifier(node),
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
	watcher := follow.NewWatcher(r.net.Node, r.store, r.net.Contracts, follow.WatcherOptions{Poll: 20 * time.Millisecond}, slog.New(slog.NewTextHandler(r.t.Output(), nil)))
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
		cursor, err := r.store.Head(r.t.Context())
		if err != nil {
			r.t.Fatalf("Head() error = %v", err)
		}
		if cursor.Block.Hash == want.Hash {
			return
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
