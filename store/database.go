package store

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// CreateDatabase makes a database in the cluster that adminURL connects to,
// unless there is one of that name.
func CreateDatabase(ctx context.Context, adminURL, name string) error {
	db, err := sqlx.Open("postgres", adminURL)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "CREATE DATABASE "+pq.QuoteIdentifier(name))
	if err != nil && pq.As(err, pqerror.DuplicateDatabase) == nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}
