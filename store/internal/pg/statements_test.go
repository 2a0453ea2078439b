package pg_test

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/store/internal/pg"
	"taskmarket/store/storetest"
)

// newDB returns a pool on a new database, and the database's URL.
func newDB(t *testing.T) (db *pg.DB, databaseURL string) {
	t.Helper()
	databaseURL = storetest.URL(t, storetest.New(t))
	db, err := pg.New(databaseURL, pg.DefaultConns, sql.OpenDB, pg.AdmitAll, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Pool.Close() })
	return db, databaseURL
}

// A transaction holds locks, so it must not wait for a second connection, not even to prepare a new
// query. All other connections may be waiting for those locks.
func TestTransactionsNeedOneConnection(t *testing.T) {
	t.Parallel()
	db, databaseURL := newDB(t)
	db.Pool.SetMaxOpenConns(2)
	other, err := sqlx.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback() }()
	if _, err := lock.Exec(`LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		var agents int
		read <- db.Get(t.Context(), nil, &agents, `SELECT count(*) FROM agents`)
	}()
	awaitBlocked(t, other)

	err = db.Tx(t.Context(), func(tx *sqlx.Tx) error {
		_, err := db.Exec(t.Context(), tx, `SELECT 'a new query'`)
		return err
	})
	if err != nil {
		t.Fatalf("Tx() with one free connection = %v", err)
	}
	select {
	case err := <-read:
		t.Fatalf("the read ended before the lock: %v", err)
	default:
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err != nil {
		t.Errorf("Get() after the lock = %v", err)
	}
}

// awaitBlocked waits until a statement is waiting for a lock.
func awaitBlocked(t *testing.T, db *sqlx.DB) {
	t.Helper()
	for waiting := 0; waiting == 0; time.Sleep(10 * time.Millisecond) {
		err := db.GetContext(t.Context(), &waiting, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The pool reuses the memory that rows are scanned into, so a row must not change after it was returned, and
// must not contain what an earlier row contained.
func TestRowsAreIndependent(t *testing.T) {
	t.Parallel()
	db, _ := newDB(t)
	type row struct {
		Words pq.StringArray `db:"words"`
		Bytes []byte         `db:"bytes"`
		Note  *string        `db:"note"`
	}
	get := func(word string, note any) (got row) {
		t.Helper()
		err := db.Get(t.Context(), nil, &got, `SELECT array_remove(ARRAY[$1::text], '') AS words, convert_to($1, 'UTF8') AS bytes, $2::text AS note`, word, note)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	note := "first"
	want := []row{
		{Words: pq.StringArray{"one"}, Bytes: []byte("one"), Note: &note},
		{Words: pq.StringArray{}, Bytes: []byte{}},
		{Words: pq.StringArray{"three"}, Bytes: []byte("three")},
	}
	got := []row{get("one", note), get("", nil), get("three", nil)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var other struct {
		Words pq.StringArray `db:"words"`
	}
	const query = `SELECT ARRAY['a'] AS words`
	var once, again row
	if err := errors.Join(db.Get(t.Context(), nil, &once, query), db.Get(t.Context(), nil, &other, query), db.Get(t.Context(), nil, &again, query)); err != nil {
		t.Fatal(err)
	}
	if once.Words[0] != "a" || other.Words[0] != "a" || again.Words[0] != "a" {
		t.Errorf("one query for two types returned %v, %v and %v", once, other, again)
	}
}

// Transactions that use new queries run concurrently with transactions that end. The race detector
// fails this test if there is a data race.
func TestTransactionsPrepareQueriesConcurrently(t *testing.T) {
	t.Parallel()
	db, _ := newDB(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 50 {
				err := db.Tx(t.Context(), func(tx *sqlx.Tx) error {
					_, err := db.Exec(t.Context(), tx, fmt.Sprintf("SELECT %d", i))
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// A statement changes only the fields that it returns, also when its rows are reused.
func TestFieldsWithoutAColumnKeepTheirValues(t *testing.T) {
	t.Parallel()
	db, _ := newDB(t)
	for _, name := range []string{"first", "second"} {
		row := struct {
			Name string `db:"name"`
			Size int    `db:"size"`
			Tags []byte `db:"tags"`
		}{Name: name, Size: 7, Tags: []byte(name)}
		if err := db.Get(t.Context(), nil, &row, `SELECT 9 AS size`); err != nil {
			t.Fatal(err)
		}
		if row.Name != name || row.Size != 9 || string(row.Tags) != name {
			t.Errorf("Get() = %+v, want the name %q, the size 9 and the tags %q", row, name, name)
		}
	}
}
