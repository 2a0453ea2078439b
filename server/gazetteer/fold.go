package gazetteer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters that no decomposition takes apart.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ħ", "h",
	"'", "", "’", "", "ʻ", "", "ʼ", "", "`", "",
)

// Fold spells a name as it is compared: small letters without accents, words
// apart by one blank, nothing else.
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
