package market

import (
	"math/big"
	"time"
)

// Transition is a change of a task that happens by time alone, if no party acts before.
type Transition struct {
	At       time.Time // chain time
	Status   Status    // what the task is from then on
	Payments []Payment // what the escrow pays then
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
	PaymentPayout PaymentKind = "payout" // the amount without the fee
	PaymentFee    PaymentKind = "fee"
	PaymentStake  PaymentKind = "stake" // returned to the human
)

// Payment is a payment to one recipient at the end of a task.
type Payment struct {
	To     Payee
	Kind   PaymentKind
	Amount *big.Int // wei
}

// Transitions lists what happens to the task if no party acts, in order of time; a last
// one with payments is the end, which anyone may bring about from then on and
// the keeper does. What is not under review never ends by time: its amount
// stays in the escrow until the agent cancels.
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
