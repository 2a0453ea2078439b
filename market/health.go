package market

import (
	"errors"
	"time"
)

// HealthReason is a reason why the service is not healthy.
type HealthReason string

// The reasons that `GET /health` lists.
const (
	ReasonDatabaseUnavailable HealthReason = "database_unavailable" // PostgreSQL does not respond
	ReasonNodeUnavailable     HealthReason = "node_unavailable"     // no chain node responds
	ReasonChainLagging        HealthReason = "chain_lagging"        // the watcher is far behind the chain's head
	ReasonWatcherHalted       HealthReason = "watcher_halted"       // the watcher cannot continue until an operator acts
	ReasonFinalityViolated    HealthReason = "finality_violated"    // the nodes no longer return a block that was finalized
	ReasonAuditMismatch       HealthReason = "audit_mismatch"       // the contracts' state differs from the database
	ReasonKeeperAbsent        HealthReason = "keeper_absent"        // no process is running the keeper's jobs
	ReasonKeeperLimit         HealthReason = "keeper_limit"         // the keeper reached a spending limit
	ReasonSettlementOverdue   HealthReason = "settlement_overdue"   // a task is past its settlement time but not settled
	ReasonDiskFull            HealthReason = "disk_full"            // the disk is full, so that files or rows cannot be written
	ReasonDiskLow             HealthReason = "disk_low"             // uploads are refused, because little disk space is free
	ReasonStarting            HealthReason = "starting"             // a dependency has not responded since the process started
	ReasonStopping            HealthReason = "stopping"             // the process is shutting down
)

// ErrHeadUnread is returned instead of the chain's head until the first answer of a node, or the first failure.
var ErrHeadUnread = errors.New("the head has not been read yet")

// HealthyLag is how much older the last followed block can be than the chain's head. Beyond this
// limit, the service works, but its data is stale.
const HealthyLag = time.Minute

// HealthReasons lists every reason.
var HealthReasons = []HealthReason{
	ReasonDatabaseUnavailable, ReasonNodeUnavailable, ReasonChainLagging, ReasonWatcherHalted, ReasonFinalityViolated,
	ReasonAuditMismatch, ReasonKeeperAbsent, ReasonKeeperLimit, ReasonSettlementOverdue, ReasonDiskFull,
	ReasonDiskLow, ReasonStarting, ReasonStopping,
}

// Unavailable reports whether the service is unavailable for this reason, rather than only
// degraded.
func (r HealthReason) Unavailable() bool {
	switch r {
	case ReasonDatabaseUnavailable, ReasonWatcherHalted, ReasonFinalityViolated, ReasonStarting, ReasonStopping:
		return true
	case ReasonNodeUnavailable, ReasonChainLagging, ReasonAuditMismatch, ReasonKeeperAbsent, ReasonKeeperLimit,
		ReasonSettlementOverdue, ReasonDiskFull, ReasonDiskLow:
		return false
	}
	return true
}
