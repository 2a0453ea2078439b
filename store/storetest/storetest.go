// Package storetest provides stores on separate PostgreSQL databases for tests, functions that
// insert records, a simulated chain, and the fixtures and checks that several packages below store use.
package storetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
	"taskmarket/migrations"
	"taskmarket/store"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/test/process"
)

// Deployment returns a deployment with the addresses of the simulated contracts.
func Deployment() market.Deployment {
	return market.Deployment{
		ChainID:     31337,
		Token:       common.HexToAddress("0x70ce000000000000000000000000000000000001"),
		Escrow:      common.HexToAddress("0xe5c0000000000000000000000000000000000002"),
		Staking:     common.HexToAddress("0x57a0000000000000000000000000000000000003"),
		Treasury:    common.HexToAddress("0x7ea0000000000000000000000000000000000004"),
		Distributor: common.HexToAddress("0xd150000000000000000000000000000000000005"),
		StartBlock:  1,
	}
}

// opened maps each open *store.Store to its *database.
var opened sync.Map

type database struct {
	url string
	db  *sqlx.DB
}

// New returns a store on a new, migrated database, which is dropped after the test. The database
// has an unusual time zone, to reveal queries that depend on the session's time zone.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	return Open(tb, newDatabase(tb, localpg.Shared(tb).URL("postgres"), template(tb)))
}

// NewInLocale is like New, on a database with the given ICU locale. It requires PostgreSQL 15 with ICU.
func NewInLocale(tb testing.TB, locale string) *store.Store {
	tb.Helper()
	cluster := localpg.Shared(tb)
	admin, name := admin(tb, cluster.URL("postgres")), "test_"+randomHex(tb)
	run(tb, admin, `CREATE DATABASE `+name+` TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE '`+locale+`'`)
	dropAfter(tb, admin, name)
	if _, err := schema.Migrate(tb.Context(), cluster.URL(name)); err != nil {
		tb.Fatalf("migrate the database with the locale %s: %v", locale, err)
	}
	return Open(tb, cluster.URL(name))
}

// Copy returns a store on a copy of the database of s. That database must have no open
// transactions.
func Copy(tb testing.TB, s *store.Store) *store.Store {
	tb.Helper()
	db := DB(tb, s)
	var name string
	if err := db.Get(&name, `SELECT current_database()`); err != nil {
		tb.Fatalf("read the database's name: %v", err)
	}
	db.SetMaxIdleConns(0) // closes the idle connections
	defer db.SetMaxIdleConns(idle)
	return Open(tb, newDatabase(tb, URL(tb, s), name))
}

// NewCluster starts a PostgreSQL server of its own with a migrated database, and returns the database's URL.
// suspend stops all processes of the server, whose connections stay open, until resume is called.
func NewCluster(tb testing.TB) (databaseURL string, suspend, resume func()) {
	tb.Helper()
	cluster, err := localpg.Start(tb.Context(), localpg.Options{Dir: OpenDir(tb)})
	if err != nil {
		tb.Fatalf("start a cluster: %v", err)
	}
	databaseURL = cluster.URL("postgres")
	if _, err := schema.Migrate(tb.Context(), databaseURL); err != nil {
		tb.Fatalf("migrate the cluster's database: %v", err)
	}
	db := connect(tb, databaseURL)
	var stopped []int
	suspend = func() {
		tb.Helper()
		var postmaster int
		if err := db.Get(&postmaster, `SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int`); err != nil {
			tb.Fatal(err)
		}
		signalProcess(tb, postmaster, process.Suspend) // first, so that no process is added
		if err := db.Select(&stopped, `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() UNION ALL SELECT pg_backend_pid()`); err != nil {
			tb.Fatal(err)
		}
		stopped = append(stopped, postmaster)
		for _, pid := range stopped {
			signalProcess(tb, pid, process.Suspend)
		}
	}
	resume = func() {
		tb.Helper()
		for _, pid := range stopped {
			signalProcess(tb, pid, process.Resume)
		}
		stopped = nil
	}
	tb.Cleanup(func() {
		resume()
		_ = db.Close()
		_ = cluster.Stop()
	})
	return databaseURL, suspend, resume
}

func signalProcess(tb testing.TB, pid int, signal os.Signal) {
	tb.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(signal)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		tb.Fatalf("send %s to process %d: %v", signal, pid, err)
	}
}

