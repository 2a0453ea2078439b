package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// ErrDiskFull is returned when the database has no room for a row.
var ErrDiskFull = errors.New("the database's disk is full")

// probeKey is the row of rate_limits that probes write. No quota has the name.
const probeKey = "probe"

// ProbeWrite writes a row, which the next sweep deletes. It returns ErrDiskFull
// when there is no room for it.
func (s *Store) ProbeWrite(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO rate_limits (key, tat) VALUES ($1, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET tat = excluded.tat`, probeKey)
	if pq.As(err, pqerror.DiskFull) != nil {
		return fmt.Errorf("%w: %w", ErrDiskFull, err)
	}
	return translate(err, "write a row")
}
