// Package pg runs the store's transactions, statements and lists in PostgreSQL and defines the
// types for scanning its columns. The tables of the marketplace are defined in package store.
package pg

import (
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
)

// DefaultConns is the default size of the connection pool.
const DefaultConns = 20

// These are the limits of the connection pool, and the time for which a statement waits for a lock.
// All connections can stay open while idle, because a new connection has to prepare all statements
// again.
const (
	readConns   = 4 // connections that transactions never use, so that other reads need not wait for them
	maxConnIdle = 5 * time.Minute
	maxConnLife = time.Hour
	lockTimeout = 3 * time.Second
)

// DB is a connection pool with prepared statements and retried transactions. It
// is safe for concurrent use.
type DB struct {
	Pool     *sqlx.DB
	DSN      string // connection string, also used for connections outside the pool
	onCommit func()

	preparing  sync.RWMutex
	statements map[string]*sqlx.Stmt // keyed by query
	unprepared map[string]bool       // queries that transactions used before they were prepared in the pool

	// slots limits the number of concurrent transactions to fewer than the number of connections.
	// Reads outside transactions therefore never wait for transactions that wait for locks.
	slots  chan struct{}
	queues recordQueues
}

// New returns a pool of at most conns connections without connecting to the database. The pool
// connects when it is first used. It calls onCommit after each committed transaction.
func New(databaseURL string, conns int, onCommit func()) (*DB, error) {
	dsn, err := WithRuntime(databaseURL, map[string]string{
		"timezone":                            "UTC",
		"statement_timeout":                   "5s",
		"lock_timeout":                        Milliseconds(lockTimeout),
		"idle_in_transaction_session_timeout": "10s",
		"application_name":                    "taskmarket",
		// The driver escapes bytes for bytea but not for a domain over bytea. The binary format
		// needs no escaping.
		"binary_parameters": "yes",
	})
	if err != nil {
		return nil, err
	}
	pool, err := sqlx.Open("postgres", dsn)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxIdleTime(maxConnIdle)
	pool.SetConnMaxLifetime(maxConnLife)
	return &DB{
		Pool: pool, DSN: dsn, onCommit: onCommit, statements: make(map[string]*sqlx.Stmt),
		slots: make(chan struct{}, max(1, conns-readConns)), queues: recordQueues{byRecord: make(map[uuid.UUID]*recordQueue)},
	}, nil
}

// WithRuntime adds driver and session parameters to a connection URL.
func WithRuntime(databaseURL string, parameters map[string]string) (string, error) {
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

// Milliseconds formats a duration in milliseconds for a PostgreSQL setting.
func Milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) + "ms" }
