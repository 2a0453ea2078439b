package pg_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
)

// A COPY that ends early writes nothing, and neither its connection nor its transaction remains in use.
func TestInterruptedCopyWritesNothing(t *testing.T) {
	t.Parallel()
	db, _ := newDB(t)
	db.Pool.SetMaxOpenConns(1)
	if _, err := db.Pool.ExecContext(t.Context(), `CREATE TABLE copied (n int PRIMARY KEY, words text NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	odd := "tab\t, \\N, line\n\\.\n"
	errBroken := errors.New("the value cannot be encoded")
	const n = 20_000 // more than one message of the protocol
	for name, values := range map[string]func(i int, cancel func()) ([]any, error){
		"the context ends": func(i int, cancel func()) ([]any, error) {
			if i == n/2 {
				cancel()
			}
			return []any{i, odd}, nil
		},
		"a value cannot be encoded": func(i int, _ func()) ([]any, error) {
			if i == n/2 {
				return nil, errBroken
			}
			return []any{i, odd}, nil
		},
		"a row exists": func(i int, _ func()) ([]any, error) { return []any{i % (n / 2), odd}, nil },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Tx(ctx, func(tx *sqlx.Tx) error {
			return db.Copy(ctx, tx, "copied (n, words)", n, func(i int) ([]any, error) { return values(i, cancel) })
		})
		cancel()
		if err == nil {
			t.Errorf("%s: Copy() succeeded", name)
		}
		var rows, open int
		if err := db.Pool.GetContext(t.Context(), &rows, `SELECT count(*) FROM copied`); err != nil || rows != 0 {
			t.Errorf("%s: %d rows, %v, want none", name, rows, err)
		}
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // PostgreSQL notices a closed connection later
			err = db.Pool.GetContext(t.Context(), &open, `
				SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'`)
			if err != nil || open == 0 || time.Now().After(deadline) {
				break
			}
		}
		if err != nil || open > 0 {
			t.Errorf("%s: %d transactions remain, %v", name, open, err)
		}
	}
	err := db.Tx(t.Context(), func(tx *sqlx.Tx) error {
		return db.Copy(t.Context(), tx, "copied (n, words)", 2, func(i int) ([]any, error) { return []any{i, odd}, nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := db.Pool.SelectContext(t.Context(), &got, `SELECT words FROM copied ORDER BY n`); err != nil || len(got) != 2 || got[0] != odd || got[1] != odd {
		t.Errorf("Copy() stored %q, %v, want %q twice", got, err, odd)
	}
}
