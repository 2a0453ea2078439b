//go:build operations

package e2e_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/client"
	"taskmarket/store/storetest"
	"taskmarket/test/process"
)

// restartsEach is how often each of three servers is restarted.
const restartsEach = 2

// TestOperationsRollingRestart: three servers, including the leader, are restarted in turn behind
// HAProxy with the configuration in deploy/haproxy. No request fails, each write is stored once, and
// an event stream through HAProxy yields each event once and in order.
func TestOperationsRollingRestart(t *testing.T) {
	port := freePort(t)
	origin := "http://" + address(port)
	w := newWorldOn(t, failoverTimeout, site{
		records: storetest.New(t), extra: []string{"TASKMARKET_BASE_URL=" + origin, "TASKMARKET_TRUSTED_PROXIES=127.0.0.1/32"},
	})
	defer w.end()
	w.stopDelay = rollStop
	w.newReplica()
	w.newReplica()
	w.must(w.server.stop()) // the first server was started without the stop delay
	w.must(w.server.start(w.ctx))
	root, err := process.ModuleRoot()
	w.must(err)
	proxy := &engine{
		path: "debian/usr/sbin/haproxy", args: []string{"-db", "-f", filepath.Join(root, "deploy", "haproxy", "haproxy.cfg")}, port: port,
		env: []string{"TASKMARKET_BIND=" + address(port)}, log: filepath.Join(w.dir, "haproxy.log"),
	}
	for i, r := range w.replicas {
		proxy.env = append(proxy.env, fmt.Sprintf("TASKMARKET_API%d=%s", i+1, address(r.port)))
	}
	proxy.start(t)
	time.Sleep(time.Second) // wait for HAProxy's first health checks
	end := w.followEvents(origin + "/api/v1")
	b := &balancer{w: w, client: rollingClient(), front: origin + "/api/v1"}
	b.roll(restartsEach * len(w.replicas))
	end()
}

// followEvents follows the agent's events. end fails the test unless the stream yields each later
// event of the database once and in order.
func (w *world) followEvents(api string) (end func()) {
	w.t.Helper()
	anyone, err := client.New(client.Options{BaseURL: api, RPCURL: w.net.Dev.URL(), Signer: w.agent.Wallet, Flows: client.FileFlows(w.dir + "/events")})
	w.must(err)
	defer anyone.Close()
	agent, err := anyone.WithAPIKey(w.agent.Key)
	w.must(err)
	w.t.Cleanup(agent.Close)
	after, err := agent.LastEventID(w.ctx)
	w.must(err)
	ctx, cancel := context.WithCancel(w.ctx)
	news, failed := make(chan string, 1<<20), make(chan error, 1)
	go func() {
		for event, err := range agent.Events(ctx, after) {
			if err != nil {
				failed <- err
				return
			}
			news <- event.ID
		}
		failed <- nil
	}()
	return func() {
		w.t.Helper()
		var want, got []string
		w.must(storetest.DB(w.t, w.records).SelectContext(w.ctx, &want, `
			SELECT l.epoch || '-' || e.id FROM events e, event_log l
			WHERE e.audience_id = $1 AND e.kind <> 'access' AND e.id > split_part($2, '-', 2)::bigint ORDER BY e.id`, w.agent.ID, after))
		if len(want) == 0 {
			w.t.Error("there were no events")
		}
		for len(got) < len(want) {
			select {
			case id := <-news:
				got = append(got, id)
			case err := <-failed:
				w.t.Fatalf("the stream ended: %v", err)
			case <-time.After(30 * time.Second):
				w.t.Fatalf("no event for 30 s after %d of %d", len(got), len(want))
			}
		}
		cancel()
		w.must(<-failed)
		for len(news) > 0 {
			got = append(got, <-news)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			w.t.Errorf("events (-database +stream):\n%s", diff)
		}
		w.t.Logf("%d events", len(got))
	}
}
