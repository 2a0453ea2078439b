package market_test

import (
	"encoding/json"
	"testing"
	"time"

	"taskmarket/market"
)

func TestTimesHaveMilliseconds(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2026-01-02T03:04:05Z":             "2026-01-02T03:04:05.000Z",
		"2026-01-02T03:04:05.1Z":           "2026-01-02T03:04:05.100Z",
		"2026-01-02T03:04:05.9999999Z":     "2026-01-02T03:04:05.999Z",
		"2026-01-02T05:04:05.120+02:00":    "2026-01-02T03:04:05.120Z",
		"2025-12-31T23:59:59.000999-00:01": "2026-01-01T00:00:59.000Z",
	} {
		var read struct{ At, Maybe *market.Time }
		if err := json.Unmarshal([]byte(`{"At":"`+given+`"}`), &read); err != nil {
			t.Fatalf("read %s: %v", given, err)
		}
		encoded, err := json.Marshal(read)
		if err != nil || string(encoded) != `{"At":"`+want+`","Maybe":null}` {
			t.Errorf("Marshal of %s = %s, %v, want %s", given, encoded, err, want)
		}
		if text, err := read.At.MarshalText(); err != nil || string(text) != want || read.At.String() != want || market.FormatTime(read.At.Time) != want {
			t.Errorf("%s as a text = %s, %v", given, text, err)
		}
	}
	for _, odd := range []string{`"2026-01-02"`, `"2026-01-02 03:04:05Z"`, `5`, `"x"`} {
		var read market.Time
		if err := json.Unmarshal([]byte(odd), &read); err == nil {
			t.Errorf("Unmarshal(%s) = %s, want an error", odd, read)
		}
	}
	now := time.Now()
	if !market.TimeOf(now).Equal(now) || *market.OptionalTime(&now).Optional() != now {
		t.Error("the time differs after a conversion")
	}
	if market.OptionalTime(nil) != nil || market.OptionalTime(nil).Optional() != nil {
		t.Error("nil differs after a conversion")
	}
}

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
