package simulation_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
)

// cutting is a way in which a COMMIT or its response is lost.
type cutting string

// The cuttings. Unless the COMMIT is uncut, the connection is closed.
const (
	uncut     cutting = ""
	cutCommit cutting = "the COMMIT is lost"
	cutAnswer cutting = "the response to the COMMIT is lost"
)

// commits decides what happens to the COMMITs of a process. No COMMIT of a nil *commits is lost.
type commits struct {
	next cutting       // of the next COMMIT
	lost func(cutting) // called after a COMMIT or its response was lost
}

// take returns what happens to the COMMIT that is sent now.
func (c *commits) take() cutting {
	if c == nil {
		return uncut
	}
	defer func() { c.next = uncut }()
	return c.next
}

// sessions are idle connections to PostgreSQL with their prepared statements. A connection that a
// store closes becomes idle, and later stores and histories reuse it: a new one needs 20 ms for its
// first plans, and stores close connections that are idle for five virtual minutes.
type sessions struct {
	mu   sync.Mutex
	idle []*session
}

// open returns a function that opens a connection pool for store.WithOpen.
func (s *sessions) open(c *commits) func(driver.Connector) *sql.DB {
	return func(to driver.Connector) *sql.DB { return sql.OpenDB(connector{to, s, c}) }
}

// connector returns an idle session, or connects a new one.
type connector struct {
	driver.Connector

	sessions *sessions
	commits  *commits
}

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	if last := len(c.sessions.idle) - 1; last >= 0 {
		s := c.sessions.idle[last]
		c.sessions.idle = c.sessions.idle[:last]
		s.connector = c
		return s, nil
	}
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn := made.(connection) //nolint:errcheck // the driver's
	if _, err := conn.ExecContext(ctx, noLimits, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &session{connection: conn, connector: c, prepared: make(map[string]driver.Stmt)}, nil
}

// noLimits removes the limits of the store's sessions, because PostgreSQL measures them in real time.
const noLimits = "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"

// connection is a connection of the driver.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// session is a connection that keeps its prepared statements.
type session struct {
	connection

	connector     connector
	prepared      map[string]driver.Stmt
	inTransaction bool
	lost          bool
}

// IsValid implements driver.Validator.
func (s *session) IsValid() bool { return !s.lost && s.connection.IsValid() }

// Close implements driver.Conn.
func (s *session) Close() error {
	if s.inTransaction || !s.IsValid() {
		return s.connection.Close()
	}
	all := s.connector.sessions
	all.mu.Lock()
	defer all.mu.Unlock()
	all.idle = append(all.idle, s)
	return nil
}

// statement is a prepared statement of the driver that stays open.
type statement struct {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// Close implements driver.Stmt.
func (statement) Close() error { return nil }

// PrepareContext implements driver.ConnPrepareContext.
func (s *session) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if known := s.prepared[query]; known != nil {
		return known, nil
	}
	made, err := s.connection.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.prepared[query] = statement{made, made.(driver.StmtExecContext), made.(driver.StmtQueryContext)} //nolint:errcheck // the driver's
	return s.prepared[query], nil
}

// BeginTx implements driver.ConnBeginTx.
func (s *session) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := s.connection.BeginTx(ctx, o)
	s.inTransaction = err == nil
	return transaction{s, tx}, err
}

// transaction is a transaction whose COMMIT can be lost.
type transaction struct {
	session *session
	driver.Tx
}

// Commit implements driver.Tx.
func (t transaction) Commit() error {
	commits := t.session.connector.commits
	cut := commits.take()
	if cut == cutCommit {
		_ = t.session.connection.Close() // the server rolls back
	}
	err := t.Tx.Commit()
	t.session.inTransaction = false
	if cut == cutAnswer {
		_ = t.session.connection.Close()
	}
	if cut != uncut {
		if committed := err == nil; committed == (cut == cutAnswer) {
			commits.lost(cut)
		}
		t.session.lost = true
		return driver.ErrBadConn // the error that the driver returns if a connection ends
	}
	return err
}

// Rollback implements driver.Tx.
func (t transaction) Rollback() error {
	t.session.inTransaction = false
	return t.Tx.Rollback()
}
