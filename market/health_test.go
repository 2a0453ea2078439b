package market_test

import (
	"testing"

	"taskmarket/market"
)

func TestHealthReasonsAreListedOnce(t *testing.T) {
	t.Parallel()
	seen := make(map[market.HealthReason]bool)
	for _, reason := range market.HealthReasons {
		if seen[reason] {
			t.Errorf("HealthReasons lists %q twice", reason)
		}
		seen[reason] = true
	}
	for _, reason := range []market.HealthReason{market.ReasonWatcherHalted, market.ReasonStarting, "unknown"} {
		if !reason.Unavailable() {
			t.Errorf("%q.Unavailable() = false, want true", reason)
		}
	}
}
