package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/store/storetest"
)

const (
	rolls        = 4 // number of server restarts under load
	rollStop     = 3 * time.Second
	healthPeriod = 50 * time.Millisecond // interval of the load balancer's health checks
	workers      = 8
)

// balancer sends requests to the servers that report that they are healthy, like a load balancer.
type balancer struct {
	w      *world
	client *http.Client
	ready  []atomic.Pointer[time.Time] // start of each replica's last health check, by index; nil if it failed
	turn   atomic.Uint64
	front  string // the API's URL on a real load balancer, which then receives all requests
}

// newBalancer returns a balancer that polls the replicas' health until ctx ends.
func (w *world) newBalancer(ctx context.Context) *balancer {
	b := &balancer{w: w, ready: make([]atomic.Pointer[time.Time], len(w.replicas)), client: rollingClient()}
	for i, r := range w.replicas {
		b.ready[i].Store(new(time.Now()))
		go func() {
			for ctx.Err() == nil {
				began := new(time.Now())
				asking, cancel := context.WithTimeout(ctx, time.Second)
				status, _, err := b.do(asking, http.MethodGet, r.api()+"/health", "")
				cancel()
				if err != nil || status != http.StatusOK {
					began = nil
				}
				b.ready[i].Store(began)
				time.Sleep(healthPeriod)
			}
		}()
	}
	return b
}

func rollingClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, DialContext: new(net.Dialer).DialContext}}
}

// pick returns the API's URL on the server for the next request. A server that was recently healthy serves for
// at least half of its stop delay, which is enough for the request to reach it from a slow machine.
func (b *balancer) pick() string {
	for b.front == "" {
		for range b.ready {
			i := int(b.turn.Add(1)) % len(b.ready)
			if began := b.ready[i].Load(); began != nil && time.Since(*began) < rollStop/2 {
				return b.w.replicas[i].api()
			}
		}
		time.Sleep(time.Millisecond)
	}
	return b.front
}

func (b *balancer) do(ctx context.Context, method, url, body string) (status int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, nil, err
	}
	request.GetBody = nil // disables automatic retries
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if b.w.agent != nil {
		request.Header.Set("X-API-Key", b.w.agent.Key)
	}
	response, err := b.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// createUntil creates tasks and reads them until over is set, and returns their titles.
func (b *balancer) createUntil(over *atomic.Bool, worker int) (titles []string) {
	for i := 0; !over.Load(); i++ {
		title := fmt.Sprintf("Photograph harbour %d-%d", worker, i)
		status, answer, err := b.do(b.w.ctx, http.MethodPost, b.pick()+"/tasks/",
			`{"title":`+strconv.Quote(title)+`,"description":"By daylight.","escrow_amount":"`+chaintest.Tokens(1).String()+`"}`)
		var made struct{ ID string }
		if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &made) != nil {
			b.w.t.Errorf("create a task = %d %s, %v", status, answer, err)
			return titles
		}
		titles = append(titles, title)
		if status, answer, err := b.do(b.w.ctx, http.MethodGet, b.pick()+"/tasks/"+made.ID+"/", ""); err != nil || status != http.StatusOK {
			b.w.t.Errorf("read the task = %d %s, %v", status, answer, err)
			return titles
		}
	}
	return titles
}

// TestRollingStop: each server in turn receives two stop signals and is restarted while
// requests continue. Every request gets a response, and each successful write is stored once.
func TestRollingStop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	w.stopDelay = rollStop
	w.newReplica()
	w.must(w.server.stop()) // the first server was started without the stop delay, so it stops at once
	w.must(w.server.start(w.ctx))
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	w.newBalancer(ctx).roll(rolls)
}

// roll restarts the servers in turn while requests continue. Each request must succeed, and each
// write must be stored once.
func (b *balancer) roll(restarts int) {
	w := b.w
	w.t.Helper()
	var over atomic.Bool
	var group sync.WaitGroup
	titles := make([][]string, workers)
	for i := range titles {
		group.Go(func() { titles[i] = b.createUntil(&over, i) })
	}
	for i := range restarts {
		r := w.replicas[i%len(w.replicas)]
		w.must(r.proc.Signal(syscall.SIGTERM))
		time.Sleep(rollStop / 4)
		w.must(r.stop()) // a second signal does not shorten the delay, and the exit code is 0
		w.must(r.start(w.ctx))
		time.Sleep(4 * healthPeriod) // wait until the restarted server receives requests again
	}
	over.Store(true)
	group.Wait()
	answered := slices.Sorted(slices.Values(slices.Concat(titles...)))
	var kept []string
	w.must(storetest.DB(w.t, w.records).SelectContext(w.ctx, &kept, `SELECT title FROM tasks WHERE title LIKE 'Photograph harbour %'`))
	slices.Sort(kept)
	if !slices.Equal(answered, kept) {
		w.t.Errorf("%d tasks were created, %d are stored", len(answered), len(kept))
	}
	w.t.Logf("%d tasks were made and read while servers were stopped %d times", len(kept), restarts)
}
