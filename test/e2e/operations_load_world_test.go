//go:build operations

package e2e_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"taskmarket/chain"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

const (
	loadSeed    = 20261101
	loadTasks   = 200 // funded tasks on the board
	loadAgents  = 8
	accounts    = 1_000 // humans
	streamsEach = 2     // event streams of each human
	blockTime   = 2 * time.Second
	// patience is how long a client waits for a response.
	patience = 30 * time.Second
	// readerConnections is the maximum number of connections of the clients, as with a reverse proxy.
	readerConnections = 4000
)

// loadWorld is a world with many users, funded tasks and a floor.
type loadWorld struct {
	*raceWorld
	metrics string // URL of the server's metrics listener
	streams int    // number of event streams
	agents  []*agent
	humans  []human
	funded  []funded
	free    chan slot // pairs of a human and a task without an application
	applied chan slot // pairs with an application
	floor   string    // URL of the floor
	leaving *http.Client
}

// human is a user with a session.
type human struct {
	id       uuid.UUID
	username string
	as       signature
}

// funded is a task with the transaction that funded it.
type funded struct {
	ID uuid.UUID `db:"id"`
	TX string    `db:"tx"`
}

// slot is a pair of a human and a task, for at most one live application.
type slot struct {
	human       human
	task        uuid.UUID
	application uuid.UUID
}

// newLoadWorld starts a server with the default intervals on a durable database, with the users, the
// tasks and the floor.
func newLoadWorld(tb testing.TB, longest time.Duration, streams int) *loadWorld {
	tb.Helper()
	cluster, port := startCluster(tb, openDir(tb)), freePort(tb)
	createMigrated(tb, cluster)
	w := newWorldOn(tb, longest, site{
		records: storetest.Open(tb, cluster.URL(databaseName)), database: cluster.URL(databaseName),
		extra: []string{
			"TASKMARKET_METRICS_LISTEN=" + address(port), "TASKMARKET_POLL_INTERVAL=1s", "TASKMARKET_AUDIT_INTERVAL=10s",
			"TASKMARKET_TRUSTED_PROXIES=127.0.0.0/8", // the streams come from several networks; see open
		},
	})
	l := &loadWorld{metrics: "http://" + address(port), streams: streams, raceWorld: &raceWorld{
		world: w, rounds: loadTasks, operations: operations(tb), sessions: make(map[*chain.KeySigner]signature),
		browser: newBrowser(readerConnections),
	}, leaving: newBrowser(0)}
	l.prepareChain()
	l.jobs(posted)
	l.must(storetest.DB(tb, w.records).SelectContext(w.ctx, &l.funded, `
		SELECT t.id, '0x' || encode(e.posted_tx, 'hex') AS tx
		FROM tasks t JOIN onchain_tasks e ON (e.chain_id, e.escrow, e.id) = (t.chain_id, t.escrow, t.escrow_task_id)`))
	l.addUsers()
	l.startFloor(cluster.URL(databaseName))
	tb.Logf("profiles of the server: %s/debug/pprof/", l.metrics)
	return l
}

// renewQuotas deletes withdrawn applications repeatedly until stop is called. Otherwise the humans would reach
// the limit of applications for one task (market.MaxUnstaked).
func (l *loadWorld) renewQuotas() (stop func()) {
	ctx, cancel := context.WithCancel(l.ctx)
	db, done := storetest.DB(l.t, l.records), make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_, err := db.ExecContext(ctx, `DELETE FROM applications WHERE status = 'withdrawn'`)
			if err != nil && ctx.Err() == nil {
				l.t.Logf("delete withdrawn applications: %v", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// newBrowser returns a client with at most the given number of connections; 0 means no limit.
func newBrowser(connections int) *http.Client {
	return &http.Client{Timeout: patience, Transport: &http.Transport{
		MaxConnsPerHost: connections, MaxIdleConnsPerHost: readerConnections, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10,
		IdleConnTimeout: patience, // shorter than the server's, so that no request is sent on a closing connection
	}}
}

// addUsers registers the agents, signs the humans in, and creates a slot for an application of each
// human.
func (l *loadWorld) addUsers() {
	l.t.Helper()
	l.agents = []*agent{l.agent}
	for i := 1; i < loadAgents; i++ {
		l.agents = append(l.agents, l.newAgent(loadWallet(l.t, "agent", i), "load-agent-"+strconv.Itoa(i)))
	}
	l.humans, l.free, l.applied = make([]human, accounts), make(chan slot, accounts), make(chan slot, accounts)
	l.each(accounts, func(i int) error {
		person, err := actor.SignIn(l.ctx, l.server.api(), nil, l.net.Node, loadWallet(l.t, "human", i))
		if err != nil {
			return err
		}
		l.humans[i] = human{person.Human.ID, person.Human.Username, l.signedIn(map[*replica]*actor.Person{l.server: person})}
		l.free <- slot{human: l.humans[i], task: l.funded[i%len(l.funded)].ID}
		return nil
	})
	// With existing conversations, the agents' messages are not limited like those of strangers.
	for _, a := range l.agents {
		storetest.DB(l.t, l.records).MustExecContext(l.ctx, `
			INSERT INTO conversations (id, agent_id, human_id) SELECT gen_random_uuid(), $1, id FROM humans ON CONFLICT DO NOTHING`, a.ID)
	}
	// The server gives at most half of its streams to users without a linked account.
	storetest.DB(l.t, l.records).MustExecContext(l.ctx, `
		UPDATE users
		SET verified_at = now(), social_posted_at = now(), social_network = 'mastodon.social', social_handle = username, social_account_id = id::text, social_post_id = id::text
		WHERE kind = 'human' AND verified_at IS NULL`)
}

// loadWallet returns the same wallet for the same arguments.
func loadWallet(tb testing.TB, kind string, number int) *chain.KeySigner {
	tb.Helper()
	digest := sha256.Sum256(fmt.Appendf(nil, "%s %d", kind, number))
	key, err := crypto.ToECDSA(digest[:])
	if err != nil {
		tb.Fatal(err)
	}
	return chain.NewKeySigner(key)
}

// mine mines blocks at a constant interval until stop is called.
func (l *loadWorld) mine() (stop func()) {
	ctx, cancel := context.WithCancel(l.ctx)
	failed := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if err := l.net.Dev.Mine(ctx, 1); err != nil && ctx.Err() == nil {
				failed <- err
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(blockTime):
			}
		}
		failed <- nil
	}()
	return func() {
		cancel()
		l.must(<-failed)
	}
}
