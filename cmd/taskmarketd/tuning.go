package main

import "time"

// tuning contains the times and sizes that are the same in every deployment. They are fields, not constants,
// only because tests need other values. Zero selects the default of the part that uses the value.
type tuning struct {
	// Poll is the pause between two requests for the head of the chain.
	Poll time.Duration
	// FinalityDoubt is how long repeated checks must agree on a fork below a finalized block, or on a shorter
	// chain, before the watcher accepts it. The usual cause is a lagging node.
	FinalityDoubt time.Duration
	// AuditInterval is the pause between two comparisons of the records with the contracts.
	AuditInterval time.Duration
	// StopDelay is how long a stopping server still accepts requests while its health check fails. It is longer
	// than the interval of a load balancer's health checks.
	StopDelay time.Duration
	// UnfundedTasks limits the listed tasks of each agent that are not funded. DailyRejections limits the
	// staked applications that each agent can reject in a day.
	UnfundedTasks, DailyRejections int
	// Connections and ConnectionsPerNetwork limit the open connections to the API: in total, and from one
	// network. Connections from trusted proxies are exempt from the second limit.
	Connections, ConnectionsPerNetwork int
	// FilesMinFree is the free space in bytes below which uploads are refused, if the file store is a folder.
	FilesMinFree int64
	// TracesShare is the share of the traces that are exported, from 0 to 1.
	TracesShare float64
}

// tuned are the values of serve.
var tuned = tuning{
	Poll: time.Second, StopDelay: 10 * time.Second, Connections: 10_000, ConnectionsPerNetwork: 500, FilesMinFree: 1 << 30, TracesShare: 0.01,
}
