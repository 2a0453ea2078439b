package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// age moves all events, with their partition, two months into the past.
func age(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Execute(t, s, `DO $$
		DECLARE
			former text := event_partition(now());
			aged text := event_partition(month_start(now(), -2));
		BEGIN
			EXECUTE format('UPDATE %I SET created_at = created_at - make_interval(days => 62)', former);
			EXECUTE format('ALTER TABLE events DETACH PARTITION %I', former);
			EXECUTE format('ALTER TABLE %I RENAME TO %I', former, aged);
			EXECUTE format('ALTER INDEX %I RENAME TO %I', former || '_pkey', aged || '_pkey');
			EXECUTE format('ALTER INDEX %I RENAME TO %I', former || '_audience_id_id_idx', aged || '_audience_id_id_idx');
			EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', aged, month_start(now(), -1));
		END $$`)
}

// Sweep drops a month whose events are older than the retention period. The partitions of this and
// the next month exist afterwards. A transaction creates a missing partition.
func TestSweepEventPartitions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	addActivity(t, s, agent, market.ActivityTask, 1)
	age(t, s)
	addActivity(t, s, agent, market.ActivityTask, 2)
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var partitions []string
	err := storetest.DB(t, s).Select(&partitions, `
		SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	want := []string{month.Format("events_2006_01"), month.AddDate(0, 1, 0).Format("events_2006_01")}
	if diff := cmp.Diff(want, partitions); diff != "" {
		t.Errorf("partitions after Sweep() (-want +got):\n%s", diff)
	}
}

// readOldEvents returns a store with a month that Sweep can drop, and a transaction that reads it.
func readOldEvents(t *testing.T) (*store.Store, *sqlx.Tx) {
	t.Helper()
	s := storetest.New(t)
	addActivity(t, s, storetest.Agent(t, s), market.ActivityTask, 1)
	age(t, s)
	tx := storetest.DB(t, s).MustBegin()
	t.Cleanup(func() { _ = tx.Rollback() })
	tx.MustExec(`SELECT count(*) FROM events`)
	return s, tx
}

// If several servers sweep at the same time, only one of them drops a month. All of them first wait
// for the transaction that reads it.
func TestConcurrentSweepsDropAMonthOnce(t *testing.T) {
	t.Parallel()
	s, tx := readOldEvents(t)
	errs := make(chan error)
	const servers = 4
	for range servers {
		go func() { errs <- s.Sweep(t.Context()) }()
	}
	var first time.Time // when a sweep was first seen waiting
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var waiting int
		if err := tx.Get(&waiting, `SELECT count(*) FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted`); err != nil {
			t.Fatal(err)
		}
		if waiting > 0 && first.IsZero() {
			first = time.Now()
		}
		// A sweep waits for the lock for at most two seconds.
		if waiting == servers || !first.IsZero() && time.Since(first) > 300*time.Millisecond {
			break
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range servers {
		if err := <-errs; err != nil {
			t.Errorf("Sweep() = %v", err)
		}
	}
}

// If a month has no partition, concurrent transactions create it once, and none of them fails.
func TestConcurrentWritersCreateAPartitionOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	age(t, s)
	db := storetest.DB(t, s)
	errs := make(chan error)
	const writers = 8
	for i := range writers {
		go func() {
			_, err := db.Exec(addItem, uuid.New(), agent.ID, i)
			errs <- err
		}()
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Errorf("write = %v", err)
		}
	}
}

// If the clock is months behind the clock at the migration, no new partition is needed, because the first
// one contains all earlier times.
func TestEventsBeforeTheFirstPartition(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	db := storetest.DB(t, s)
	for _, months := range []int{0, -1, -3} {
		db.MustExec(`SELECT create_event_partition(month_start(now(), $1))`, months)
		db.MustExec(`
			INSERT INTO events (audience_id, kind, subject_id, status, created_at)
			VALUES ($1, 'access', $1, 'ended', month_start(now(), $2))`, agent.ID, months)
	}
	var partitions int
	if err := db.Get(&partitions, `SELECT count(*) FROM event_partitions()`); err != nil || partitions != 1 {
		t.Errorf("events have %d partitions, %v; want 1", partitions, err)
	}
}

// A long read makes Sweep fail after a short wait, so that it does not block writers, and the next
// Sweep deletes the month.
func TestSweepEventsDuringARead(t *testing.T) {
	t.Parallel()
	s, tx := readOldEvents(t)
	began := time.Now()
	storetest.WantKind(t, "Sweep() during a read", s.Sweep(t.Context()), market.KindUnavailable)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("Sweep() waited %s", took)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context()); err != nil {
		t.Errorf("Sweep() after the read = %v", err)
	}
}
