//go:build operations

package e2e_test

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
	"taskmarket/test/process"
)

const (
	// failoverTimeout limits the time of a test with two clusters.
	failoverTimeout = 10 * time.Minute
	// recoveryTime is the longest time from the promotion of the standby to the next acknowledged
	// write. docs/operations.md states it.
	recoveryTime = 5 * time.Second
	// isolation is how long the primary runs without its standby. It is longer than the time
	// limit of a statement, which does not end the wait for the standby.
	isolation = 8 * time.Second

	databaseName = "taskmarket"
	// synchronously is the setting that makes each commit wait for the standby.
	synchronously = "synchronous_standby_names=standby"
)

// pair is a primary and a standby that streams from it.
type pair struct {
	tb               testing.TB
	primary, standby *localpg.Cluster
}

// newPair starts both clusters, with further settings. synchronous makes each commit wait for the
// standby.
func newPair(tb testing.TB, synchronous bool, further ...string) pair {
	tb.Helper()
	return newPairIn(tb, openDir(tb), openDir(tb), synchronous, append(further, "wal_level=replica", "wal_keep_size=1GB")...)
}

// newPairIn starts both clusters with these settings, in the given empty directories.
func newPairIn(tb testing.TB, first, second string, synchronous bool, settings ...string) pair {
	tb.Helper()
	own := slices.Clone(settings)
	if synchronous {
		own = append(own, synchronously)
	}
	p := pair{tb: tb, primary: startCluster(tb, first, own...)}
	// The backup itself commits nothing, so it does not wait for the standby.
	if err := p.primary.Backup(tb.Context(), second, localpg.StandbySignal, "primary_conninfo = '"+standbyOf(tb, p.primary)+"'"); err != nil {
		tb.Fatal(err)
	}
	p.standby = startCluster(tb, second, settings...)
	createMigrated(tb, p.primary)
	return p
}

// openDir returns a new directory that PostgreSQL's system user can enter.
func openDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "taskmarket-operations-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// startCluster starts a cluster that stops after the test.
func startCluster(tb testing.TB, dir string, settings ...string) *localpg.Cluster {
	tb.Helper()
	c, err := localpg.Start(tb.Context(), localpg.Options{Dir: dir, Settings: settings})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Stop() })
	return c
}

