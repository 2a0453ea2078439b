package pg_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// dropConnections terminates all other connections to the database.
const dropConnections = `
	SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE datname = current_database() AND pid <> pg_backend_pid()`

// If connections break during requests, each request either succeeds or fails as unavailable.
// Committed writes are durable, and the store recovers within the recovery time.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	direct := storetest.New(t)
	db := storetest.DB(t, direct)
	task := storetest.Task(t, direct, storetest.Agent(t, direct)).ID
	for name, fault := range map[string]func(*gate.Gate){
		"cut":        func(g *gate.Gate) { g.Cut() },
		"shut":       func(g *gate.Gate) { g.Shut(); time.Sleep(20 * time.Millisecond); g.Open() },
		"terminated": func(*gate.Gate) { db.MustExecContext(t.Context(), dropConnections) },
	} {
		t.Run(name, func(t *testing.T) {
			s, g := storetest.BehindGate(t, direct)
			taken, broken := underFire(t, s, task, name, func() { fault(g) })
			if broken == 0 && name != "terminated" { // the pool detects a closed connection before it sends a query, and retries
				t.Error("no request failed")
			}
			var kept int64
			if err := db.GetContext(t.Context(), &kept, `SELECT extract(epoch FROM tat - $2)::bigint FROM rate_limits WHERE key = $1`, name, storetest.Genesis); err != nil {
				t.Fatal(err)
			}
			if kept < taken {
				t.Errorf("%d writes are stored, but %d succeeded", kept, taken)
			}
			t.Logf("%d writes succeeded, %d are stored, %d failed", taken, kept, broken)
		})
	}
}

// underFire reads and writes concurrently during repeated faults and returns the numbers of
// successful and failed writes.
func underFire(t *testing.T, s *store.Store, task uuid.UUID, bucket string, fault func()) (answered, refused int64) {
	t.Helper()
	const faults, callers = 20, 8
	var over atomic.Bool
	var taken, broken atomic.Int64
	var calling sync.WaitGroup
	for range callers {
		calling.Go(func() {
			for !over.Load() {
				got, err := s.Task(t.Context(), task)
				if err == nil && got.ID != task || err != nil && market.KindOf(err) != market.KindUnavailable {
					t.Errorf("Task() = %s, %v, want the task or kind %q", got.ID, err, market.KindUnavailable)
				}
				token, err := s.Take(t.Context(), bucket, time.Second, 1_000_000, storetest.Genesis)
				switch {
				case err == nil && token.Allowed:
					taken.Add(1)
				case market.KindOf(err) == market.KindUnavailable:
					broken.Add(1)
				default:
					t.Errorf("Take() = %+v, %v, want kind %q", token, err, market.KindUnavailable)
				}
			}
		})
	}
	for range faults {
		fault()
		awaitPing(t, s)
	}
	over.Store(true)
	calling.Wait()
	return taken.Load(), broken.Load()
}

// awaitPing fails the test unless the database responds again within the recovery time.
func awaitPing(t *testing.T, s *store.Store) {
	t.Helper()
	end := time.Now().Add(storetest.Recovery)
	for err := s.Ping(t.Context()); err != nil; err = s.Ping(t.Context()) {
		if time.Now().After(end) {
			t.Fatalf("after %s: Ping() = %v", storetest.Recovery, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A read-only database, such as a former primary, causes errors of the kind unavailable.
func TestReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	db := storetest.DB(t, s)
	var name string
	if err := db.GetContext(t.Context(), &name, `SELECT current_database()`); err != nil {
		t.Fatal(err)
	}
	db.MustExecContext(t.Context(), `ALTER DATABASE `+name+` SET default_transaction_read_only = on`)
	db.MustExecContext(t.Context(), dropConnections)
	storetest.WantKind(t, "Ping()", s.Ping(t.Context()), market.KindUnavailable)
	_, err := s.Take(t.Context(), "k", time.Second, 1, storetest.Genesis)
	storetest.WantKind(t, "Take()", err, market.KindUnavailable)
	if _, err := store.Open(t.Context(), storetest.URL(t, s), storetest.Deployment()); market.KindOf(err) != market.KindUnavailable {
		t.Errorf("Open() = %v, want kind %q", err, market.KindUnavailable)
	}
	db.MustExecContext(t.Context(), `BEGIN; SET TRANSACTION READ WRITE; ALTER DATABASE `+name+` RESET default_transaction_read_only; COMMIT`)
	db.MustExecContext(t.Context(), dropConnections)
	awaitPing(t, s)
}
