package simulation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"taskmarket/chain"
	auditor "taskmarket/chain/audit"
	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/test/invariant"
	"taskmarket/test/simulation/evm"
)

// baseURL is the public URL of the service.
const baseURL = "http://market.test"

// noTimeout is a time limit that no request to a node reaches. The faults of providers
// decide which requests fail, and requests of a paused process must not expire.
const noTimeout = 365 * 24 * time.Hour

// instance is a server process with its own connections: watcher, keeper, auditor, and in the first
// instance the API. When it is killed, another one takes its place.
type instance struct {
	world   *world
	number  int
	files   *blob.Bucket
	node    *rpc.Node
	store   *store.Store
	watcher *follow.Watcher
	keeper  *keeper.Keeper
	auditor *auditor.Auditor
	api     http.Handler // created by the first request, because creating it is slow
	cancel  context.CancelFunc
	ctx     context.Context

	// Set while a step is paused.
	stalled *stall
	role    role
	epoch   int64 // of the lease that the instance had when it was paused; 0 if it had none
	done    chan struct{}
}

// name identifies the server in leases.
func (s *instance) name() string { return fmt.Sprint("server ", s.number) }

// open opens a store whose COMMITs may be lost.
func (w *world) open(c *commits) (*store.Store, error) {
	return store.New(w.database, w.deployment, store.WithConnections(6), store.WithOpen(w.sessions.open(c)))
}

// startServer starts a process. It has no state of the process that it replaces.
func (w *world) startServer(number int) error {
	s := &instance{world: w, number: number, files: memblob.OpenBucket(nil)}
	s.ctx, s.cancel = context.WithCancel(w.ctx)
	w.servers[number] = s
	var err error
	if s.store, err = w.open(&w.commits[number]); err != nil {
		return err
	}
	urls := []string{"http://first.test", "http://second.test"}
	s.node, err = rpc.NewNode(urls[:len(urls)-w.bug.ignored], evm.ChainID, rpc.NodeOptions{
		CallTimeout: noTimeout, Transport: func(host string, _ http.RoundTripper) http.RoundTripper {
			if strings.HasPrefix(host, "first") {
				return w.providers[0]
			}
			return w.providers[1]
		},
	})
	if err != nil {
		return err
	}
	s.watcher = follow.NewWatcher(s.node, w.bug.journalOf(s.store.Journal), w.contracts, follow.WatcherOptions{
		Holder: s.name(), Range: 1, Reorged: w.countReorg,
	}, quiet)
	s.keeper = keeper.New(s.node, w.keeper, w.contracts, w.bug.outboxOf(s.store.Outbox), keeper.Options{Holder: s.name()}, quiet)
	s.auditor = auditor.New(s.node, s.store.Journal, w.deployment, s.watcher.Leads, auditor.Options{}, quiet)
	return nil
}

func (s *instance) startAPI() error {
	w, reader := s.world, chain.NewReader(s.node, s.world.contracts)
	var err error
	s.api, err = server.New(server.Options{
		Store: s.store, Calls: w.contracts, Reader: reader, Verifier: chain.NewVerifier(s.node), Files: s.files,
		Head:     func() (market.Block, error) { return blockOf(w.chain.Head()), nil },
		Sessions: gate.SessionKeys{Current: "k", Keys: map[string][]byte{"k": []byte(strings.Repeat("k", 32))}},
		Limits:   map[string]gate.Limit{"*": {Count: 1_000_000, Period: time.Minute, Burst: 1_000_000}},
		Wake:     func() { _ = s.watch(3) }, // a confirmation waits for the watcher, which has no goroutine of its own
		BaseURL:  baseURL, Version: "simulation", Log: quiet,
	})
	return err
}

// kill ends the process without any clean-up.
func (s *instance) kill() error {
	s.cancel()
	var failed error
	if s.stalled != nil {
		s.stalled.killed = true
		failed = s.resume()
	}
	if s.store != nil {
		_ = s.store.Close()
	}
	if s.node != nil {
		s.node.Close()
	}
	_ = s.files.Close()
	return failed
}

