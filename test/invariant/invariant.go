// Package invariant checks what must hold at the end of every simulated history. Both tiers of the
// simulator use it: test/simulation and the operations tests of test/e2e.
package invariant

import "fmt"

// Error reports that an invariant does not hold.
type Error struct{ Invariant, Detail string }

// Error implements the error interface.
func (e *Error) Error() string { return e.Invariant + ": " + e.Detail }

// Violated returns an *Error.
func Violated(invariant, format string, args ...any) error {
	return &Error{invariant, fmt.Sprintf(format, args...)}
}

// The invariants.
const (
	Head     = "the watcher reaches the head"
	Agree    = "chain, rows and API agree"
	Audit    = "the auditor has no findings"
	Refusal  = "the contracts refuse what the rules forbid"
	Failover = "no 503 while one provider is honest"
	Replay   = "a replay gives the same rows"
	Written  = "acknowledged writes exist"
	Events   = "events are unique and ordered"
	Payment  = "no payment is doubled"
	Money    = "money is conserved"
	End      = "every task can end"
)
