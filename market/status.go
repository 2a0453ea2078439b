package market

// Status is what a task is for the people who use it.
type Status string

// The statuses of a task.
const (
	StatusNew        Status = "new"        // recorded, nothing locked
	StatusFunded     Status = "funded"     // the escrow holds the amount; humans may apply
	StatusActive     Status = "active"     // a human was accepted and works
	StatusSubmitted  Status = "submitted"  // work delivered; the agent may approve or dispute
	StatusValidating Status = "validating" // validators decide whether to release
	StatusDisputed   Status = "disputed"   // validators decide a dispute
	StatusApproved   Status = "approved"   // released to the human
	StatusRejected   Status = "rejected"   // refunded by verdict
	StatusCancelled  Status = "cancelled"  // refunded before any submission
	StatusExpired    Status = "expired"    // deadline passed, amount still locked
)

// Statuses lists every status in life-cycle order.
func Statuses() []Status {
	return []Status{
		StatusNew, StatusFunded, StatusActive, StatusSubmitted, StatusValidating,
		StatusDisputed, StatusApproved, StatusRejected, StatusCancelled, StatusExpired,
	}
}

// ChainStatus is a task's state in the escrow contract, with the contract's numbers.
type ChainStatus uint8

// The states of the escrow contract.
const (
	ChainNone ChainStatus = iota
	ChainPosted
	ChainActive
	ChainSubmitted
	ChainDisputed
	ChainReleased
	ChainRefunded
	ChainCancelled
)

// StatusRow is a line of the one mapping table from the contract's states to ours.
type StatusRow struct {
	Chain    ChainStatus
	Name     string   // the contract's spelling
	Statuses []Status // what a task in that state can be, depending on time
}

// StatusTable is the mapping of every status from Solidity to the wire. SQL
// constraints, openapi.yaml and the web app are compared with it by tests.
func StatusTable() []StatusRow {
	return []StatusRow{
		{ChainNone, "None", []Status{StatusNew}},
		{ChainPosted, "Posted", []Status{StatusFunded, StatusExpired}},
		{ChainActive, "Active", []Status{StatusActive, StatusExpired}},
		{ChainSubmitted, "Submitted", []Status{StatusSubmitted, StatusValidating}},
		{ChainDisputed, "Disputed", []Status{StatusDisputed}},
		{ChainReleased, "Released", []Status{StatusApproved}},
		{ChainRefunded, "Refunded", []Status{StatusRejected}},
		{ChainCancelled, "Cancelled", []Status{StatusCancelled}},
	}
}

// String returns the contract's spelling.
func (s ChainStatus) String() string {
	for _, row := range StatusTable() {
		if row.Chain == s {
			return row.Name
		}
	}
	return "unknown"
}

// Ended reports whether the state is never left.
func (s ChainStatus) Ended() bool { return s >= ChainReleased }

// Ended reports whether the status is final (a reorganisation apart).
func (s Status) Ended() bool {
	return s == StatusApproved || s == StatusRejected || s == StatusCancelled
}
