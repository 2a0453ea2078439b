package e2e_test

import (
	"cmp"
	"context"
	"net/http/httptest"
	"taskmarket/chain"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/server/socialdev"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

// testTimeout limits the time of a test, so that none hangs.
const testTimeout = 3 * time.Minute

// world is the marketplace of one test: a chain, a database, a social network and a server, with a
// verified agent. Simulated users are signed in when they are first used.
type world struct {
	t          testing.TB
	ctx        context.Context
	dir        string
	net        *chaintest.Net
	records    *store.Store // direct access to the servers' database
	database   string       // URL of the database
	extra      []string     // further variables of the servers, as NAME=value
	rpcURL     string       // of the servers' node; the chain's if empty
	social     *socialdev.Network
	socialHost string
	replicas   []*replica
	server     *replica      // the first replica
	stopDelay  time.Duration // stop delay of servers that are started later

	agent  *agent
	people map[*chain.KeySigner]*actor.Person
}

// newWorld starts a world, on a chain with the options o. The test must defer end.
func newWorld(tb testing.TB, o ...devnet.Options) *world {
	tb.Helper()
	return newWorldFor(tb, testTimeout, o...)
}

// newWorldFor starts a world for a test with this time limit.
func newWorldFor(tb testing.TB, longest time.Duration, o ...devnet.Options) *world {
	tb.Helper()
	return newWorldOn(tb, longest, site{records: storetest.New(tb)}, o...)
}

// site is what the servers of a world use in addition to the chain.
type site struct {
	records  *store.Store // direct access to the servers' database
	database string       // URL of the database; that of records if empty
	extra    []string     // further variables of the servers, as NAME=value
}

// newWorldOn starts a world whose servers use the site.
func newWorldOn(tb testing.TB, longest time.Duration, on site, o ...devnet.Options) *world {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), longest)
	tb.Cleanup(cancel)
	w := &world{t: tb, ctx: ctx, dir: tb.TempDir(), net: chaintest.New(tb, o...), people: make(map[*chain.KeySigner]*actor.Person)}
	w.records, w.extra = on.records, on.extra
	w.database = cmp.Or(on.database, storetest.URL(tb, on.records))
	w.startSocial()
	tb.Cleanup(w.stopAll) // only needed after a failure; otherwise end has stopped them
	w.server = w.newReplica()
	w.agent = w.newAgent(w.net.Agent, "harbour-agent")
	return w
}

func (w *world) startSocial() {
	network := httptest.NewUnstartedServer(nil)
	w.socialHost = network.Listener.Addr().String()
	w.social = socialdev.New("http://" + w.socialHost)
	network.Config.Handler = w.social.Handler()
	network.Start()
	w.t.Cleanup(network.Close)
}

func (w *world) stopAll() {
	for _, r := range w.replicas {
		if err := r.proc.Stop(); err != nil {
			w.t.Errorf("stop the server: %v", err)
		}
	}
}

// end checks the world after the test: the servers stop without an error, none logged an error,
// and a replay of the chain produces the same rows. Defer it: the test's context must still be
// valid.
func (w *world) end() {
	w.t.Helper()
	if !w.t.Failed() {
		w.settle()
	}
	for _, r := range w.replicas {
		if err := r.stop(); err != nil {
			w.t.Errorf("stop the server: %v", err)
		}
		for _, line := range r.complaints(w.t) {
			w.t.Errorf("the server logged an error: %s", line)
		}
		if w.t.Failed() {
			w.t.Logf("end of the server's log: %s", r.proc.LogTail())
		}
	}
	if !w.t.Failed() {
		w.wantReplay()
	}
}

// person returns the user with this wallet, signed in.
func (w *world) person(wallet *chain.KeySigner) *actor.Person {
	w.t.Helper()
	if w.people[wallet] == nil {
		w.people[wallet] = w.signIn(w.server, wallet)
	}
	return w.people[wallet]
}

func (w *world) signIn(r *replica, wallet *chain.KeySigner) *actor.Person {
	w.t.Helper()
	p, err := actor.SignIn(w.ctx, r.api(), nil, w.net.Node, wallet)
	w.must(err)
	return p
}

func (w *world) human() *actor.Person { return w.person(w.net.Human) }

// settle waits until the database has followed the chain up to its head.
func (w *world) settle() {
	w.t.Helper()
	db := storetest.DB(w.t, w.records)
	want := w.net.Head(w.t).Hash
	for {
		var hash []byte
		w.must(db.GetContext(w.ctx, &hash, `SELECT hash FROM chain_head`))
		if string(hash) == string(want[:]) {
			return
		}
		w.pause("wait for the watcher to follow the head")
	}
}

// pause waits a moment. It fails if the test's time limit is over.
func (w *world) pause(what string) {
	w.t.Helper()
	select {
	case <-w.ctx.Done():
		w.t.Fatalf("%s: %v", what, w.ctx.Err())
	case <-time.After(15 * time.Millisecond):
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}