// Open returns another store on the database at the URL, as another process would.
func Open(tb testing.TB, databaseURL string, options ...store.Option) *store.Store {
	tb.Helper()
	return OpenFor(tb, databaseURL, Deployment(), options...)
}

// NewFor is like New, for the given deployment.
func NewFor(tb testing.TB, d market.Deployment) *store.Store {
	tb.Helper()
	return OpenFor(tb, newDatabase(tb, localpg.Shared(tb).URL("postgres"), template(tb)), d)
}

// OpenFor is like Open, for the given deployment.
func OpenFor(tb testing.TB, databaseURL string, d market.Deployment, options ...store.Option) *store.Store {
	tb.Helper()
	s, err := store.Open(tb.Context(), databaseURL, d, options...)
	// On a busy machine a connection can take longer than the store's deadline.
	for end := time.Now().Add(time.Minute); isLate(err) && time.Now().Before(end); {
		s, err = store.Open(tb.Context(), databaseURL, d, options...)
	}
	if err != nil {
		tb.Fatalf("open the store: %v", err)
	}
	db := connect(tb, databaseURL)
	opened.Store(s, &database{databaseURL, db})
	tb.Cleanup(func() {
		opened.Delete(s)
		_ = db.Close()
		_ = s.Close()
	})
	return s
}

func isLate(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || market.KindOf(err) == market.KindUnavailable
}

// URL returns the connection URL of the store's database.
func URL(tb testing.TB, s *store.Store) string {
	tb.Helper()
	return databaseOf(tb, s).url
}

// DB returns a direct connection pool for the store's database. Statements share sessions, so a test that
// changes a session setting requires its own connection.
func DB(tb testing.TB, s *store.Store) *sqlx.DB {
	tb.Helper()
	return databaseOf(tb, s).db
}

func databaseOf(tb testing.TB, s *store.Store) *database {
	tb.Helper()
	value, _ := opened.Load(s)
	d, ok := value.(*database)
	if !ok {
		tb.Fatal("this store was not opened by storetest")
	}
	return d
}

// idle is how many unused connections a pool keeps. A new connection costs PostgreSQL more processor
// time than most statements of tests.
const idle = 2

func connect(tb testing.TB, databaseURL string) *sqlx.DB {
	tb.Helper()
	// The driver escapes bytes for bytea but not for a domain over bytea. The binary format needs no escaping.
	db, err := sqlx.Open("postgres", databaseURL+"&binary_parameters=yes")
	if err != nil {
		tb.Fatalf("open the database: %v", err)
	}
	db.SetMaxIdleConns(idle)
	return db
}

// admins has a pool for the administration database of each cluster, by URL. The pools are open until
// the process ends.
var admins = struct {
	sync.Mutex
	pools map[string]*sqlx.DB
}{pools: make(map[string]*sqlx.DB)}

func admin(tb testing.TB, databaseURL string) *sqlx.DB {
	tb.Helper()
	admins.Lock()
	defer admins.Unlock()
	db, ok := admins.pools[databaseURL]
	if !ok {
		db = connect(tb, databaseURL)
		admins.pools[databaseURL] = db
	}
	return db
}

// Role creates a role that can log in, and drops it after the test. It returns the role's name and the URL
// of the store's database with the role's credentials.
func Role(tb testing.TB, s *store.Store) (name, databaseURL string) {
	tb.Helper()
	name = "test_" + randomHex(tb)
	db := DB(tb, s)
	run(tb, db, fmt.Sprintf(`CREATE ROLE %q LOGIN PASSWORD 'secret'`, name))
	tb.Cleanup(func() { db.MustExec(fmt.Sprintf(`DROP OWNED BY %q; DROP ROLE %q`, name, name)) })
	u, err := url.Parse(URL(tb, s))
	if err != nil {
		tb.Fatalf("read the database's URL: %v", err)
	}
	u.User = url.UserPassword(name, "secret")
	return name, u.String()
}

// newDatabase creates a copy of the template database, in the cluster of the URL, and returns its
// URL.
func newDatabase(tb testing.TB, clusterURL, template string) string {
	tb.Helper()
	at, err := url.Parse(clusterURL)
	if err != nil {
		tb.Fatalf("read the cluster's URL: %v", err)
	}
	at.Path = "/postgres"
	admin := admin(tb, at.String())
	name := "test_" + randomHex(tb)
	copyDatabase(tb, admin, name, template)
	run(tb, admin, `ALTER DATABASE `+name+` SET timezone = 'Pacific/Kiritimati'`)
	dropAfter(tb, admin, name)
	at.Path = "/" + name
	return at.String()
}

