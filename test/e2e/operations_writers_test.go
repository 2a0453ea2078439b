//go:build operations

package e2e_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

const (
	// writeTimeout is how long a client waits for a response, longer than any server needs.
	writeTimeout = 20 * time.Second
	// writePause is the pause of a client after a failed request.
	writePause = 20 * time.Millisecond
)

// writers are clients that create tasks and send messages without retries until they are stopped. They
// record each write that a server acknowledged.
type writers struct {
	w     *world
	rest  time.Duration // pause of a client after an acknowledged write
	over  atomic.Bool
	group sync.WaitGroup

	mu      sync.Mutex
	written []write
	failed  map[string]int // number of requests without an acknowledgement, by status
}

// write is an acknowledged write.
type write struct {
	table string
	id    uuid.UUID
	began time.Time
	ended time.Time
}

// startWriters starts two clients for each server: the agent, which creates tasks, and the human,
// who writes messages to the agent. The clients pause for rest after each write.
func (w *world) startWriters(rest time.Duration) *writers {
	w.t.Helper()
	l := &writers{w: w, rest: rest, failed: make(map[string]int)}
	for i, r := range w.replicas {
		agent, human, title := w.keyed(r, w.agent.Key), w.signIn(r, w.net.OtherHuman), 0
		// The agent writes first, so that the human's messages are not limited like those of a stranger.
		_, err := w.agent.WriteTo(w.ctx, human.Human.Username, "Can you photograph the harbour?")
		w.must(err)
		l.repeat("tasks", func(ctx context.Context) (uuid.UUID, string, error) {
			title++
			answer, err := agent.CreateTaskWithResponse(ctx, nil, gen.CreateTaskRequest{
				Title: fmt.Sprintf("Photograph harbour %d-%d", i, title), Description: "By daylight.", EscrowAmount: chaintest.Tokens(1).String(),
			})
			if err != nil {
				return uuid.Nil, "", err
			}
			if answer.JSON201 == nil {
				return uuid.Nil, answer.Status(), nil
			}
			return answer.JSON201.ID, "", nil
		})
		l.repeat("direct_messages", func(ctx context.Context) (uuid.UUID, string, error) {
			answer, err := human.API.StartConversationWithResponse(ctx, nil, gen.StartConversationRequest{
				Username: "harbour-agent", Content: "Is the harbour still to be photographed?",
			})
			if err != nil {
				return uuid.Nil, "", err
			}
			if answer.JSON201 == nil {
				return uuid.Nil, answer.Status(), nil
			}
			return answer.JSON201.ID, "", nil
		})
	}
	return l
}

// repeat writes to the table in the background until the writers are stopped. do returns the id of
// an acknowledged write, or the status of another response.
func (l *writers) repeat(table string, do func(context.Context) (uuid.UUID, string, error)) {
	l.group.Go(func() {
		for !l.over.Load() && l.w.ctx.Err() == nil {
			began := time.Now()
			ctx, cancel := context.WithTimeout(l.w.ctx, writeTimeout)
			id, status, err := do(ctx)
			cancel()
			l.note(write{table: table, id: id, began: began, ended: time.Now()}, status, err)
			if err != nil || status != "" {
				time.Sleep(writePause)
			} else {
				time.Sleep(l.rest)
			}
		}
	})
}

func (l *writers) note(done write, status string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.failed["no response"]++
	case status != "":
		l.failed[status]++
	default:
		l.written = append(l.written, done)
	}
}

// acknowledged returns the writes that have been acknowledged so far.
func (l *writers) acknowledged() []write {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.written)
}

// failures returns the number of requests that have failed so far, by status.
func (l *writers) failures() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.failed)
}

// awaitWrite waits until a write that began after the given time is acknowledged.
func (l *writers) awaitWrite(after time.Time) error {
	for !slices.ContainsFunc(l.acknowledged(), func(done write) bool { return done.began.After(after) }) {
		select {
		case <-l.w.ctx.Done():
			return fmt.Errorf("wait for an acknowledged write: %w", l.w.ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// stop stops the writers and returns the acknowledged writes. A request may fail while the database is
// unavailable, but only without a response or with status 503.
func (l *writers) stop() []write {
	l.w.t.Helper()
	l.over.Store(true)
	l.group.Wait()
	for status, count := range l.failed {
		l.w.t.Logf("%d requests failed: %s", count, status)
		if status != "no response" && status != fmt.Sprint(http.StatusServiceUnavailable, " ", http.StatusText(http.StatusServiceUnavailable)) {
			l.w.t.Errorf("%d requests failed with %s, want only 503", count, status)
		}
	}
	return l.acknowledged()
}

// missing returns the acknowledged writes that the database does not contain.
func (w *world) missing(records *store.Store, written []write) (lost []write) {
	w.t.Helper()
	db := storetest.DB(w.t, records)
	for _, table := range []string{"tasks", "direct_messages"} {
		var ids []string
		for _, done := range written {
			if done.table == table {
				ids = append(ids, done.id.String())
			}
		}
		if len(ids) == 0 {
			w.t.Fatalf("no write to %s was acknowledged", table)
		}
		var gone []uuid.UUID
		w.must(db.SelectContext(w.ctx, &gone, `
			SELECT id FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT 1 FROM `+table+` r WHERE r.id = id.id)`, pq.Array(ids)))
		for _, done := range written {
			if slices.Contains(gone, done.id) {
				lost = append(lost, done)
			}
		}
	}
	return lost
}
