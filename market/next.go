package market

import (
	"math/big"
	"time"
)

// Transition is a change of a task that happens through the passing of time, unless a party acts
// first.
type Transition struct {
	At       time.Time // chain time
	Status   Status    // status of the task after the transition
	Payments []Payment // payments that the escrow makes at the transition
}

// Payee is the recipient of a payment.
type Payee string

// The payees.
const (
	PayeeHuman    Payee = "human"
	PayeePlatform Payee = "platform"
)

// PaymentKind is the kind of a payment.
type PaymentKind string

// The kinds of payments.
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

// Transitions lists the changes of the task if no party acts, in order of time. A last transition
// with payments ends the task: from then on anyone can settle it, and the keeper does. A task that
// is not under review never ends through the passing of time: its amount stays in the escrow until
// the agent cancels.
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

// release returns the payments of a release.
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
