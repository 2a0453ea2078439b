package market

// HealthReason is a reason why the service is not healthy.
type HealthReason string

// The reasons that `GET /health` lists.
const (
	ReasonDatabaseUnavailable HealthReason = "database_unavailable" // PostgreSQL does not answer
	ReasonNodeUnavailable     HealthReason = "node_unavailable"     // no chain node answers
	ReasonChainLagging        HealthReason = "chain_lagging"        // the watcher is far behind the chain's head
	ReasonWatcherHalted       HealthReason = "watcher_halted"       // the watcher cannot continue until an operator acts
	ReasonFinalityViolated    HealthReason = "finality_violated"    // the nodes no longer have a block that was final
	ReasonAuditMismatch       HealthReason = "audit_mismatch"       // the contracts differ from the database
	ReasonKeeperAbsent        HealthReason = "keeper_absent"        // no process performs the keeper's jobs
	ReasonKeeperLimit         HealthReason = "keeper_limit"         // the keeper has reached a spending limit
	ReasonSettlementOverdue   HealthReason = "settlement_overdue"   // a task is due and not settled
	ReasonDiskFull            HealthReason = "disk_full"            // files or rows cannot be written
	ReasonStarting            HealthReason = "starting"             // a dependency was not reached since the start
	ReasonStopping            HealthReason = "stopping"             // the process is shutting down
)

// HealthReasons lists every reason.
var HealthReasons = []HealthReason{
	ReasonDatabaseUnavailable, ReasonNodeUnavailable, ReasonChainLagging, ReasonWatcherHalted, ReasonFinalityViolated,
	ReasonAuditMismatch, ReasonKeeperAbsent, ReasonKeeperLimit, ReasonSettlementOverdue, ReasonDiskFull,
	ReasonStarting, ReasonStopping,
}

// Unavailable reports whether the reason makes the service unavailable. The others leave it
// degraded.
func (r HealthReason) Unavailable() bool {
	switch r {
	case ReasonDatabaseUnavailable, ReasonWatcherHalted, ReasonFinalityViolated, ReasonStarting, ReasonStopping:
		return true
	case ReasonNodeUnavailable, ReasonChainLagging, ReasonAuditMismatch, ReasonKeeperAbsent, ReasonKeeperLimit,
		ReasonSettlementOverdue, ReasonDiskFull:
		return false
	}
	return true
}
