package market

import (
	"math/big"
	"time"
)

// Status is the status of a task in the API.
type Status string

// The statuses of a task.
const (
	StatusNew        Status = "new"        // recorded; nothing is locked
	StatusFunded     Status = "funded"     // the amount is locked in the escrow; humans can apply
	StatusActive     Status = "active"     // a human was accepted and can submit work
	StatusSubmitted  Status = "submitted"  // work was submitted; the agent can approve or dispute it
	StatusValidating Status = "validating" // the validators decide whether to release the payment
	StatusDisputed   Status = "disputed"   // the validators decide a dispute
	StatusApproved   Status = "approved"   // the payment was released to the human
	StatusRejected   Status = "rejected"   // the amount was refunded by a verdict
	StatusCancelled  Status = "cancelled"  // cancelled and refunded before a submission
	StatusExpired    Status = "expired"    // the deadline has passed; the amount is still locked
)

// Statuses lists every status in life-cycle order.
func Statuses() []Status {
	return []Status{
		StatusNew, StatusFunded, StatusActive, StatusSubmitted, StatusValidating,
		StatusDisputed, StatusApproved, StatusRejected, StatusCancelled, StatusExpired,
	}
}

// ChainStatus is a task's state in the escrow contract, numbered as in the contract.
type ChainStatus uint8

// The states of a task in the escrow contract.
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

// StatusRow maps one contract state to the API statuses.
type StatusRow struct {
	Chain    ChainStatus
	Name     string   // name of the state in the contract
	Statuses []Status // possible API statuses for a task in this state; time and the agent's approval decide which one applies
}

// StatusTable maps the contract states to the API statuses. Tests compare it with the SQL
// constraints, openapi.yaml and the web app.
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

// String returns the name of the state in the contract.
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

// Ended reports whether the status is final. Only a reorganisation can change a final status.
func (s Status) Ended() bool {
	return s == StatusApproved || s == StatusRejected || s == StatusCancelled
}

// Transition is a change to a task that happens through the passing of time, unless a party acts
// first.
type Transition struct {
	At       time.Time // chain time
	Status   Status    // the task's status after the transition
	Payments []Payment // payments that the contracts make when the task is settled; nil unless the task ends
}

// Payee is the recipient of a payment.
type Payee string

// The possible recipients of a payment.
const (
	PayeeHuman    Payee = "human"
	PayeePlatform Payee = "platform"
)

// PaymentKind is the purpose of a payment.
type PaymentKind string

// The purposes of a payment.
const (
	PaymentPayout PaymentKind = "payout" // the amount minus the fee
	PaymentFee    PaymentKind = "fee"
	PaymentStake  PaymentKind = "stake" // the stake, returned to the human
)

// Payment is a payment to one recipient at the end of a task.
type Payment struct {
	To     Payee
	Kind   PaymentKind
	Amount *big.Int // wei
}

// Transitions lists the changes to the task if no party acts, in order of time. If the last
// transition has payments, the task ends with it. From then on anyone can settle the task, and the
// keeper does so. A task that is not under review never ends through the passing of time, so its
// amount stays in the escrow until a party acts.
func (t *Task) Transitions() []Transition {
	var transitions []Transition
	if at := t.TransitionAt(); at != nil {
		if status := StatusAt(t.Escrow, t.Deadline, *at); status != t.Status {
			transitions = append(transitions, Transition{At: *at, Status: status})
		}
	}
	if t.Escrow == nil || t.Escrow.SettleAt().IsZero() {
		return transitions
	}
	return append(transitions, Transition{At: t.Escrow.SettleAt(), Status: StatusApproved, Payments: t.release()})
}

// release returns the payments that the contracts make when the amount is released.
func (t *Task) release() []Payment {
	e := t.Escrow
	payments := []Payment{{PayeeHuman, PaymentPayout, Payout(e.Amount, e.FeeBasisPoints)}}
	if fee := Fee(e.Amount, e.FeeBasisPoints); fee.Sign() > 0 {
		payments = append(payments, Payment{PayeePlatform, PaymentFee, fee})
	}
	if e.ApplicationID != 0 {
		payments = append(payments, Payment{PayeeHuman, PaymentStake, RequiredStake(e.Amount)})
	}
	return payments
}
