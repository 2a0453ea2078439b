package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/store/internal/pg"
)

const (
	probeDeadline  = time.Minute
	oldestServer   = 140_000         // server_version_num of PostgreSQL 14
	probeRounds    = 5               // behind a proxy, the session changes only in some of them
	probeLockClass = 1_163_284_564   // class of the advisory locks of the probe
	notifyPatience = 5 * time.Second // for one notification
)

// sharedSession begins the errors about a proxy.
const sharedSession = "a proxy between this program and the database shares sessions between clients (transaction mode)"

// UnfitError reports that the database engine, or a proxy in front of it, does not behave as the
// store requires. Only a change of the configuration can fix it.
type UnfitError struct{ Reason string }

// Error implements the error interface.
func (e *UnfitError) Error() string { return "this database cannot be used: " + e.Reason }

func unfit(format string, args ...any) error {
	return &UnfitError{Reason: fmt.Sprintf(format, args...)}
}

// Probe returns an *UnfitError unless the version, locale, prepared statements, advisory locks,
// snapshots, triggers and notifications of the migrated database are as the store requires. It
// leaves no rows.
func (s *Store) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeDeadline)
	defer cancel()
	one, err := s.db.Pool.Connx(ctx)
	if err != nil {
		return pg.Translate(err, "probe the database")
	}
	defer one.Close()
	other, err := s.db.Pool.Connx(ctx)
	if err != nil {
		return pg.Translate(err, "probe the database")
	}
	defer other.Close()
	p := probe{one: one, other: other, listenDSN: s.listenDSN}
	for _, check := range []func(context.Context) error{p.version, p.locale, p.sessions, p.locks, p.snapshots, p.triggers, p.notifications} {
		if err := check(ctx); err != nil {
			return probeError(err)
		}
	}
	return nil
}

// probeError translates errors that reveal a proxy, an engine without a required feature, or a role
// without a privilege.
func probeError(err error) error {
	switch {
	case pq.As(err, pqerror.InvalidSQLStatementName, pqerror.DuplicatePstatement) != nil:
		return unfit(sharedSession+" and loses prepared statements: set its pool mode to session, or use PgBouncer 1.21 or later with max_prepared_statements: %v", err)
	case pq.As(err, pqerror.FeatureNotSupported, pqerror.UndefinedFunction, pqerror.SyntaxError) != nil:
		return unfit("a feature is missing: use PostgreSQL 14 or later: %v", err)
	case pq.As(err, pqerror.InsufficientPrivilege) != nil:
		return unfit("the role lacks a privilege: grant it, for example by running `taskmarketd migrate` with DATABASE_SERVICE_ROLE: %v", err)
	}
	return pg.Translate(err, "probe the database")
}

// probe checks the behaviour of the database with two sessions.
type probe struct {
	one, other *sqlx.Conn
	listenDSN  string
}

// version rejects servers that are too old.
func (p probe) version(ctx context.Context) error {
	var server struct {
		Number int    `db:"number"`
		Name   string `db:"name"`
	}
	err := p.one.GetContext(ctx, &server, `SELECT current_setting('server_version_num')::integer AS number, version() AS name`)
	if err == nil && server.Number < oldestServer {
		return unfit("it is %s: use PostgreSQL 14 or later", server.Name)
	}
	return err
}

// locale rejects a database whose locale changes the case of ASCII letters in a different way than Go
// does. In a Turkish locale, for example, lower('I') is 'ı', so IVAN and ivan would be different
// usernames. The service does not use the locale to compare other texts.
func (p probe) locale(ctx context.Context) error {
	var lower, upper string
	const letters, capitals = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	err := p.one.QueryRowxContext(ctx, `SELECT lower($1::text), upper($2::text)`, capitals, letters).Scan(&lower, &upper)
	if err == nil && (lower != letters || upper != capitals) {
		return unfit("its locale does not change the case of ASCII letters as usual (%s becomes %s, and %s becomes %s): create the database with the locale C.UTF-8 or en_US.UTF-8", capitals, lower, letters, upper)
	}
	return err
}

