package store

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"taskmarket/market"
	"taskmarket/migrations"
)

// Limits of the connection pool. Idle connections are kept, because a new one
// has to prepare every statement again.
const (
	maxConns     = 20
	maxTxs       = maxConns - 4
	maxConnIdle  = 5 * time.Minute
	maxConnLife  = time.Hour
	pingDeadline = 2 * time.Second
	lockTimeout  = 3 * time.Second
)

// Store is the database of one deployment. It is safe for concurrent use.
type Store struct {
	db         *sqlx.DB
	deployment market.Deployment
	karmaFloor *big.Int // wei

	preparing  sync.RWMutex
	statements map[string]*sqlx.Stmt // by query
	wanted     map[string]bool       // queries that transactions met for the first time

	// slots admits fewer transactions than there are connections: reads outside
	// of them do not wait behind those that wait for locks.
	slots chan struct{}
	turns turns

	dsn    string // for connections of their own
	herald herald
}

// Option changes what a store reckons with.
type Option func(*Store)

// WithKarmaFeeFloor lets tasks move karma from that fee on, in wei, in place of
// market.DefaultKarmaFeeFloor.
func WithKarmaFeeFloor(fee *big.Int) Option {
	return func(s *Store) { s.karmaFloor = fee }
}

// Open is New for a database that must answer now.
func Open(ctx context.Context, databaseURL string, d market.Deployment, options ...Option) (*Store, error) {
	s, err := New(databaseURL, d, options...)
	if err != nil {
		return nil, err
	}
	if err := s.Ping(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// New returns the store of a migrated database without connecting to it: the
// first use does. Records that depend on the chain are written for the
// deployment d; those of other deployments stay readable.
func New(databaseURL string, d market.Deployment, options ...Option) (*Store, error) {
	dsn, err := withRuntime(databaseURL, map[string]string{
		"timezone":                            "UTC",
		"statement_timeout":                   "5s",
		"lock_timeout":                        milliseconds(lockTimeout),
		"idle_in_transaction_session_timeout": "10s",
		"application_name":                    "taskmarket",
		// The driver escapes bytes for bytea itself but not for a domain over it;
		// sent in binary they need no escaping.
		"binary_parameters": "yes",
	})
	if err != nil {
		return nil, err
	}
	db, err := sqlx.Open("postgres", dsn)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxIdleTime(maxConnIdle)
	db.SetConnMaxLifetime(maxConnLife)
	s := &Store{
		db: db, deployment: d, karmaFloor: market.DefaultKarmaFeeFloor(),
		statements: make(map[string]*sqlx.Stmt), slots: make(chan struct{}, maxTxs),
		turns: turns{queues: make(map[uuid.UUID]*queue)}, dsn: dsn,
	}
	for _, option := range options {
		option(s)
	}
	return s, nil
}

// withRuntime sets parameters of the driver and of the session in a connection URL.
func withRuntime(databaseURL string, parameters map[string]string) (string, error) {
	u, err := url.Parse(databaseURL)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return "", market.Errorf(market.KindInvalid, "the database URL must look like postgres://user:password@host:port/name")
	}
	query := u.Query()
	for name, value := range parameters {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// A migration that waits for a lock stops all who come after it. So it gives up
// soon, lets them pass, and tries again.
const (
	migrationLock     = 500 * time.Millisecond
	migrationPause    = time.Second
	migrationPatience = 2 * time.Minute
)

// Migrate brings the schema up to date and returns how many migrations it
// applied. Of several callers at once one migrates and the others wait. It stops
// others who use the database for half a second at a time at most, and gives up
// when it has not got its locks in two minutes; what it applied until then stays.
func Migrate(ctx context.Context, databaseURL string) (applied int, err error) {
	dsn, err := withRuntime(databaseURL, map[string]string{"lock_timeout": milliseconds(migrationLock)})
	if err != nil {
		return 0, err
	}
	db, err := sqlx.Open("postgres", dsn)
	if err != nil {
		return 0, fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	// Every second for two minutes: long enough for another replica's migration.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120))
	if err != nil {
		return 0, fmt.Errorf("make the migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db.DB, migrations.FS, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read the migrations: %w", err)
	}
	return migrate(ctx, provider)
}

// migrate applies what is missing, and tries again while others hold its locks.
func migrate(ctx context.Context, provider *goose.Provider) (applied int, err error) {
	for end := time.Now().Add(migrationPatience); ; {
		results, err := provider.Up(ctx)
		if partial, ok := errors.AsType[*goose.PartialError](err); ok {
			results = partial.Applied
		}
		applied += len(results)
		if err == nil {
			return applied, nil
		}
		if pq.As(err, pqerror.LockNotAvailable) == nil || time.Now().After(end) {
			return applied, fmt.Errorf("migrate the database: %w", err)
		}
		select {
		case <-ctx.Done():
			return applied, fmt.Errorf("migrate the database: %w", ctx.Err())
		case <-time.After(migrationPause):
		}
	}
}

// milliseconds writes a duration as PostgreSQL's settings take it.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) + "ms" }

// Ping reports whether the database answers and takes writes: one that lost its
// place as the primary, or whose disk is full, may still be read.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingDeadline)
	defer cancel()
	var readOnly bool
	if err := s.db.GetContext(ctx, &readOnly, `SELECT current_setting('transaction_read_only')::boolean`); err != nil {
		return translate(err, "ping the database")
	}
	if readOnly {
		return refusal(market.KindUnavailable, "the database takes no writes", nil)
	}
	return nil
}

// Close ends all connections.
func (s *Store) Close() error { return s.db.Close() }

// Deployment returns the deployment that the store was opened for.
func (s *Store) Deployment() market.Deployment { return s.deployment }
