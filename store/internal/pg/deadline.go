package pg

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// A database whose processes are suspended keeps its connections open and accepts new ones, but never
// responds. PostgreSQL's own limits do not end then, and the driver waits for the response even after the
// statement's context has ended. The connections of a pool therefore have deadlines of their own.
const (
	// operationLimit limits how long a statement outside of a transaction, or a whole transaction of a
	// request, may take: with waiting for a connection, and with retries.
	operationLimit = 6 * time.Second
	// responseSlack is how much longer than PostgreSQL's limit the client waits for a statement.
	responseSlack = time.Second
	// cancelGrace is how long PostgreSQL may take to confirm that a statement was cancelled.
	cancelGrace = 500 * time.Millisecond
	// connectLimit limits how long one server may take to open a session.
	connectLimit = 3 * time.Second
)

// within returns a context for an operation that ends after operationLimit.
func within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, operationLimit)
}

// sessionConn is a connection of the driver.
type sessionConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// boundConn is a connection that breaks shortly after the context of its statement or transaction ends,
// unless PostgreSQL responds.
type boundConn struct {
	sessionConn
	socket net.Conn
	limit  time.Duration // of a statement; 0 means none

	extended *time.Duration // replaces limit until the transaction ends; nil without Extend

	mu      sync.Mutex
	expired int // number of ended contexts in use, for which the socket has a deadline
}

// bound sets a deadline on the socket when ctx ends. The caller must call free when PostgreSQL has responded.
func (c *boundConn) bound(ctx context.Context) (free func()) {
	var freed, expired bool
	stop := context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !freed {
			expired = true
			c.expired++
			_ = c.socket.SetDeadline(time.Now().Add(cancelGrace))
		}
	})
	return func() {
		if stop() {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		freed = true
		if !expired {
			return
		}
		if c.expired--; c.expired == 0 {
			_ = c.socket.SetDeadline(time.Time{})
		}
	}
}

// timed is like bound, with the limit of a statement in addition. It returns the limited context.
func (c *boundConn) timed(ctx context.Context) (_ context.Context, free func()) {
	limit := c.limit
	if c.extended != nil {
		limit = *c.extended
	}
	cancel := func() {}
	if limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit+responseSlack)
	}
	unbind := c.bound(ctx)
	return ctx, func() { unbind(); cancel() }
}

// extensionKey is the key of the new limit in the context of Extend.
type extensionKey struct{}

// Extend lets the further statements of the transaction, and its end, take up to limit each, or any time if
// limit is 0. It is for transactions that LongTx began.
func (db *DB) Extend(ctx context.Context, tx *sqlx.Tx, limit time.Duration) error {
	ctx = context.WithValue(ctx, extensionKey{}, limit)
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`SET LOCAL statement_timeout = %d`, limit.Milliseconds()))
	return err
}

// ExecContext implements driver.ExecerContext.
func (c *boundConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if limit, ok := ctx.Value(extensionKey{}).(time.Duration); ok {
		c.extended = &limit
	}
	ctx, free := c.timed(ctx)
	defer free()
	return c.sessionConn.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (c *boundConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	ctx, free := c.timed(ctx)
	rows, err := c.sessionConn.QueryContext(ctx, query, args)
	return boundResult(rows, err, free)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *boundConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	ctx, free := c.timed(ctx)
	defer free()
	prepared, err := c.sessionConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(sessionStmt)
	if !ok {
		return nil, fmt.Errorf("prepare a statement: %T has no contexts", prepared)
	}
	return &boundStmt{stmt, c}, nil
}

// Ping implements driver.Pinger.
func (c *boundConn) Ping(ctx context.Context) error {
	ctx, free := c.timed(ctx)
	defer free()
	return c.sessionConn.Ping(ctx)
}

// BeginTx implements driver.ConnBeginTx. ctx bounds the whole transaction.
func (c *boundConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	end := c.bound(ctx)
	_, free := c.timed(ctx)
	defer free()
	tx, err := c.sessionConn.BeginTx(ctx, options)
	if err != nil {
		end()
		return nil, err
	}
	return &boundTx{tx, c, end}, nil
}

type boundTx struct {
	driver.Tx
	conn *boundConn
	end  func()
}

// Commit implements driver.Tx.
func (t *boundTx) Commit() error { return t.finish(t.Tx.Commit) }

// Rollback implements driver.Tx.
func (t *boundTx) Rollback() error { return t.finish(t.Tx.Rollback) }

func (t *boundTx) finish(end func() error) error {
	defer t.end()
	_, free := t.conn.timed(context.Background())
	defer free()
	t.conn.extended = nil
	return end()
}

type sessionStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type boundStmt struct {
	sessionStmt
	conn *boundConn
}

// ExecContext implements driver.StmtExecContext.
func (s *boundStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, free := s.conn.timed(ctx)
	defer free()
	return s.sessionStmt.ExecContext(ctx, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *boundStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	ctx, free := s.conn.timed(ctx)
	rows, err := s.sessionStmt.QueryContext(ctx, args)
	return boundResult(rows, err, free)
}

// Close implements driver.Stmt. It waits for PostgreSQL's response, but only briefly, because the pool closes
// statements without a context: also when it closes a connection for a request.
func (s *boundStmt) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), responseSlack)
	defer cancel()
	defer s.conn.bound(ctx)()
	return s.sessionStmt.Close()
}

type sessionRows interface {
	driver.Rows
	driver.RowsNextResultSet
	driver.RowsColumnTypeScanType
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
}

// boundRows frees the bounds of its statement when it is closed.
type boundRows struct {
	sessionRows
	free func()
}

// boundResult returns the result of a query, which calls free when it is closed, or after an error.
func boundResult(result driver.Rows, err error, free func()) (driver.Rows, error) {
	if err != nil {
		free()
		return nil, err
	}
	rows, ok := result.(sessionRows)
	if !ok {
		free()
		return nil, fmt.Errorf("query: %T lacks methods of the driver's rows", result)
	}
	return &boundRows{rows, sync.OnceFunc(free)}, nil
}

// Close implements driver.Rows.
func (r *boundRows) Close() error {
	defer r.free()
	return r.sessionRows.Close()
}

// sessionDialer opens the connections of one session: first that of the session, perhaps after attempts at
// other hosts, and later those that cancel its statements. All have a deadline; the caller of the driver
// removes that of the session.
type sessionDialer struct {
	opened atomic.Bool // whether the session has been opened
	socket net.Conn    // the last connection before opened was set
}

var _ pq.DialerContext = (*sessionDialer)(nil)

// DialContext implements pq.DialerContext.
func (d *sessionDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	limit := connectLimit
	if d.opened.Load() {
		limit = cancelGrace
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	socket, err := socketDialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	if err := socket.SetDeadline(deadline); err != nil {
		_ = socket.Close()
		return nil, err
	}
	if d.opened.Load() {
		return cancelConn{socket}, nil
	}
	d.socket = socket
	return socket, nil
}

// Dial implements pq.Dialer. The driver prefers DialContext.
func (d *sessionDialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer. The driver prefers DialContext.
func (d *sessionDialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// cancelConn is a connection whose deadline stays, although the driver sets one of its own if the database's
// URL has a connect_timeout.
type cancelConn struct{ net.Conn }

// SetDeadline implements net.Conn.
func (cancelConn) SetDeadline(time.Time) error { return nil }
