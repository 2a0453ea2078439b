// Package schema creates and migrates the database, grants privileges on its tables, classifies its columns, and
// checks that a database is as the service requires.
package schema

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

// Store checks the database that a service uses. It is safe for concurrent use.
type Store struct {
	db        *pg.DB
	listenDSN string // for the connection that waits for notifications
}

// New returns a store that checks the database, and the notifications that a connection to listenDSN receives.
func New(db *pg.DB, listenDSN string) *Store { return &Store{db: db, listenDSN: listenDSN} }

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

// Migrate applies the missing migrations and returns how many it applied. Concurrent callers wait for
// each other. While it waits for a table's lock, it blocks other users of this table for at most half a
// second at a time. It does not block users of other tables, because each migration locks only one
// table. It returns an error if it cannot acquire its locks within two minutes; migrations that it
// applied before the error stay applied. It changes nothing and returns a *VersionError if the schema is of
// the development before 0.1.0.
func Migrate(ctx context.Context, databaseURL string) (applied int, err error) {
	return migrateFrom(ctx, databaseURL, migrations.FS)
}

func migrateFrom(ctx context.Context, databaseURL string, source fs.FS) (applied int, err error) {
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
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return 0, err
	}
	if e := (&VersionError{Version: version}); e.BeforeRelease() {
		return 0, e
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db.DB, source, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read the migrations: %w", err)
	}
	return migrate(ctx, provider)
}

// schemaVersion returns the number of the last applied migration, or 0 for an empty database.
func schemaVersion(ctx context.Context, db *sqlx.DB) (version int64, err error) {
	err = db.GetContext(ctx, &version, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
	if err != nil && pq.As(err, pqerror.UndefinedTable) == nil {
		return 0, pg.Translate(err, "read the schema's version")
	}
	return version, nil
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

// VersionError reports that the database's schema is too old for this program.
type VersionError struct{ Version, Needed int64 }

// BeforeRelease reports whether the schema is of the development before 0.1.0, which cannot be migrated.
func (e *VersionError) BeforeRelease() bool { return e.Version > 1 && e.Version <= migrations.Joined }

// Error implements the error interface.
func (e *VersionError) Error() string {
	if e.BeforeRelease() {
		return fmt.Sprintf("the database's schema has version %d of the development before 0.1.0, which cannot be migrated: "+
			"delete the database (`make clean` deletes that of `make run`), or restore a backup of a release", e.Version)
	}
	return fmt.Sprintf("the database's schema is at version %d, but this program needs version %d: run `taskmarketd migrate`", e.Version, e.Needed)
}

// Check returns a *VersionError if the database lacks migrations. It accepts a newer schema,
// because each schema stays compatible with the previous release.
func (s *Store) Check(ctx context.Context) error {
	needed, err := newestMigration()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	if e := (&VersionError{Version: version, Needed: needed}); version < needed || e.BeforeRelease() {
		return e
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
