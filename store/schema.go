package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"taskmarket/migrations"
	"taskmarket/store/internal/pg"
)

// CreateDatabase creates a database in the cluster at adminURL unless it exists.
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

// A migration that waits for a lock blocks all later statements on the table. It therefore stops
// waiting after a short time, lets the other statements run, and retries.
const (
	migrationLock     = 500 * time.Millisecond
	migrationPause    = time.Second
	migrationPatience = 2 * time.Minute
)

// Migrate applies the missing migrations and returns how many it applied. Concurrent callers wait
// for each other. While it waits for a lock, it blocks other users of the database for at most half
// a second at a time. It returns an error if it cannot acquire its locks within two minutes;
// migrations that it applied before the error stay applied.
func Migrate(ctx context.Context, databaseURL string) (applied int, err error) {
	db, err := pg.Open(databaseURL, pg.Timeouts{Lock: migrationLock}, sql.OpenDB)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	// Try once a second for two minutes, which is long enough for another replica's migration.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120))
	if err != nil {
		return 0, fmt.Errorf("create the migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db.DB, migrations.FS, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read the migrations: %w", err)
	}
	return migrate(ctx, provider)
}

// migrate applies the missing migrations and retries while other transactions hold the locks it
// needs.
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

// SchemaError reports that the database lacks migrations that this program needs.
type SchemaError struct{ Version, Needed int64 }

// Error implements the error interface.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("the database's schema is at version %d, this program needs version %d: run `taskmarketd migrate`", e.Version, e.Needed)
}

// CheckSchema returns a *SchemaError if the database lacks migrations. It accepts a newer schema,
// because each schema stays compatible with the previous release.
func (s *Store) CheckSchema(ctx context.Context) error {
	needed, err := newestMigration()
	if err != nil {
		return err
	}
	var version int64
	err = s.db.Pool.GetContext(ctx, &version, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
	if err != nil && pq.As(err, pqerror.UndefinedTable) == nil {
		return pg.Translate(err, "read the schema's version")
	}
	if version < needed {
		return &SchemaError{Version: version, Needed: needed}
	}
	return nil
}

// newestMigration returns the number of this program's last migration.
func newestMigration() (int64, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return 0, fmt.Errorf("list the migrations: %w", err)
	}
	newest := int64(0)
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the number of migration %s: %w", name, err)
		}
		newest = max(newest, version)
	}
	return newest, nil
}
