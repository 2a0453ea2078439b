package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// addWords asks for the words of a web search in a tsvector.
func (f *filter) addWords(column, words string) {
	f.add(column+" @@ websearch_to_tsquery('simple', ?)", withoutLooseMinuses(words))
}

// addPrefix asks for how a folded place begins: by a range and not by LIKE, which
// would take its letters for wildcards.
func (f *filter) addPrefix(column, prefix string) {
	const lastLetter = "\U0010ffff" // comes after every letter
	f.add(column+" >= ? AND "+column+" < ?", prefix, prefix+lastLetter)
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
