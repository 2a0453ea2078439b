package market

// Status is the status of a task, as the API shows it.
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

// StatusRow maps one state of the contract to statuses of the API.
type StatusRow struct {
	Chain    ChainStatus
	Name     string   // the contract's name for the state
	Statuses []Status // possible statuses of a task in that state, depending on time
}

// StatusTable maps the states of the contract to the statuses of the API. Tests compare SQL
// constraints, openapi.yaml and the web app with it.
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

// String returns the contract's name for the state.
func (s ChainStatus) String() string {
	for _, row := range StatusTable() {
		if row.Chain == s {
			return row.Name
		}
	}
	return "unknown"
}

// Ended reports whether the state is final.
func (s ChainStatus) Ended() bool { return s >= ChainReleased }

// Ended reports whether the status is final. (Only a reorganisation can change it.)
func (s Status) Ended() bool {
	return s == StatusApproved || s == StatusRejected || s == StatusCancelled
}