// sessions rejects a proxy that loses prepared statements, and a proxy that shares sessions between
// clients if the time limits of the sessions are not settings of the role. Example of a proxy in
// transaction mode:
//
//  1. The first client runs a statement in session 7.
//  2. The second client begins a transaction. It gets session 7, which is free.
//  3. The first client runs its statement again, and gets session 8.
func (p probe) sessions(ctx context.Context) error {
	shared := false
	for range probeRounds {
		changed, err := p.sessionChanges(ctx)
		if err != nil {
			return err
		}
		shared = shared || changed
	}
	if !shared {
		return nil
	}
	for name, value := range pg.ServiceTimeouts.Settings() {
		var right bool
		err := p.one.GetContext(ctx, &right, `
			SELECT coalesce(extract(epoch FROM $2::interval) * 1000 = reset_val::numeric, false) FROM pg_settings WHERE name = $1`, name, value)
		if err != nil {
			return err
		}
		if !right {
			return unfit(sharedSession+", and the role lacks the service's time limits: set the pool mode to session, or run ALTER ROLE with SET %s = '%s'", name, value)
		}
	}
	return nil
}

// sessionChanges reports whether a client's session changes while another client uses one.
func (p probe) sessionChanges(ctx context.Context) (bool, error) {
	var before, during, after int
	statement, err := p.one.PreparexContext(ctx, `SELECT pg_backend_pid()`) //nolint:sqlclosecheck // closed below; the linter does not follow the closure
	if err != nil {
		return false, err
	}
	defer statement.Close()
	if err := statement.GetContext(ctx, &before); err != nil {
		return false, err
	}
	err = rolledBack(ctx, p.other, nil, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &during, `SELECT pg_backend_pid()`); err != nil {
			return err
		}
		return statement.GetContext(ctx, &after)
	})
	return before == during || before != after, err
}

// locks rejects an engine that does not enforce or list advisory locks. The event log relies on the
// list.
func (p probe) locks(ctx context.Context) error {
	key := rand.Int32() //nolint:gosec // any key that another probe is unlikely to use at the same time
	const lock, share = `SELECT pg_try_advisory_xact_lock($1, $2)`, `SELECT pg_try_advisory_xact_lock_shared($1, $2)`
	try := func(conn *sqlx.Conn, statement string) (got, listed bool, err error) {
		err = rolledBack(ctx, conn, nil, func(tx *sqlx.Tx) error {
			if err := tx.GetContext(ctx, &listed, `
				SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2)`,
				probeLockClass, key); err != nil {
				return err
			}
			return tx.GetContext(ctx, &got, statement, probeLockClass, key)
		})
		return got, listed, err
	}
	err := rolledBack(ctx, p.one, nil, func(tx *sqlx.Tx) error {
		var first bool
		if err := tx.GetContext(ctx, &first, share, probeLockClass, key); err != nil {
			return err
		}
		second, listed, err := try(p.other, share)
		if err != nil {
			return err
		}
		exclusive, _, err := try(p.other, lock)
		if err == nil && (!first || !second || exclusive || !listed) {
			return unfit("its advisory locks do not behave as in PostgreSQL")
		}
		return err
	})
	if err != nil {
		return err
	}
	got, listed, err := try(p.other, lock)
	if err == nil && (!got || listed) {
		return unfit("its advisory locks remain after their transaction")
	}
	return err
}

// snapshots rejects an engine or a proxy that shows a REPEATABLE READ transaction the later commits of
// others, or that still hides such a commit after the transaction.
func (p probe) snapshots(ctx context.Context) error {
	key := probeKey + ":" + uuid.NewString()
	const find = `SELECT EXISTS (SELECT FROM rate_limits WHERE key = $1)`
	var early, during, after bool
	err := rolledBack(ctx, p.one, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &early, find, key); err != nil {
			return err
		}
		// If the row stays because of an error, Sweep deletes it.
		if _, err := p.other.ExecContext(ctx, `INSERT INTO rate_limits (key, tat) VALUES ($1, clock_timestamp())`, key); err != nil {
			return err
		}
		return tx.GetContext(ctx, &during, find, key)
	})
	if err != nil {
		return err
	}
	if err := p.one.GetContext(ctx, &after, find, key); err != nil {
		return err
	}
	if _, err := p.other.ExecContext(ctx, `DELETE FROM rate_limits WHERE key = $1`, key); err != nil {
		return err
	}
	if early || during || !after {
		return unfit("its snapshots (REPEATABLE READ) do not behave as in PostgreSQL")
	}
	return nil
}

