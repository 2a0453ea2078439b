// Package operators stores the sessions of operators and the audit log, and finds the records and the state that
// operators read.
package operators

import (
	"time"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
	"taskmarket/store/outbox"
)

// Store provides access for the operators of one deployment. It is safe for concurrent use.
type Store struct {
	db             *pg.DB
	deployment     market.Deployment
	outbox         *outbox.Store
	auditRetention time.Duration
}

// New returns a store on the database. Sweep keeps the audit log for auditRetention.
func New(db *pg.DB, d market.Deployment, jobs *outbox.Store, auditRetention time.Duration) *Store {
	return &Store{db: db, deployment: d, outbox: jobs, auditRetention: auditRetention}
}
