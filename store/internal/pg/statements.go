package pg

import (
	"context"
	"reflect"

	"github.com/jmoiron/sqlx"
)

// statement is a prepared statement with the rows that its results are scanned into.
type statement struct {
	*sqlx.Stmt
	rows *rowPool
}

// prepared returns the prepared statement for a constant query, bound to tx unless tx is nil. A
// transaction prepares a new query on the transaction's connection, because it holds locks and must
// not wait for another connection.
func (db *DB) prepared(ctx context.Context, tx *sqlx.Tx, query string) (statement, error) {
	db.preparing.RLock()
	pooled, ok := db.statements[query]
	db.preparing.RUnlock()
	switch {
	case !ok && tx == nil:
		return db.prepare(ctx, query)
	case !ok:
		db.queuePrepare(query)
		stmt, err := tx.PreparexContext(ctx, query)
		return statement{stmt, new(rowPool)}, err
	case tx == nil:
		return pooled, nil
	}
	return statement{tx.StmtxContext(ctx, pooled.Stmt), pooled.rows}, nil
}

func (db *DB) queuePrepare(query string) {
	db.preparing.Lock()
	defer db.preparing.Unlock()
	if db.unprepared == nil {
		db.unprepared = make(map[string]bool)
	}
	db.unprepared[query] = true
}

// prepareQueued prepares, in the pool, the queries that transactions have prepared on their own
// connections. If preparing a query fails, the next transaction that uses it queues it again.
func (db *DB) prepareQueued(ctx context.Context) {
	ctx, cancel := within(ctx)
	defer cancel()
	db.preparing.Lock()
	unprepared := db.unprepared
	db.unprepared = nil
	db.preparing.Unlock()
	for query := range unprepared {
		_, _ = db.prepare(ctx, query)
	}
}

func (db *DB) prepare(ctx context.Context, query string) (statement, error) {
	fresh, err := db.Pool.PreparexContext(ctx, query)
	if err != nil {
		return statement{}, err
	}
	return db.addStatement(query, fresh), nil
}

// addStatement stores a prepared statement. If another statement for the same query was stored
// first, it returns that statement.
func (db *DB) addStatement(query string, fresh *sqlx.Stmt) statement {
	db.preparing.Lock()
	defer db.preparing.Unlock()
	if first, ok := db.statements[query]; ok {
		_ = fresh.Close()
		return first
	}
	added := statement{fresh, new(rowPool)}
	db.statements[query] = added
	return added
}

// Get scans the single row that a prepared query returns. tx can be nil. It returns the driver's
// errors, which the caller passes to Translate.
func (db *DB) Get(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	if tx == nil {
		var cancel context.CancelFunc
		ctx, cancel = within(ctx)
		defer cancel()
	}
	stmt, err := db.prepared(ctx, tx, query)
	if err != nil {
		return err
	}
	row := reflect.ValueOf(dest).Elem()
	if !isRow(row.Type()) {
		return stmt.GetContext(ctx, dest, args...)
	}
	rows, err := stmt.QueryxContext(ctx, args...)
	if err != nil {
		return err
	}
	return scanOne(rows, stmt.rows, row)
}

// Select scans all rows that a prepared query returns into the slice that dest points to.
func (db *DB) Select(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	if tx == nil {
		var cancel context.CancelFunc
		ctx, cancel = within(ctx)
		defer cancel()
	}
	stmt, err := db.prepared(ctx, tx, query)
	if err != nil {
		return err
	}
	return stmt.SelectContext(ctx, dest, args...)
}

// SelectAdHoc is like Select for a query that is not constant, outside of a transaction.
func (db *DB) SelectAdHoc(ctx context.Context, dest any, query string, args ...any) error {
	ctx, cancel := within(ctx)
	defer cancel()
	return db.Pool.SelectContext(ctx, dest, query, args...)
}

// Exec runs a prepared statement and returns the number of changed rows.
func (db *DB) Exec(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (int64, error) {
	if tx == nil {
		var cancel context.CancelFunc
		ctx, cancel = within(ctx)
		defer cancel()
	}
	stmt, err := db.prepared(ctx, tx, query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
