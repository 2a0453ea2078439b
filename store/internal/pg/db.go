// Package pg runs the store's transactions, statements and lists in PostgreSQL and defines the
// types for scanning its columns. The tables of the marketplace are defined in package store.
package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// DefaultConns is the default size of the connection pool.
const DefaultConns = 20

// Limits of the connection pool. All connections can stay open while idle, because a new connection must
// prepare all statements again.
const (
	readConns   = 4 // connections that write transactions never use, so that reads need not wait for those transactions
	maxConnIdle = 5 * time.Minute
	maxConnLife = time.Hour
)

// DB is a connection pool with prepared statements and retried transactions. It
// is safe for concurrent use.
type DB struct {
	Pool     *sqlx.DB
	admit    Admit
	onCommit func()

	preparing  sync.RWMutex
	statements map[string]statement // keyed by query
	unprepared map[string]bool      // queries that transactions used before they were prepared in the pool

	// slots limits the number of concurrent write transactions to fewer than the number of
	// connections. Reads therefore never wait for transactions that wait for locks.
	slots  chan struct{}
	queues recordQueues
}

// Admit returns an error if the context's request may not write. It runs at the beginning of a transaction.
type Admit func(context.Context, *sqlx.Tx) error

// AdmitAll admits all requests.
func AdmitAll(context.Context, *sqlx.Tx) error { return nil }

// New returns a pool of at most conns connections without connecting to the database. The pool
// connects when it is first used. It calls admit at the beginning of each transaction of Tx, and onCommit
// after each committed transaction.
func New(databaseURL string, conns int, open func(driver.Connector) *sql.DB, admit Admit, onCommit func()) (*DB, error) {
	pool, err := Open(databaseURL, ServiceTimeouts, open)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxIdleTime(maxConnIdle)
	pool.SetConnMaxLifetime(maxConnLife)
	return &DB{
		Pool: pool, admit: admit, onCommit: onCommit, statements: make(map[string]statement),
		slots: make(chan struct{}, max(1, conns-readConns)), queues: recordQueues{byRecord: make(map[uuid.UUID]*recordQueue)},
	}, nil
}
