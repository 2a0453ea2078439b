package schema_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// wantUnfit fails the test unless Probe returns an UnfitError that contains the text.
func wantUnfit(t *testing.T, s *store.Store, text string) {
	t.Helper()
	err := s.Schema.Probe(t.Context())
	if _, unfit := errors.AsType[*schema.UnfitError](err); !unfit || !strings.Contains(err.Error(), text) {
		t.Errorf("Probe() = %v, want an UnfitError that contains %q", err, text)
	}
}

func TestProbeAcceptsPostgreSQL(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 2 {
		if err := s.Schema.Probe(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var rows int
	err := storetest.DB(t, s).GetContext(t.Context(), &rows, `
		SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM rate_limits) + (SELECT count(*) FROM activity_counts)`)
	if err != nil || rows != 0 {
		t.Errorf("Probe() left %d rows, %v", rows, err)
	}
}

// The gate rewrites statements, so that PostgreSQL answers like another engine or a proxy.
func TestProbeRejectsOtherEngines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare, old, replacement, want string
	}{
		"an old server": {
			old: `current_setting('server_version_num')::integer`, replacement: `130022                                        `, want: "use PostgreSQL 14 or later",
		},
		"a lock that is not exclusive": {
			prepare: `CREATE FUNCTION no_try_advisory_xact_lock(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
			old:     `pg_try_advisory_xact_lock(`, replacement: `no_try_advisory_xact_lock(`, want: "advisory locks",
		},
		"locks that are not listed": {
			prepare: `CREATE VIEW no_locks AS SELECT * FROM pg_locks WHERE false`,
			old:     `FROM pg_locks`, replacement: `FROM no_locks`, want: "advisory locks",
		},
		"locks that do not exist": {old: `pg_try_advisory_xact_lock(`, replacement: `no_try_advisory_xact_lock(`, want: "a feature is missing"},
		"snapshots that change":   {old: `REPEATABLE READ`, replacement: `READ COMMITTED `, want: "snapshots"},
		"no triggers":             {prepare: `ALTER TABLE activities DISABLE TRIGGER USER`, want: "triggers do not run"},
		"no deferred triggers":    {prepare: `ALTER TABLE changed_records DISABLE TRIGGER USER`, want: "triggers do not run"},
		"lost prepared statements": {
			prepare: `CREATE FUNCTION no_backend_pid() RETURNS integer LANGUAGE plpgsql AS
				$$ BEGIN RAISE invalid_sql_statement_name USING MESSAGE = 'prepared statement "1" does not exist'; END $$`,
			old: `pg_backend_pid()`, replacement: `no_backend_pid()`, want: "loses prepared statements",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			direct := storetest.New(t)
			storetest.DB(t, direct).MustExecContext(t.Context(), test.prepare)
			s, g := storetest.BehindGate(t, direct)
			g.Replace(test.old, test.replacement)
			wantUnfit(t, s, test.want)
		})
	}
}

// In a database with a Turkish locale, lower('I') is not 'i', so the unique index of usernames would
// accept both ivan and IVAN. The service refuses such a database, but accepts other locales.
func TestLocalesThatChangeUsernamesAreRejected(t *testing.T) {
	t.Parallel()
	for locale, same := range map[string]bool{"tr-TR": false, "az": false, "de-DE": true} {
		t.Run(locale, func(t *testing.T) {
			t.Parallel()
			s := storetest.NewInLocale(t, locale)
			var taken bool
			if err := storetest.DB(t, s).Get(&taken, `SELECT lower('IVAN') COLLATE "C" = lower('ivan') COLLATE "C"`); err != nil || taken != same {
				t.Fatalf("IVAN and ivan are the same name: %t, %v, want %t", taken, err, same)
			}
			if !same {
				wantUnfit(t, s, "locale")
			} else if err := s.Schema.Probe(t.Context()); err != nil {
				t.Errorf("Probe() = %v", err)
			}
		})
	}
}

// A proxy may share sessions between clients only if the role has the service's time limits.
func TestProbeOfSharedSessions(t *testing.T) {
	t.Parallel()
	direct := storetest.New(t)
	db := storetest.DB(t, direct)
	db.MustExecContext(t.Context(), `CREATE FUNCTION no_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT (random() * 1000000)::integer'`)
	shared := func() *store.Store {
		s, g := storetest.BehindGate(t, direct)
		g.Replace(`pg_backend_pid()`, `no_backend_pid()`)
		return s
	}
	wantUnfit(t, shared(), "ALTER ROLE")
	alterDatabase(t, db, `statement_timeout = '5s'`, `lock_timeout = '3s'`, `idle_in_transaction_session_timeout = '10s'`)
	if err := shared().Schema.Probe(t.Context()); err != nil {
		t.Errorf("Probe() with the service's time limits = %v", err)
	}
	alterDatabase(t, db, `lock_timeout = '0'`)
	wantUnfit(t, shared(), "lock_timeout")
}

// alterDatabase changes settings of the database for later sessions.
func alterDatabase(t *testing.T, db *sqlx.DB, settings ...string) {
	t.Helper()
	var name string
	if err := db.GetContext(t.Context(), &name, `SELECT current_database()`); err != nil {
		t.Fatal(err)
	}
	for _, setting := range settings {
		db.MustExecContext(t.Context(), `ALTER DATABASE `+name+` SET `+setting)
	}
}

// The URL for notifications must lead to the same database.
func TestProbeOfNotifications(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	other := storetest.URL(t, storetest.New(t))
	wantUnfit(t, storetest.Open(t, storetest.URL(t, s), store.WithListenURL(other)), "notifications do not arrive")
	u, err := url.Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	g.Shut()
	u.Host = g.Addr()
	unreachable := storetest.Open(t, storetest.URL(t, s), store.WithListenURL(u.String()))
	storetest.WantKind(t, "Probe() without a connection for notifications", unreachable.Schema.Probe(t.Context()), market.KindUnavailable)
}

// A notification can arrive after the timeout, because the process was suspended or the network is slow.
// The probe does not reject the database for this reason.
func TestProbeAcceptsANotificationAfterTheTimeout(t *testing.T) {
	t.Parallel()
	direct := storetest.New(t)
	db := storetest.DB(t, direct)
	db.MustExecContext(t.Context(), `CREATE FUNCTION no_notify(text, text) RETURNS void LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_advisory_xact_lock(1); PERFORM pg_notify($1, $2); END $$`)
	own, err := url.Parse(storetest.URL(t, direct))
	if err != nil {
		t.Fatal(err)
	}
	statements, notifications := gate.New(t, own.Host), gate.New(t, own.Host)
	statements.Replace(`pg_notify(`, `no_notify(`)
	listen := *own
	own.Host, listen.Host = statements.Addr(), notifications.Addr()
	s := storetest.Open(t, own.String(), store.WithListenURL(listen.String()))

	blocked := db.MustBegin()
	blocked.MustExecContext(t.Context(), `SELECT pg_advisory_xact_lock(1)`)
	result := make(chan error, 1)
	go func() { result <- s.Schema.Probe(t.Context()) }()
	for waits, end := false, time.Now().Add(30*time.Second); !waits; {
		err := blocked.GetContext(t.Context(), &waits, `SELECT EXISTS (
			SELECT FROM pg_locks l, pg_database d
			WHERE d.oid = l.database AND d.datname = current_database() AND l.locktype = 'advisory' AND l.objid = 1 AND NOT l.granted)`)
		if err != nil || time.Now().After(end) {
			t.Fatalf("wait for the probe: %t, %v", waits, err)
		}
	}
	release := notifications.Hold()
	defer release()
	if err := blocked.Rollback(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(schema.NotifyPatience + time.Second)
	release()
	if err := <-result; err != nil {
		t.Errorf("Probe() = %v, want nil", err)
	}
}

func TestPingRejectsStandby(t *testing.T) {
	t.Parallel()
	s, g := storetest.BehindGate(t, storetest.New(t))
	g.Replace(`pg_is_in_recovery()`, `true               `)
	g.Cut()
	err := s.Ping(t.Context())
	storetest.WantKind(t, "Ping()", err, market.KindUnavailable)
	if err == nil || !strings.Contains(err.Error(), "target_session_attrs=read-write") {
		t.Errorf("Ping() of a standby = %v, want an error that states the next step", err)
	}
}
