package gate_test

import (
	"testing"
	"time"

	"taskmarket/server/gate"
)

func TestLimitsAreParsedAsRateAndBurst(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]gate.Limit{
		"6/min:3":   {Count: 6, Period: time.Minute, Burst: 3},
		"10/s:1":    {Count: 10, Period: time.Second, Burst: 1},
		"5/hour:20": {Count: 5, Period: time.Hour, Burst: 20},
	} {
		if got, err := gate.ParseLimit(text); err != nil || got != want {
			t.Errorf("ParseLimit(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "6/min", "6:3", "/min:3", "0/min:3", "6/min:0", "-6/min:3", "6/day:3", "6/min:x", "6/min:3:3"} {
		if got, err := gate.ParseLimit(text); err == nil {
			t.Errorf("ParseLimit(%q) = %+v", text, got)
		}
	}
}