// serve answers a request to the API.
func (s *instance) serve(r *http.Request) (*http.Response, error) {
	served := s.connect(r.Context()) == nil && slices.ContainsFunc(s.world.providers, (*provider).isHonest)
	if s.api == nil {
		if err := s.startAPI(); err != nil { //nolint:contextcheck // it only creates the handler
			return nil, err
		}
	}
	r.RemoteAddr, r.RequestURI = "192.0.2.1:1", r.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	s.api.ServeHTTP(recorder, r)
	newMoney := strings.HasSuffix(r.URL.Path, "/tasks/") || strings.HasSuffix(r.URL.Path, "/applications")
	if !newMoney && strings.Contains(recorder.Body.String(), `"account_restricted"`) {
		s.world.violation = invariant.Violated(invariant.End, "%s %s by a suspended user = %s", r.Method, r.URL.Path, recorder.Body)
	}
	if served && strings.Contains(recorder.Body.String(), "Ethereum node could process the request") {
		s.world.violation = invariant.Violated(invariant.Failover, "%s %s = %s", r.Method, r.URL.Path, recorder.Body)
	}
	response := recorder.Result()
	response.Request = r
	return response, nil
}

// connect connects to the chain. It can fail until a provider responds.
func (s *instance) connect(ctx context.Context) error { return s.node.Connect(ctx) }

// watch runs at most the given number of steps of the watcher. It stops at the head, at an error, or if
// another watcher leads. Errors are retried by later calls.
func (s *instance) watch(most int) error {
	if s.stalled != nil {
		return nil
	}
	return s.watchUnder(s.ctx, most)
}

func (s *instance) watchUnder(ctx context.Context, most int) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	for range most {
		outcome, err := s.watcher.Step(ctx)
		if err != nil || outcome.Progress == follow.CaughtUp || outcome.Progress == follow.Standby {
			return err
		}
	}
	return nil
}

// keep runs a step of the keeper.
func (s *instance) keep() error {
	if s.stalled != nil {
		return nil
	}
	return s.keepUnder(s.ctx)
}

func (s *instance) keepUnder(ctx context.Context) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	return s.keeper.Step(ctx)
}

// audit runs a round of the auditor if this instance's watcher leads.
func (s *instance) audit() error {
	if _, leads := s.watcher.Leads(); !leads || s.stalled != nil {
		return nil
	}
	err := s.auditor.Round(s.ctx)
	if err == nil {
		s.world.count(auditRound)
	}
	return err
}

// pause starts a step that stops after the given number of requests to a node, before the next one. If
// the step makes no further request, it ends normally.
func (s *instance) pause(after int, step func(context.Context) error) {
	stalled, done := newStall(after), make(chan struct{})
	ctx := context.WithValue(s.ctx, stallKey{}, stalled)
	go func() {
		defer close(done)
		stalled.failed = step(ctx) // errors are retried
	}()
	select {
	case <-stalled.reached:
		s.stalled, s.done = stalled, done
	case <-done:
	}
}

// pauseAt pauses a step in the role, unless a step is paused already.
func (s *instance) pauseAt(after int, r role) error {
	if s.stalled != nil {
		return nil
	}
	step := s.keepUnder
	if r == watching {
		step = func(ctx context.Context) error { return s.watchUnder(ctx, 1) }
	}
	s.pause(after, step)
	if s.stalled == nil {
		return nil
	}
	s.role, s.epoch = r, 0
	held, err := s.world.lease(r)
	if held.leader == s {
		s.epoch = held.epoch
		s.world.count(pausedLeader(r))
	}
	return err
}

// resume continues a paused step and waits for its end.
func (s *instance) resume() error {
	if s.stalled == nil {
		return nil
	}
	held, err := s.world.lease(s.role)
	close(s.stalled.resume)
	<-s.done
	switch {
	case s.stalled.killed && s.stalled.failed != nil:
		s.world.count(killedInStep)
	case !s.stalled.killed && s.epoch > 0 && held.leader != nil && held.epoch > s.epoch:
		s.world.count(deposed(s.role))
	}
	s.stalled = nil
	return err
}

// role is work that only one server does at a time.
type role string

// The roles.
const (
	watching role = "watcher"
	keeping  role = "keeper"
)

func roles() []role { return []role{watching, keeping} }

// lease is the lease for a role.
type lease struct {
	leader *instance // nil if the lease has ended
	epoch  int64
}

// lease returns the lease for the role.
func (w *world) lease(r role) (lease, error) {
	table := "chain_head"
	if r == keeping {
		table = "keeper_lease"
	}
	var rows []struct {
		Holder string
		Epoch  int64
	}
	err := w.db.SelectContext(w.ctx, &rows, `SELECT holder, epoch FROM `+table+` WHERE lease_until > clock_timestamp()`)
	if err != nil || len(rows) == 0 {
		return lease{}, err
	}
	for _, s := range w.servers {
		if name, _, _ := strings.Cut(rows[0].Holder, "/"); name == s.name() {
			return lease{leader: s, epoch: rows[0].Epoch}, nil
		}
	}
	return lease{}, fmt.Errorf("unknown holder %s of the lease", rows[0].Holder)
}
