package market_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
)

func TestTransitions(t *testing.T) {
	for name, test := range map[string]struct {
		history []any
		want    map[market.Status]time.Duration // time from now to each transition
	}{
		"funded":                 {[]any{"post"}, nil},
		"active":                 {[]any{"post", "accept"}, nil},
		"submitted":              {[]any{"post", "accept", "submit"}, map[market.Status]time.Duration{market.StatusValidating: day, market.StatusApproved: 37 * day}},
		"validating":             {[]any{"post", "accept", "submit", 2 * day}, map[market.Status]time.Duration{market.StatusApproved: 35 * day}},
		"approved by the agent":  {[]any{"post", "accept", "submit", "approve"}, map[market.Status]time.Duration{market.StatusApproved: 3 * day}},
		"disputed by the agent":  {[]any{"post", "accept", "submit", "agent disputes"}, map[market.Status]time.Duration{market.StatusApproved: 5 * day}},
		"disputed by the human":  {[]any{"post", "accept", "submit", "human disputes"}, map[market.Status]time.Duration{market.StatusApproved: 37 * day}},
		"cancelled":              {[]any{"post", "cancel"}, nil},
		"released by validators": {[]any{"post", "accept", "submit", day, "approve verdict"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			task, now := play(t, test.history...)
			var got map[market.Status]time.Duration
			for _, transition := range task.Transitions() {
				if got == nil {
					got = map[market.Status]time.Duration{}
				}
				got[transition.Status] = transition.At.Sub(now)
				if paid := sum(transition.Payments); (transition.Status == market.StatusApproved) != (paid.Sign() > 0) {
					t.Errorf("the transition to %s pays %s", transition.Status, paid)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Transitions() (-want +got):\n%s", diff)
			}
		})
	}
}

func sum(payments []market.Payment) *big.Int {
	total := new(big.Int)
	for _, p := range payments {
		total.Add(total, p.Amount)
	}
	return total
}

// The payments in a release add up to the amount, and the stake is returned in addition.
func TestReleasePaysEverything(t *testing.T) {
	task, _ := play(t, "post", "accept", "submit", "approve")
	task.Escrow.ApplicationID = 7
	transitions := task.Transitions()
	want := new(big.Int).Add(task.Amount, market.RequiredStake(task.Amount))
	if got := sum(transitions[len(transitions)-1].Payments); got.Cmp(want) != 0 {
		t.Errorf("a release pays %s, want amount and stake, %s", got, want)
	}
}

func TestTaskExpiresAtDeadline(t *testing.T) {
	task, now := play(t, "post")
	deadline := now.Add(time.Hour)
	task.Deadline = &deadline
	want := []market.Transition{{At: deadline, Status: market.StatusExpired}}
	if diff := cmp.Diff(want, task.Transitions()); diff != "" {
		t.Errorf("Transitions() (-want +got):\n%s", diff)
	}
	for _, o := range task.AllowedActions(market.RoleAgent, now) {
		if ends := o.Action == market.ActionAccept; ends != o.Closes.Equal(deadline) {
			t.Errorf("%s ends at %s", o.Action, o.Closes)
		}
	}
	task.Status = market.StatusExpired
	if transitions := task.Transitions(); transitions != nil {
		t.Errorf("an expired task transitions again: %v", transitions)
	}
}
