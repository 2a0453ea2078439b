package market_test

import (
	"slices"
	"testing"
	"time"

	"taskmarket/market"
)

// Timed is true only for actions that have a time window.
func TestTimedActionsDependOnTheTime(t *testing.T) {
	for action, want := range map[market.Action]bool{
		market.ActionMessage: false, market.ActionReview: false, market.ActionDispute: true, market.ActionEmergency: true,
	} {
		if got := action.Timed(); got != want {
			t.Errorf("%s.Timed() = %t, want %t", action, got, want)
		}
	}
}

// If a human is assigned, Allow permits messages exactly in the statuses that Statuses returns, so the store
// can check the status alone.
func TestStatusesAreThoseThatAllowPermits(t *testing.T) {
	for _, status := range market.Statuses() {
		task := market.Task{Status: status, Escrow: &market.EscrowTask{AcceptedAt: time.Unix(1, 0)}}
		for _, role := range []market.Role{market.RoleAgent, market.RoleHuman} {
			allowed := task.Allow(market.ActionMessage, role, time.Time{}) == nil
			if listed := slices.Contains(market.ActionMessage.Statuses(), status); listed != allowed {
				t.Errorf("%s: permitted = %t, and in Statuses = %t", status, allowed, listed)
			}
		}
	}
}
