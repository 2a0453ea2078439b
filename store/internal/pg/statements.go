package pg

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// prepared returns the statement of a query whose text is a constant, prepared
// once per connection; bound to tx unless tx is nil. A transaction that meets a
// query for the first time prepares it for itself: another connection may be
// long in coming while it holds locks.
func (db *DB) prepared(ctx context.Context, tx *sqlx.Tx, query string) (*sqlx.Stmt, error) {
	db.preparing.RLock()
	stmt := db.statements[query]
	db.preparing.RUnlock()
	switch {
	case stmt == nil && tx == nil:
		return db.prepare(ctx, query)
	case stmt == nil:
		db.want(query)
		return tx.PreparexContext(ctx, query)
	case tx == nil:
		return stmt, nil
	}
	return tx.StmtxContext(ctx, stmt), nil
}

func (db *DB) want(query string) {
	db.preparing.Lock()
	defer db.preparing.Unlock()
	if db.wanted == nil {
		db.wanted = make(map[string]bool)
	}
	db.wanted[query] = true
}

// prepareWanted prepares for good what transactions had to prepare for
// themselves. A query that fails stays unknown, and is wanted again.
func (db *DB) prepareWanted(ctx context.Context) {
	db.preparing.Lock()
	wanted := db.wanted
	db.wanted = nil
	db.preparing.Unlock()
	for query := range wanted {
		_, _ = db.prepare(ctx, query) //nolint:sqlclosecheck // it lives as long as the pool
	}
}

func (db *DB) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	fresh, err := db.Pool.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return db.remember(query, fresh), nil
}

// remember keeps the first of several statements of one query.
func (db *DB) remember(query string, fresh *sqlx.Stmt) *sqlx.Stmt {
	db.preparing.Lock()
	defer db.preparing.Unlock()
	if first := db.statements[query]; first != nil {
		_ = fresh.Close()
		return first
	}
	db.statements[query] = fresh
	return fresh
}

// Get scans the one row of a prepared query; a nil tx means none. Errors are
// the driver's, for Translate.
func (db *DB) Get(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	stmt, err := db.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return err
	}
	return stmt.GetContext(ctx, dest, args...)
}

// Select scans all rows of a prepared query into the slice that dest points to.
func (db *DB) Select(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	stmt, err := db.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return err
	}
	return stmt.SelectContext(ctx, dest, args...)
}

// Exec runs a prepared statement and returns how many rows it changed.
func (db *DB) Exec(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (int64, error) {
	stmt, err := db.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
