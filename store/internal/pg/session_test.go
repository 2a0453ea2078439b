package pg_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store/internal/pg"
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
	later, err := pg.New(databaseURL, pg.DefaultConns, sql.OpenDB, func() {})
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
	db, err := pg.New("postgres://user@"+listener.Addr().String()+"/taskmarket?sslmode=disable", pg.DefaultConns, sql.OpenDB, func() {})
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
