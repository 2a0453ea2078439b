package pg

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
)

// Order is the total order of a list: by a key column, then by the id.
type Order struct {
	Name       string // included in cursors, so that a cursor is valid for only one order
	Key        string // SQL expression for the sort key
	ID         string // SQL expression for the id, which orders rows with equal keys
	Descending bool
	Parse      func(string) (any, error) // parses a key from a cursor
}

func (o Order) sql() string {
	if o.Descending {
		return " ORDER BY " + o.Key + " DESC, " + o.ID + " DESC"
	}
	return " ORDER BY " + o.Key + ", " + o.ID
}

// after adds a condition to f that selects only the rows after the cursor.
func (o Order) after(f *Filter, cursor string) error {
	key, id, err := o.decode(cursor)
	if err != nil {
		return market.Invalid("cursor", "malformed", "must be a next_cursor of the same list in the same order")
	}
	comparison := " > (?, ?)"
	if o.Descending {
		comparison = " < (?, ?)"
	}
	f.Add("("+o.Key+", "+o.ID+")"+comparison, key, id)
	return nil
}

// encode returns the cursor of a row.
func (o Order) encode(key string, id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(o.Name + " " + key + " " + id.String()))
}

func (o Order) decode(cursor string) (key any, id uuid.UUID, err error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, id, err
	}
	parts := strings.Split(string(text), " ")
	if len(parts) != 3 || parts[0] != o.Name {
		return nil, id, fmt.Errorf("cursor of another list: %q", text)
	}
	if id, err = uuid.Parse(parts[2]); err != nil || id.String() != parts[2] {
		return nil, id, fmt.Errorf("cursor without an id: %q", text)
	}
	key, err = o.Parse(parts[1])
	return key, id, err
}

// TimeKey formats a time for a cursor; the zero time becomes "". ParseTimeOrInfinity parses all
// results, ParseTimeKey all except "".
func TimeKey(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// ParseTimeKey parses a time from a cursor and converts it to UTC, because PostgreSQL accepts a
// smaller range of UTC offsets than Go.
func ParseTimeKey(s string) (any, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC(), err
}

// OrInfinity returns the sort key for a nullable time column, with NULL last. One index supports
// comparisons with this key, but not separate conditions for values and for NULL.
func OrInfinity(column string) string { return "coalesce(" + column + ", 'infinity'::timestamptz)" }

// Interval formats a duration as an SQL interval.
func Interval(d time.Duration) string {
	return fmt.Sprintf("interval '%d seconds'", int64(d.Seconds()))
}

// ParseTimeOrInfinity parses a sort key as defined by OrInfinity from a cursor.
func ParseTimeOrInfinity(s string) (any, error) {
	if s == "" {
		return "infinity", nil
	}
	return ParseTimeKey(s)
}

// ParseWeiKey parses an amount in wei from a cursor.
func ParseWeiKey(s string) (any, error) {
	n, err := market.ParseWei(s)
	return Wei{n}, err
}
