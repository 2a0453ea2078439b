// Package store persists the marketplace in PostgreSQL. Requests write the records of users, such as accounts, tasks,
// applications and messages. There is one file for each kind of record.
//
// What others write has packages of its own, which are fields of Store: the watcher's journal, the keeper's
// outbox, moderation, what operators use, and checks of the schema.
//
// An exported method writes all its changes in one transaction, except for maintenance such as
// Sweep. An error that the caller can handle is a *market.Error; any other error names the failed
// operation.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/big"
	"time"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
	"taskmarket/store/journal"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
	"taskmarket/store/schema"
)

const pingDeadline = 2 * time.Second

// Store provides access to the database for one deployment. It is safe for concurrent use.
type Store struct {
	Journal    *journal.Store
	Outbox     *outbox.Store
	Moderation *moderation.Store
	Operators  *operators.Store
	Schema     *schema.Store

	db         *pg.DB
	deployment market.Deployment
	karmaFloor *big.Int // lowest fee, in wei, at which a task changes karma
	quotas     Quotas
	conns      int    // size of the connection pool
	listenDSN  string // for the connection that waits for notifications
	standbyDSN string
	standby    *pg.Standby // nil without one
	open       func(driver.Connector) *sql.DB
	announcer  announcer

	auditRetention time.Duration
}

// PageQuery selects a page of a list.
type PageQuery = pg.PageQuery

// Page is one page of an ordered list.
type Page[T any] = pg.Page[T]

// Option configures a store.
type Option func(*Store)

// WithKarmaFeeFloor sets the lowest fee, in wei, at which a task changes karma. The default is
// market.DefaultKarmaFeeFloor().
func WithKarmaFeeFloor(fee *big.Int) Option {
	return func(s *Store) { s.karmaFloor = fee }
}

// Quotas are limits for each agent.
type Quotas struct {
	Unfunded   int // listed tasks that are not funded
	Rejections int // rejections of staked applications in market.ForfeitInterval
}

// WithQuotas sets the limits for each agent; those that are 0 stay at their defaults,
// market.MaxUnfundedTasks and market.MaxDailyForfeits.
func WithQuotas(q Quotas) Option {
	return func(s *Store) {
		s.quotas = Quotas{Unfunded: cmp.Or(q.Unfunded, s.quotas.Unfunded), Rejections: cmp.Or(q.Rejections, s.quotas.Rejections)}
	}
}

// WithConnections sets the size of the connection pool. Transactions use all but a few of the
// connections. The default is 20.
func WithConnections(n int) Option {
	return func(s *Store) { s.conns = n }
}

// WithListenURL sets the URL for the connection that waits for notifications; "" means the URL of
// the database. It must lead to the same database and not through a proxy that shares sessions
// between clients, because notifications reach only the session that listens.
func WithListenURL(databaseURL string) Option {
	return func(s *Store) { s.listenDSN = databaseURL }
}

// WithStandby sets the URL of a streaming replica, which serves public lists while it follows the
// primary. "" means none.
func WithStandby(standbyURL string) Option {
	return func(s *Store) { s.standbyDSN = standbyURL }
}

// WithOpen sets the function that opens the connection pool, for measurements. The default is
// sql.OpenDB.
func WithOpen(open func(driver.Connector) *sql.DB) Option {
	return func(s *Store) { s.open = open }
}

// WithAuditRetention sets how long Sweep keeps the audit log.
func WithAuditRetention(d time.Duration) Option {
	return func(s *Store) { s.auditRetention = d }
}

// PlaintextHosts returns the hosts of a database URL that a connection may reach over a network
// without TLS. Loopback addresses and sockets are not included.
func PlaintextHosts(databaseURL string) ([]string, error) { return pg.PlaintextHosts(databaseURL) }

// Open creates a store like New and checks the connection with Ping.
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

// New returns a store for a migrated database. It does not connect to the database; the first query
// does. Records that depend on the chain are written for the deployment d; records for other
// deployments stay readable.
func New(databaseURL string, d market.Deployment, options ...Option) (*Store, error) {
	s := &Store{
		deployment: d, karmaFloor: market.DefaultKarmaFeeFloor(), conns: pg.DefaultConns, open: sql.OpenDB, auditRetention: operators.DefaultAuditRetention,
		quotas: Quotas{Unfunded: market.MaxUnfundedTasks, Rejections: market.MaxDailyForfeits},
	}
	for _, option := range options {
		option(s)
	}
	var err error
	if s.listenDSN, err = pg.ListenDSN(cmp.Or(s.listenDSN, databaseURL)); err != nil {
		return nil, err
	}
	if s.db, err = pg.New(databaseURL, s.conns, s.open, s.admitCaller, s.announce); err != nil {
		return nil, err
	}
	s.Journal, s.Outbox, s.Moderation = journal.New(s.db, d), outbox.New(s.db, d), moderation.New(s.db)
	s.Operators = operators.New(s.db, d, s.Outbox, s.auditRetention)
	s.Schema = schema.New(s.db, s.listenDSN)
	if s.standbyDSN == "" {
		return s, nil
	}
	standby, err := pg.New(s.standbyDSN, s.conns, s.open, pg.AdmitAll, func() {})
	if err != nil {
		return nil, errors.Join(err, s.db.Pool.Close())
	}
	s.standby = pg.NewStandby(s.db, standby)
	return s, nil
}

// Ping returns an error unless the database responds and accepts writes. Checking reads would not
// be enough, because a former primary can still accept them.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingDeadline)
	defer cancel()
	var server struct {
		ReadOnly bool `db:"read_only"`
		Standby  bool `db:"standby"`
	}
	err := s.db.Pool.GetContext(ctx, &server, `
		SELECT current_setting('transaction_read_only')::boolean AS read_only, pg_is_in_recovery() AS standby`)
	switch {
	case err != nil:
		return pg.Translate(err, "ping the database")
	case server.Standby:
		return pg.Refusal(market.KindUnavailable, "the database server is a standby: connect to the primary, "+
			"or name all hosts in the URL with target_session_attrs=read-write", nil)
	case server.ReadOnly:
		return pg.Refusal(market.KindUnavailable, "the database does not accept writes: check default_transaction_read_only", nil)
	}
	return nil
}

// Close closes all connections.
func (s *Store) Close() error { return errors.Join(s.standby.Close(), s.db.Pool.Close()) }

// Deployment returns the deployment that the store was opened for.
func (s *Store) Deployment() market.Deployment { return s.deployment }

// StandbyAge returns the maximum age of the records that the standby serves. ok is false if there is no
// standby. It waits at most a few seconds for the standby to catch up with the primary.
func (s *Store) StandbyAge(ctx context.Context) (age time.Duration, ok bool) {
	if s.standby == nil {
		return 0, false
	}
	return s.standby.Age(ctx), true
}

// PoolStats returns the statistics of the connection pool.
func (s *Store) PoolStats() sql.DBStats { return s.db.Pool.Stats() }