// dropAfter drops the database after the test. It retries for up to a minute, for the same reason as
// copyDatabase.
func dropAfter(tb testing.TB, admin *sqlx.DB, name string) {
	tb.Helper()
	tb.Cleanup(func() {
		for end := time.Now().Add(time.Minute); ; {
			// WithoutCancel, because the test's context is cancelled before cleanup functions run.
			_, err := admin.ExecContext(context.WithoutCancel(tb.Context()), `DROP DATABASE `+name+` WITH (FORCE)`)
			if err == nil {
				return
			}
			if pq.As(err, pqerror.ObjectInUse) == nil || time.Now().After(end) {
				tb.Errorf("drop the test's database: %v", err)
				return
			}
		}
	})
}

// copyDatabase copies a database. It ends all connections to the original first, as PostgreSQL requires,
// and a store on the original reconnects afterwards. It retries for up to a minute, because PostgreSQL
// waits only five seconds for connections to end, which is too short on a busy machine. It copies files,
// which takes half the time of writing them to the WAL, the default since PostgreSQL 15. Earlier versions
// always copy files, and have no STRATEGY option.
func copyDatabase(tb testing.TB, admin *sqlx.DB, name, template string) {
	tb.Helper()
	var strategy string
	if err := admin.GetContext(tb.Context(), &strategy, `SELECT CASE WHEN current_setting('server_version_num')::int >= 150000 THEN ' STRATEGY file_copy' ELSE '' END`); err != nil {
		tb.Fatalf("read the version: %v", err)
	}
	for end := time.Now().Add(time.Minute); ; {
		run(tb, admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+template+`'`)
		_, err := admin.ExecContext(tb.Context(), `CREATE DATABASE `+name+` TEMPLATE `+template+strategy)
		if err == nil {
			return
		}
		if pq.As(err, pqerror.ObjectInUse) == nil || time.Now().After(end) {
			tb.Fatalf("copy the database %s: %v", template, err)
		}
	}
}

// migrated contains the name of the template database, or "" until this process has created or found the
// database.
var migrated struct {
	sync.Mutex
	name string
}

// template creates the template database with the current schema if necessary and returns its name.
// If several test binaries run concurrently, only one of them runs the migrations.
func template(tb testing.TB) string {
	tb.Helper()
	migrated.Lock()
	defer migrated.Unlock()
	if migrated.name == "" {
		migrated.name = createTemplate(tb)
	}
	return migrated.name
}

func createTemplate(tb testing.TB) string {
	tb.Helper()
	name := "template_" + schemaHash(tb)
	cluster := localpg.Shared(tb)
	admin := connect(tb, cluster.URL("postgres"))
	defer admin.Close() // also releases the advisory lock
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	conn, err := admin.Connx(ctx)
	if err != nil {
		tb.Fatalf("connect to the cluster: %v", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(7461)`); err != nil {
		tb.Fatalf("lock the template: %v", err)
	}
	var done bool
	if err := conn.GetContext(ctx, &done, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name); err != nil {
		tb.Fatalf("look for the template: %v", err)
	}
	if done {
		return name
	}
	// The database gets its final name only when it is complete, so that a killed test leaves no
	// incomplete template.
	half := "half_" + randomHex(tb)
	run(tb, admin, `CREATE DATABASE `+half)
	if _, err := schema.Migrate(ctx, cluster.URL(half)); err != nil {
		tb.Fatalf("migrate the template: %v", err)
	}
	run(tb, admin, `ALTER DATABASE `+half+` RENAME TO `+name)
	return name
}

// schemaHash returns a hash of all migrations.
func schemaHash(tb testing.TB) string {
	tb.Helper()
	hash := sha256.New()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		tb.Fatalf("list the migrations: %v", err)
	}
	for _, name := range names {
		body, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			tb.Fatalf("read a migration: %v", err)
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(body), body)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

func run(tb testing.TB, db *sqlx.DB, statement string) {
	tb.Helper()
	if _, err := db.ExecContext(tb.Context(), statement); err != nil {
		tb.Fatalf("%s: %v", statement, err)
	}
}

func randomHex(tb testing.TB) string {
	tb.Helper()
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		tb.Fatalf("read random bytes: %v", err)
	}
	return hex.EncodeToString(b[:])
}
