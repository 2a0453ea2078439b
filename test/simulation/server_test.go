package simulation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"taskmarket/chain"
	"taskmarket/chain/keeper"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/test/simulation/evm"
)

// baseURL is the public URL of the service.
const baseURL = "http://market.test"

// noTimeout is the time limit of requests to a node. The faults of providers decide which requests
// fail, and a paused process must not find them expired.
const noTimeout = 365 * 24 * time.Hour

// instance is a server process with its own connections: watcher, keeper, and in the first one the
// API. Another one takes its place when it is killed.
type instance struct {
	world   *world
	number  int
	files   *blob.Bucket
	node    *chain.Node
	store   *store.Store
	watcher *chain.Watcher
	keeper  *keeper.Keeper
	api     http.Handler // created by the first request, because creating it is slow
	cancel  context.CancelFunc
	ctx     context.Context

	stalled *stall // set while a step is paused
	done    chan struct{}
}

// open opens a store. cut returns what happens to its next COMMIT.
func (w *world) open(cut func() cutting) (*store.Store, error) {
	return store.New(w.database, w.deployment, store.WithConnections(6), store.WithOpen(w.sessions.open(cut)))
}

// startServer starts a process without the memory of the one before it.
func (w *world) startServer(number int) error {
	s := &instance{world: w, number: number, files: memblob.OpenBucket(nil)}
	s.ctx, s.cancel = context.WithCancel(w.ctx)
	w.servers[number] = s
	var err error
	if s.store, err = w.open(func() cutting {
		defer func() { w.cuts[number] = uncut }()
		return w.cuts[number]
	}); err != nil {
		return err
	}
	s.node, err = chain.NewNode([]string{"http://first.test", "http://second.test"}, evm.ChainID, chain.NodeOptions{
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
	holder := fmt.Sprint("server ", number)
	s.watcher = chain.NewWatcher(s.node, w.bug.journalOf(s.store), w.contracts, chain.WatcherOptions{
		Holder: holder, Range: 1, Reorged: func(uint64) { w.seen["followed reorg"]++ },
	}, quiet)
	s.keeper = keeper.New(s.node, w.keeper, w.contracts, w.bug.outboxOf(s.store), keeper.Options{Holder: holder}, quiet)
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
		Wake:     func() { _ = s.watch(3) }, // a confirmation waits for the watcher, which has no goroutine
		BaseURL:  baseURL, Version: "simulation", Log: quiet,
	})
	return err
}

// kill ends the process without any clean-up.
func (s *instance) kill() {
	s.cancel()
	if s.stalled != nil {
		s.stalled.killed = true
		s.resume()
	}
	if s.store != nil {
		_ = s.store.Close()
	}
	if s.node != nil {
		s.node.Close()
	}
	_ = s.files.Close()
}

// serve answers a request to the API.
func (s *instance) serve(r *http.Request) (*http.Response, error) {
	_ = s.connect(r.Context())
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
	response := recorder.Result()
	response.Request = r
	return response, nil
}

// connect connects to the chain, which can fail until a provider answers.
func (s *instance) connect(ctx context.Context) error { return s.node.Connect(ctx) }

// watch takes up to most steps of the watcher. It stops at the head, at an error, or if another
// watcher leads. Errors are retried by later calls.
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
		if err != nil || outcome.Progress == chain.CaughtUp || outcome.Progress == chain.Standby {
			return err
		}
	}
	return nil
}

// keep takes a step of the keeper.
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

// pause starts a step that stops before its request to a node with the given number. If the step
// makes fewer requests, it ends normally.
func (s *instance) pause(after int, step func(context.Context) error) {
	if s.stalled != nil {
		return
	}
	stalled, done := newStall(after), make(chan struct{})
	ctx := context.WithValue(s.ctx, stallKey{}, stalled)
	go func() {
		defer close(done)
		_ = step(ctx) // errors are retried
	}()
	select {
	case <-stalled.reached:
		s.stalled, s.done = stalled, done
		s.world.seen["paused step"]++
	case <-done:
	}
}

// pauseAt pauses a step of the keeper or of the watcher.
func (s *instance) pauseAt(after int, keeper bool) {
	step := s.keepUnder
	if !keeper {
		step = func(ctx context.Context) error { return s.watchUnder(ctx, 1) }
	}
	s.pause(after, step)
}

// resume continues a paused step and waits for its end.
func (s *instance) resume() {
	if s.stalled == nil {
		return
	}
	close(s.stalled.resume)
	<-s.done
	s.stalled = nil
}
