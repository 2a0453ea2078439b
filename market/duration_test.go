package market_test

import (
	"testing"
	"time"

	"taskmarket/market"
)

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                             "0 seconds",
		time.Second:                   "1 second",
		10 * time.Minute:              "10 minutes",
		90 * time.Minute:              "1 hour 30 minutes",
		market.DisputeWindow:          "24 hours",
		market.ApprovedReview:         "72 hours",
		73 * time.Hour:                "3 days 1 hour",
		market.DisputedReview:         "5 days",
		market.SettleDelay:            "37 days",
		25*time.Hour + 30*time.Second: "25 hours 30 seconds",
	} {
		if got := market.FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%d) = %q, want %q", d, got, want)
		}
	}
}
