package gazetteer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters replaces letters that Unicode normalisation does not decompose, and removes apostrophes.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ħ", "h",
	"'", "", "’", "", "ʻ", "", "ʼ", "", "`", "",
)

// Fold normalises a name for comparison: lower-case letters and digits without accents, in words
// separated by single spaces.
func Fold(text string) string {
	var folded strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(letters.Replace(strings.ToLower(text))) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap && folded.Len() > 0 {
				folded.WriteByte(' ')
			}
			gap = false
			folded.WriteRune(r)
		default:
			gap = true
		}
	}
	return folded.String()
}