// triggers rejects a database whose triggers do not run, immediate or deferred. For example, they
// do not run while session_replication_role is replica.
func (p probe) triggers(ctx context.Context) error {
	return rolledBack(ctx, p.one, nil, func(tx *sqlx.Tx) error {
		id := uuid.New()
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO users (id, kind, username, name, wallet, verification_code, code_expires_at)
			SELECT id, 'agent', 'probe-' || left(id::text, 8), 'Probe', decode(md5(id::text) || left(id::text, 8), 'hex'), 'probe:' || id, now()
			FROM (SELECT $1::uuid AS id) AS probe`, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
			VALUES ($1, $1, 'agent', 'claim', 'claim_paid', 'confirmed', 'probe')`, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `SET CONSTRAINTS ALL IMMEDIATE`); err != nil {
			return err
		}
		var run bool
		err := tx.GetContext(ctx, &run, `
			SELECT EXISTS (SELECT FROM activity_counts WHERE audience_id = $1) AND EXISTS (SELECT FROM events WHERE audience_id = $1)`, id)
		if err == nil && !run {
			return unfit("its triggers do not run: check that they are enabled, and that session_replication_role is origin")
		}
		return err
	})
}

// notifications rejects a connection for notifications on which none arrive.
func (p probe) notifications(ctx context.Context) error {
	channel, received := "taskmarket_probe_"+uuid.NewString(), make(chan *pq.Notification, 1)
	listener, err := pq.NewListenerConn(p.listenDSN, received)
	if err != nil {
		return fmt.Errorf("connect to wait for notifications: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })() // the listener's calls have no time limit
	defer listener.Close()
	if _, err := listener.Listen(channel); err != nil {
		return fmt.Errorf("wait for notifications: %w", err)
	}
	if _, err := p.one.ExecContext(ctx, `SELECT pg_notify($1, '')`, channel); err != nil {
		return err
	}
	select {
	case n := <-received:
		return lost(n)
	case <-time.After(notifyPatience):
	case <-ctx.Done():
		return ctx.Err()
	}
	return arrived(listener, received)
}

// arrived reports why no notification arrived in time. The timeout alone proves nothing, because
// this process may have been suspended, or the network may be slow. A connection preserves the
// order, so a notification arrives before the response to a later query.
func arrived(listener *pq.ListenerConn, received <-chan *pq.Notification) error {
	if err := listener.Ping(); err != nil {
		return fmt.Errorf("wait for notifications: %w", err)
	}
	select {
	case n := <-received:
		return lost(n)
	default:
		return unfit("notifications do not arrive: DATABASE_LISTEN_URL must lead to the same database, and not through a proxy in transaction mode")
	}
}

// lost returns an error if n is nil, which means that the connection was closed.
func lost(n *pq.Notification) error {
	if n == nil {
		return fmt.Errorf("wait for notifications: %w", driver.ErrBadConn)
	}
	return nil
}

// rolledBack runs fn in a transaction on the connection and rolls it back.
func rolledBack(ctx context.Context, conn *sqlx.Conn, options *sql.TxOptions, fn func(*sqlx.Tx) error) error {
	tx, err := conn.BeginTxx(ctx, options)
	if err != nil {
		return err
	}
	err = fn(tx)
	return errors.Join(err, tx.Rollback())
}

// ErrDiskFull is returned when the database cannot store a row because its disk is full.
var ErrDiskFull = errors.New("the database's disk is full")

// probeKey is the key of the row that ProbeWrite writes to rate_limits. No rate limit uses this
// key.
const probeKey = "probe"

// ProbeWrite writes a row, which a later Sweep deletes. It returns ErrDiskFull if the disk is full.
func (s *Store) ProbeWrite(ctx context.Context) error {
	_, err := s.db.Pool.ExecContext(ctx, `
		INSERT INTO rate_limits (key, tat) VALUES ($1, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET tat = excluded.tat`, probeKey)
	if pq.As(err, pqerror.DiskFull) != nil {
		return fmt.Errorf("%w: %w", ErrDiskFull, err)
	}
	return pg.Translate(err, "write a probe row")
}
