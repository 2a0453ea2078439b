package pg_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"io"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/store/internal/pg"
	"taskmarket/test/gate"
)

// sources selects each setting that the service changes, with its value and its source.
const sources = `
	SELECT name || ' ' || current_setting(name) || ' ' || source FROM pg_settings
	WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`

// Each session has the limits. A session whose role or database has them already stays unchanged,
// because behind a proxy in transaction mode a change would apply to other clients' sessions.
func TestSessionsHaveLimits(t *testing.T) {
	t.Parallel()
	db, databaseURL := newDB(t)
	read := func(pool *pg.DB) (settings []string) {
		t.Helper()
		if err := pool.Pool.SelectContext(t.Context(), &settings, sources); err != nil {
			t.Fatal(err)
		}
		return settings
	}
	want := []string{"idle_in_transaction_session_timeout 10s session", "lock_timeout 3s session", "statement_timeout 5s session"}
	if diff := cmp.Diff(want, read(db)); diff != "" {
		t.Errorf("settings of a session: %s", diff)
	}
	for name, value := range pg.ServiceTimeouts.Settings() {
		var database string
		if err := db.Pool.GetContext(t.Context(), &database, `SELECT current_database()`); err != nil {
			t.Fatal(err)
		}
		db.Pool.MustExecContext(t.Context(), `ALTER DATABASE `+database+` SET `+name+` = '`+value+`'`)
	}
	later, err := pg.New(databaseURL, pg.DefaultConns, sql.OpenDB, pg.AdmitAll, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer later.Pool.Close()
	for i := range want {
		want[i] = strings.TrimSuffix(want[i], "session") + "database"
	}
	if diff := cmp.Diff(want, read(later)); diff != "" {
		t.Errorf("settings of a session whose database has the limits: %s", diff)
	}
}

// PgBouncer rejects a connection with a start-up parameter that it does not track.
func TestStartUpParametersSuitPgBouncer(t *testing.T) {
	t.Parallel()
	tracked := []string{"user", "database", "application_name", "client_encoding", "datestyle", "timezone"}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	sent := make(chan map[string]string, 1)
	go func() {
		defer close(sent)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		sent <- startUpParameters(conn)
	}()
	db, err := pg.New("postgres://user@"+listener.Addr().String()+"/taskmarket?sslmode=disable", pg.DefaultConns, sql.OpenDB, pg.AdmitAll, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Pool.Close()
	if err := db.Pool.PingContext(t.Context()); err == nil {
		t.Fatal("Ping() of a server that closes the connection = nil")
	}
	got := slices.Sorted(maps.Keys(<-sent))
	slices.Sort(tracked)
	if diff := cmp.Diff(tracked, got); diff != "" {
		t.Errorf("start-up parameters: %s", diff)
	}
}

// startUpParameters reads a start-up message: its length, the protocol's version, and names and
// values that end with a zero byte.
func startUpParameters(conn io.Reader) map[string]string {
	var header [8]byte
	if _, err := io.ReadFull(conn, header[:]); err != nil {
		return nil
	}
	body := make([]byte, binary.BigEndian.Uint32(header[:])-uint32(len(header)))
	if _, err := io.ReadFull(conn, body); err != nil {
		return nil
	}
	parameters, words := map[string]string{}, bytes.Split(body, []byte{0})
	for i := 0; i+1 < len(words) && len(words[i]) > 0; i += 2 {
		parameters[string(words[i])] = string(words[i+1])
	}
	return parameters
}

// A statement, a transaction and a new connection end soon after their contexts, although the database no
// longer responds. The pool works again as soon as the database does.
func TestSilentDatabaseOutageEndsStatements(t *testing.T) {
	t.Parallel()
	_, databaseURL := newDB(t)
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	db, err := pg.New(u.String(), 1, sql.OpenDB, pg.AdmitAll, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Pool.Close()
	var n int
	read := func(ctx context.Context) error { return db.Get(ctx, nil, &n, `SELECT 1`) }
	silent := map[string]func(context.Context) error{
		"a statement": read,
		"a list":      func(ctx context.Context) error { return db.SelectAdHoc(ctx, new([]int), `SELECT 1`) },
		"the begin of a transaction": func(ctx context.Context) error {
			return db.Tx(ctx, func(*sqlx.Tx) error { return nil })
		},
		"a snapshot": func(ctx context.Context) error {
			return db.Snapshot(ctx, func(*sqlx.Tx) error { return nil })
		},
		"a new connection": func(ctx context.Context) error {
			db.Pool.SetMaxIdleConns(0)
			defer db.Pool.SetMaxIdleConns(1)
			return read(ctx)
		},
	}
	for name, operation := range silent {
		if err := read(t.Context()); err != nil {
			t.Fatal(err)
		}
		release := g.Hold()
		wantEnd(t, name, operation)
		release()
	}
	for _, name := range []string{"a statement in a transaction", "a commit"} {
		var release func()
		wantEnd(t, name, func(ctx context.Context) error {
			return db.Tx(ctx, func(tx *sqlx.Tx) error {
				release = g.Hold()
				if name == "a commit" {
					return nil
				}
				return db.Get(ctx, tx, &n, `SELECT 2`)
			})
		})
		release()
	}
	if err := read(t.Context()); err != nil {
		t.Errorf("a statement after the outage: %v", err)
	}
}

// wantEnd requires that an operation fails as unavailable soon after its context has ended.
func wantEnd(t *testing.T, name string, operation func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := operation(ctx)
	if took := time.Since(began); err == nil || took > 3*time.Second {
		t.Errorf("%s without a response ended after %s with %v", name, took, err)
	}
}

// Without a context that ends, PostgreSQL's limit for statements and a second more apply. Extend replaces
// them for one transaction.
func TestStatementTimeoutCanBeExtended(t *testing.T) {
	t.Parallel()
	db, _ := newDB(t)
	seconds := pg.ServiceTimeouts.Statement.Seconds() + 2
	slow := func(extend bool) error {
		return db.LongTx(t.Context(), func(tx *sqlx.Tx) error {
			if extend {
				if err := db.Extend(t.Context(), tx, time.Minute); err != nil {
					return err
				}
			}
			_, err := db.Exec(t.Context(), tx, `SELECT pg_sleep($1)`, seconds)
			return err
		})
	}
	ended := make(chan error, 1)
	go func() { ended <- slow(true) }()
	if err := slow(false); pq.As(err, pqerror.QueryCanceled) == nil {
		t.Errorf("a slow statement = %v, want the statement timeout", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("a slow statement after Extend = %v", err)
	}
}