// standbyOf returns the connection string with which a standby named "standby" follows the cluster.
func standbyOf(tb testing.TB, c *localpg.Cluster) string {
	tb.Helper()
	u, err := url.Parse(c.URL("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	password, _ := u.User.Password()
	return fmt.Sprintf("host=127.0.0.1 port=%d user=%s password=%s application_name=standby", c.Port(), u.User.Username(), password)
}

// createMigrated creates the database, with the time zone of the other tests' databases, which a
// comparison of rows requires.
func createMigrated(tb testing.TB, c *localpg.Cluster) {
	tb.Helper()
	err := execute(c, `CREATE DATABASE `+databaseName, `ALTER DATABASE `+databaseName+` SET timezone = 'Pacific/Kiritimati'`)
	if err == nil {
		_, err = schema.Migrate(tb.Context(), c.URL(databaseName))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// site returns the site of a world that uses both clusters: servers connect to the one that accepts
// writes.
func (p pair) site() site {
	p.tb.Helper()
	u, err := url.Parse(p.primary.URL(databaseName))
	if err != nil {
		p.tb.Fatal(err)
	}
	u.Host = "127.0.0.1,127.0.0.1"
	u.RawQuery = fmt.Sprintf("port=%d,%d&sslmode=disable&target_session_attrs=read-write&connect_timeout=2", p.primary.Port(), p.standby.Port())
	return site{records: storetest.Open(p.tb, p.primary.URL(databaseName)), database: u.String()}
}

// isolate disconnects the standby from the primary, which keeps serving.
func (p pair) isolate() error {
	if err := execute(p.standby, `ALTER SYSTEM SET primary_conninfo = ''`, `SELECT pg_reload_conf()`); err != nil {
		return err
	}
	return awaitTrue(p.tb.Context(), p.standby, `SELECT NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)`)
}

// fail kills the primary and promotes the standby.
func (p pair) fail() error {
	if err := p.primary.Kill(); err != nil {
		return err
	}
	return execute(p.standby, `SELECT pg_promote()`)
}

// TestOperationsFailover: during hires and other writes, the machine with the primary and the
// leading server fails. After the standby's promotion the other server continues without a restart,
// no acknowledged write is lost, each hire is paid once, and the old leader cannot write after it
// has returned. At the end, the rows equal those of a replay.
func TestOperationsFailover(t *testing.T) {
	p := newPair(t, true)
	w := newWorldOn(t, failoverTimeout, p.site())
	defer w.end()
	failing := w.newReplica()
	w.must(w.server.stop())
	w.awaitLeader(failing)
	w.must(w.server.start(w.ctx))
	epoch := w.epoch()
	before := w.balances()
	w.human()
	for _, wallet := range w.net.Validators[:2] {
		w.person(wallet)
	}
	clients := w.startWriters(0)

	failed := make(chan error, 1)
	var recovered time.Duration
	go func() {
		time.Sleep(5 * time.Second)
		err := errors.Join(failing.proc.Signal(process.Suspend), p.fail())
		promoted := time.Now()
		if err == nil {
			err = clients.awaitWrite(promoted)
			recovered = time.Since(promoted)
			time.Sleep(20 * time.Second) // longer than the lease
		}
		failed <- errors.Join(err, failing.proc.Signal(process.Resume))
	}()
	hires := 0
	for over := false; !over; hires++ {
		w.hireWithRetries(hires)
		select {
		case err := <-failed:
			w.must(err)
			over = true
		default:
		}
	}
	written := clients.stop()
	t.Logf("%d hires, %d other writes; %s from the promotion to the next write", hires, len(written), recovered)
	if recovered > recoveryTime {
		t.Errorf("the servers recovered %s after the promotion, want at most %s", recovered, recoveryTime)
	}

	w.records = storetest.Open(t, p.standby.URL(databaseName))
	if lost := w.missing(w.records, written); len(lost) > 0 {
		t.Errorf("%d of %d acknowledged writes are lost", len(lost), len(written))
	}
	w.wantLeader(w.server)
	if got := w.epoch(); got != epoch+1 {
		t.Errorf("the lease has epoch %d, want %d: one change of the leader", got, epoch+1)
	}
	w.wantPaidOnce(before, hires)
	w.wantOnce(hires)
}

// TestOperationsIsolatedPrimary: the primary serves without its standby for some time before it
// fails. With synchronous replication it acknowledges nothing in this time. With asynchronous
// replication it does, and the promotion loses these writes: this shows that the tests can detect a
// lost write.
func TestOperationsIsolatedPrimary(t *testing.T) {
	for name, synchronous := range map[string]bool{"synchronous": true, "asynchronous": false} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, synchronous)
			w := newWorldOn(t, failoverTimeout, p.site())
			clients := w.startWriters(0)
			w.must(clients.awaitWrite(time.Now()))
			w.must(awaitTrue(w.ctx, p.primary, `SELECT pg_current_wal_lsn() - replay_lsn < 1e6 FROM pg_stat_replication`))
			w.must(p.isolate())
			time.Sleep(isolation)
			w.must(p.fail())
			promoted := time.Now()
			w.must(clients.awaitWrite(promoted))
			t.Logf("%s from the promotion to the next write", time.Since(promoted))
			written := clients.stop()
			w.records = storetest.Open(t, p.standby.URL(databaseName))
			lost := w.missing(w.records, written)
			t.Logf("%d of %d acknowledged writes are lost", len(lost), len(written))
			if synchronous == (len(lost) > 0) {
				t.Errorf("%d of %d acknowledged writes are lost with %s replication", len(lost), len(written), name)
			}
		})
	}
}

// awaitLeader waits until the server follows the chain.
func (w *world) awaitLeader(r *replica) {
	w.t.Helper()
	for !strings.HasPrefix(w.holder(), w.instance(r)) {
		w.pause("wait for another leader")
	}
}

// epoch returns the epoch of the watcher's lease.
func (w *world) epoch() (epoch int) {
	w.t.Helper()
	w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &epoch, `SELECT epoch FROM chain_head`))
	return epoch
}
