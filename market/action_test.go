package market_test

import (
	"testing"

	"taskmarket/market"
)

// Allow ignores the time for an action that is not timed.
func TestTimedActionsDependOnTheTime(t *testing.T) {
	for action, want := range map[market.Action]bool{
		market.ActionMessage: false, market.ActionReview: false, market.ActionDispute: true, market.ActionEmergency: true,
	} {
		if got := action.Timed(); got != want {
			t.Errorf("%s.Timed() = %t, want %t", action, got, want)
		}
	}
}
