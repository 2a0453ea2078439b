//go:build operations

package e2e_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"taskmarket/store/localpg"
	"taskmarket/store/storetest"
)

// bouncerOutage is how long PgBouncer is down. It is longer than the time limit of a statement.
const bouncerOutage = 6 * time.Second

// startBouncer starts PgBouncer in front of a database, in session or transaction mode. It returns
// the database's URL through PgBouncer.
func startBouncer(tb testing.TB, databaseURL, mode string) (*engine, string) {
	tb.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		tb.Fatal(err)
	}
	password, _ := u.User.Password()
	name, port, dir := strings.TrimPrefix(u.Path, "/"), freePort(tb), openDir(tb)
	users, config := filepath.Join(dir, "users"), filepath.Join(dir, "pgbouncer.ini")
	for path, content := range map[string]string{
		users: fmt.Sprintf("%q %q\n", u.User.Username(), password),
		config: fmt.Sprintf(`[databases]
%s = host=127.0.0.1 port=%s dbname=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = scram-sha-256
auth_file = %s
pool_mode = %s
default_pool_size = 60
`, name, u.Port(), name, port, users, mode),
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	account, err := localpg.Account()
	if err != nil {
		tb.Fatal(err)
	}
	e := &engine{path: "debian/usr/sbin/pgbouncer", args: []string{config}, port: port, user: account, log: filepath.Join(dir, "log")}
	e.start(tb)
	u.Host = address(port)
	return e, u.String()
}

// TestOperationsPgBouncer: connections of two servers pass through PgBouncer in session mode, which
// is reloaded and killed during writes. The first server has no DATABASE_LISTEN_URL, so it also
// receives notifications through PgBouncer; the second one receives them directly. A reload fails no
// request. While PgBouncer is down, the servers are not ready, and afterwards they continue without a
// restart. No acknowledged write is lost, the streams of both servers yield each event once, and each
// hire is paid once.
func TestOperationsPgBouncer(t *testing.T) {
	records := storetest.New(t)
	direct := storetest.URL(t, records)
	bouncer, through := startBouncer(t, direct, "session")
	w := newWorldOn(t, failoverTimeout, site{records: records, database: through})
	defer w.end()
	w.extra = append(w.extra, "TASKMARKET_DATABASE_LISTEN_URL="+direct)
	w.newReplica()
	before := w.balances()
	var ends []func()
	for _, r := range w.replicas {
		ends = append(ends, w.followEvents(r.api()))
	}
	clients := w.startWriters(0)
	w.pay(w.submitted())

	w.must(bouncer.proc.Signal(syscall.SIGHUP))
	w.awaitLog(bouncer, "SIGHUP")
	w.must(clients.awaitWrite(time.Now()))
	if failed := clients.failures(); len(failed) > 0 {
		t.Errorf("failed requests after a reload of PgBouncer: %v", failed)
	}

	w.must(bouncer.proc.Kill())
	for _, r := range w.replicas {
		if r.healthy(w.ctx) {
			t.Error("the server is healthy without PgBouncer: its statements do not pass through it")
		}
	}
	time.Sleep(bouncerOutage)
	bouncer.start(t)
	for _, r := range w.replicas {
		w.must(r.awaitHealth(w.ctx))
	}
	w.must(clients.awaitWrite(time.Now()))
	w.pay(w.submitted())
	written := clients.stop()
	t.Logf("%d writes", len(written))
	if lost := w.missing(records, written); len(lost) > 0 {
		t.Errorf("%d of %d acknowledged writes are lost", len(lost), len(written))
	}
	for _, end := range ends {
		end()
	}
	w.wantPaidOnce(before, 2)
}

// awaitLog waits until the program's log contains the text.
func (w *world) awaitLog(e *engine, text string) {
	w.t.Helper()
	for !strings.Contains(e.proc.LogTail(), text) {
		w.pause("wait for " + text + " in the log of " + e.path)
	}
}

// TestOperationsPgBouncerTransactions: the server refuses a pool in transaction mode, because this
// version of PgBouncer loses prepared statements, and names the cause.
func TestOperationsPgBouncerTransactions(t *testing.T) {
	w := newWorldOn(t, failoverTimeout, site{records: storetest.New(t)})
	defer w.end()
	_, through := startBouncer(t, w.database, "transaction")
	output, err := w.tryServe("DATABASE_URL", through)
	if err == nil || !strings.Contains(output, "(transaction mode)") || !strings.Contains(output, "1.21") {
		t.Errorf("serve = %v: %s", err, output)
	}
}
