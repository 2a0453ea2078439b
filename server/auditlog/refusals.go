// Package auditlog collects refused requests for the audit log. Refusals cost an attacker nothing, so
// they are counted in memory and written once a minute, in a limited number of rows.
package auditlog

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
)

const (
	// Interval is the time between two calls of Flush. A process that is killed loses the refusals since
	// its last successful Flush.
	Interval = time.Minute
	// MaxRows is the maximum number of rows with details that one Flush writes for each kind. The other
	// refusals of the kind share one more row.
	MaxRows = 50
	// DetailMerged marks the row that counts refusals without their account, operator, network and request.
	DetailMerged = "merged"
)

// Refusals counts refused requests by kind, account or operator, and network. It is safe for concurrent use.
type Refusals struct {
	write  func(context.Context, ...market.AuditEntry) error
	merged func(int) // called with the number of refusals that are counted without their details

	mu      sync.Mutex
	entries map[key]*market.AuditEntry
	rows    map[market.AuditKind]int // number of entries with details by kind
}

// key contains what the refusals of one entry have in common. The account, operator and network of a merged
// entry are zero.
type key struct {
	kind     market.AuditKind
	account  uuid.UUID
	operator string
	network  netip.Prefix
}

// New returns a collector that writes with write. merged is called with the number of refusals that
// are counted without their details.
func New(write func(context.Context, ...market.AuditEntry) error, merged func(int)) *Refusals {
	return &Refusals{write: write, merged: merged, entries: make(map[key]*market.AuditEntry), rows: make(map[market.AuditKind]int)}
}

// Note counts a refusal. It does no I/O. The entry of several refusals has the operation and the
// request id of the first one.
func (r *Refusals) Note(e market.AuditEntry) {
	e.Count = 1
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(e)
}

// add adds the count of an entry. The caller holds the lock.
func (r *Refusals) add(e market.AuditEntry) {
	k := key{e.Kind, e.Account, e.Operator, e.Network}
	switch entry := r.entries[k]; {
	case entry != nil:
		entry.Count = min(entry.Count+e.Count, math.MaxInt32)
		return
	case e.Detail == DetailMerged:
	case r.rows[e.Kind] < MaxRows:
		r.rows[e.Kind]++
	default:
		r.merged(e.Count)
		r.add(market.AuditEntry{Kind: e.Kind, Detail: DetailMerged, Count: e.Count})
		return
	}
	r.entries[k] = &e
}

// Flush writes what was counted since the last call. If that fails, the counts are kept for the next
// call.
func (r *Refusals) Flush(ctx context.Context) error {
	r.mu.Lock()
	taken, rows := r.entries, r.rows
	r.entries, r.rows = make(map[key]*market.AuditEntry), make(map[market.AuditKind]int)
	r.mu.Unlock()
	if len(taken) == 0 {
		return nil
	}
	entries := make([]market.AuditEntry, 0, len(taken))
	for _, entry := range taken {
		entries = append(entries, *entry)
	}
	if err := r.write(ctx, entries...); err != nil {
		r.restore(taken, rows)
		return fmt.Errorf("write refusals to the audit log: %w", err)
	}
	return nil
}

// restore adds the counts of a failed Flush. Its entries come first, so that refusals during a database
// outage do not displace them.
func (r *Refusals) restore(taken map[key]*market.AuditEntry, rows map[market.AuditKind]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := r.entries
	r.entries, r.rows = taken, rows
	for _, entry := range since {
		r.add(*entry)
	}
}
