package pg

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Filter collects conditions and the arguments that they refer to.
type Filter struct {
	conditions []string
	args       []any
}

// Add appends a condition. It contains one ? for each of args, in order.
func (f *Filter) Add(condition string, args ...any) {
	for _, arg := range args {
		f.args = append(f.args, arg)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(f.args)), 1)
	}
	f.conditions = append(f.conditions, condition)
}

func (f *Filter) where() string {
	if len(f.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.conditions, " AND ")
}

// SQL returns the WHERE clause with its arguments, for statements that are not lists.
func (f *Filter) SQL() (where string, args []any) { return f.where(), f.clone().args }

// clone returns an independent copy of the filter.
func (f *Filter) clone() Filter {
	return Filter{conditions: append([]string(nil), f.conditions...), args: append([]any(nil), f.args...)}
}

// AddWords adds a condition that matches a tsvector column against web search terms.
func (f *Filter) AddWords(column, words string) {
	f.Add(column+" @@ websearch_to_tsquery('simple', ?)", withoutStrayMinuses(words))
}

// AddPrefix adds a condition that matches a prefix of a normalized place. It compares a range,
// because LIKE would interpret wildcards.
func (f *Filter) AddPrefix(column, prefix string) {
	const lastLetter = "\U0010ffff" // the highest code point, which sorts after every letter
	f.Add(column+" >= ? AND "+column+" < ?", prefix, prefix+lastLetter)
}

// withoutStrayMinuses removes each minus sign that is not directly before a term. PostgreSQL would
// parse a sequence of minus signs as nested exclusions, and fails at 33 of them.
func withoutStrayMinuses(words string) string {
	var cleaned strings.Builder
	for i := range len(words) {
		next, _ := utf8.DecodeRuneInString(words[i+1:])
		if words[i] != '-' || unicode.IsLetter(next) || unicode.IsNumber(next) || next == '"' {
			cleaned.WriteByte(words[i])
		}
	}
	return cleaned.String()
}
