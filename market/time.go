package market

import (
	"encoding/json"
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
