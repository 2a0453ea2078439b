package store

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/migrations"
)

// SchemaError says that the database lacks migrations of this program.
type SchemaError struct{ Version, Needed int64 }

// Error implements the error interface.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("the database's schema is at version %d, this program needs version %d: run `taskmarketd migrate`", e.Version, e.Needed)
}

// CheckSchema returns a *SchemaError when the database lacks migrations. A
// newer schema is fine: a release keeps what the release before it uses.
func (s *Store) CheckSchema(ctx context.Context) error {
	needed, err := newestMigration()
	if err != nil {
		return err
	}
	var version int64
	err = s.db.GetContext(ctx, &version, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
	if err != nil && pq.As(err, pqerror.UndefinedTable) == nil {
		return translate(err, "read the schema's version")
	}
	if version < needed {
		return &SchemaError{Version: version, Needed: needed}
	}
	return nil
}

// newestMigration returns the number of the last migration of this program.
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
