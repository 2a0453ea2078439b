// Package journal stores the blocks and logs that the watcher reads, together with all rows that are derived
// from them.
//
// The watcher writes the journal while it has the lease from Lead. Advance, Rewind and Repair, and an
// operator's Reset, each commit one change to the logs together with all rows derived from it, so that the
// derived columns always match the canonical logs and chain time. A log is processed in this order:
//
//	chain_logs → onchain_tasks, onchain_applications, chain_parameters
//	           → tasks, applications → activities, outbox
//
// Each arrow is a function in package fold that can be repeated for any record. Advancing, rewinding and
// linking call the same functions for the affected records. The auditor compares the derived rows with the
// contracts.
package journal

import (
	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Store provides access to the journal of one deployment. It is safe for concurrent use.
type Store struct {
	db         *pg.DB
	deployment market.Deployment
}

// New returns the journal of a deployment.
func New(db *pg.DB, d market.Deployment) *Store { return &Store{db: db, deployment: d} }
