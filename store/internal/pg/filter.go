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

// Add appends a condition; each ? in it stands for one of args.
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

// clone returns a copy that can grow on its own.
func (f *Filter) clone() Filter {
	return Filter{conditions: append([]string(nil), f.conditions...), args: append([]any(nil), f.args...)}
}

// AddWords asks for the words of a web search in a tsvector.
func (f *Filter) AddWords(column, words string) {
	f.Add(column+" @@ websearch_to_tsquery('simple', ?)", withoutLooseMinuses(words))
}

// AddPrefix asks for how a folded place begins: by a range and not by LIKE, which
// would take its letters for wildcards.
func (f *Filter) AddPrefix(column, prefix string) {
	const lastLetter = "\U0010ffff" // comes after every letter
	f.Add(column+" >= ? AND "+column+" < ?", prefix, prefix+lastLetter)
}

// withoutLooseMinuses drops each minus that is not right before what it could
// exclude. To PostgreSQL they would exclude what excludes what excludes, and
// 33 of them, as a line of text, are an error.
func withoutLooseMinuses(words string) string {
	var kept strings.Builder
	for i := range len(words) {
		next, _ := utf8.DecodeRuneInString(words[i+1:])
		if words[i] != '-' || unicode.IsLetter(next) || unicode.IsNumber(next) || next == '"' {
			kept.WriteByte(words[i])
		}
	}
	return kept.String()
}
