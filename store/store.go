package store

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

const pingDeadline = 2 * time.Second

// Store is the database of one deployment. It is safe for concurrent use.
type Store struct {
	db         *pg.DB
	deployment market.Deployment
	karmaFloor *big.Int // wei
	herald     herald
}

// PageQuery selects a page of a list.
type PageQuery = pg.PageQuery

// Page is a part of a list that has a total order.
type Page[T any] = pg.Page[T]

// Option changes what a store reckons with.
type Option func(*Store)

// WithKarmaFeeFloor lets tasks move karma from that fee on, in wei, in place of
// market.DefaultKarmaFeeFloor.
func WithKarmaFeeFloor(fee *big.Int) Option {
	return func(s *Store) { s.karmaFloor = fee }
}

// Open is New for a database that must answer now.
func Open(ctx context.Context, databaseURL string, d market.Deployment, options ...Option) (*Store, error) {
	s, err := New(databaseURL, d, options...)
	if err != nil {
		return nil, err
	}
	if err := s.Ping(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// New returns the store of a migrated database without connecting to it: the
// first use does. Records that depend on the chain are written for the
// deployment d; those of other deployments stay readable.
func New(databaseURL string, d market.Deployment, options ...Option) (*Store, error) {
	s := &Store{deployment: d, karmaFloor: market.DefaultKarmaFeeFloor()}
	db, err := pg.New(databaseURL, s.announce)
	if err != nil {
		return nil, err
	}
	s.db = db
	for _, option := range options {
		option(s)
	}
	return s, nil
}

// Ping reports whether the database answers and takes writes: one that lost its
// place as the primary, or whose disk is full, may still be read.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingDeadline)
	defer cancel()
	var readOnly bool
	if err := s.db.Pool.GetContext(ctx, &readOnly, `SELECT current_setting('transaction_read_only')::boolean`); err != nil {
		return pg.Translate(err, "ping the database")
	}
	if readOnly {
		return pg.Refusal(market.KindUnavailable, "the database takes no writes", nil)
	}
	return nil
}

// Close ends all connections.
func (s *Store) Close() error { return s.db.Pool.Close() }

// Deployment returns the deployment that the store was opened for.
func (s *Store) Deployment() market.Deployment { return s.deployment }

// ErrDiskFull is returned when the database has no room for a row.
var ErrDiskFull = errors.New("the database's disk is full")

// probeKey is the row of rate_limits that probes write. No quota has the name.
const probeKey = "probe"

// ProbeWrite writes a row, which the next sweep deletes. It returns ErrDiskFull
// when there is no room for it.
func (s *Store) ProbeWrite(ctx context.Context) error {
	_, err := s.db.Pool.ExecContext(ctx, `
		INSERT INTO rate_limits (key, tat) VALUES ($1, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET tat = excluded.tat`, probeKey)
	if pq.As(err, pqerror.DiskFull) != nil {
		return fmt.Errorf("%w: %w", ErrDiskFull, err)
	}
	return pg.Translate(err, "write a row")
}
