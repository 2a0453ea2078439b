package market

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// timeLayout is RFC 3339 with exactly three fractional digits in the seconds.
const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// FormatTime formats t as in every API response, which is RFC 3339 in UTC with milliseconds, for
// example 2026-01-02T03:04:05.000Z. Smaller fractions are truncated.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// Time is a time in the API. It is formatted by FormatTime; ParseTime parses it.
type Time struct{ time.Time }

// TimeOf converts t to a time in the API.
func TimeOf(t time.Time) Time { return Time{t} }

// OptionalTime converts t like TimeOf. It returns nil for nil.
func OptionalTime(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return &Time{*t}
}

// Optional is the inverse of OptionalTime.
func (t *Time) Optional() *time.Time {
	if t == nil {
		return nil
	}
	return &t.Time
}

// String implements fmt.Stringer.
func (t Time) String() string { return FormatTime(t.Time) }

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	text := append(make([]byte, 0, len(timeLayout)+2), '"')
	return append(t.UTC().AppendFormat(text, timeLayout), '"'), nil
}

// ParseTime parses a time as defined by RFC 3339, which also allows a lower-case t and z.
func ParseTime(text string) (time.Time, error) {
	return time.Parse(time.RFC3339, strings.ToUpper(text))
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Time) UnmarshalText(text []byte) (err error) {
	t.Time, err = ParseTime(string(text))
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(value []byte) error {
	var text *string
	if err := json.Unmarshal(value, &text); err != nil || text == nil {
		return err
	}
	return t.UnmarshalText([]byte(*text))
}

// Bind parses a request parameter.
func (t *Time) Bind(text string) error { return t.UnmarshalText([]byte(text)) }

// FormatDuration formats a duration in words, with seconds as the smallest unit, for example "24
// hours", "37 days" or "1 hour 30 minutes". Durations up to 72 hours are formatted in hours,
// because "3 days" could be misread as calendar days.
func FormatDuration(d time.Duration) string {
	var parts []string
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if unit.name == "day" && d <= 72*time.Hour {
			continue
		}
		n := int64(d / unit.size)
		d %= unit.size
		switch {
		case n == 1:
			parts = append(parts, "1 "+unit.name)
		case n > 1:
			parts = append(parts, strconv.FormatInt(n, 10)+" "+unit.name+"s")
		}
	}
	if parts == nil {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}

// roundUp rounds d up to whole seconds.
func roundUp(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}
