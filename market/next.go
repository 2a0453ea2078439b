package market

import (
	"math/big"
	"time"
)

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
