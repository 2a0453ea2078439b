package screening

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalikes contains letters that look like a Latin letter but that Unicode normalization does not
// decompose to it, each followed by that Latin letter: capital and small letters of Cyrillic, Greek and
// Armenian, letters of Cherokee, and small capitals.
const lookalikes = "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXԌGԚQԜW" +
	"аaеeѕsіiјjкkмmоoрpсcтtуyхxһhԁdԛqԝwӏlѵv" +
	"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" +
	"αaεeηnιiκkνvοoρpτtυuχxωw" +
	"ՍUՕOՏSԼLսuօoցgհhոnզqյj" +
	"ᎠDᎡRᎢTᎥiᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏃZᏂhᏏbᏒRᏔWᏚSᏙVᏞLᏟCᏢPᏦKᏧdᏴB" +
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡg"

// latin maps each of the lookalikes to its Latin letter.
var latin = func() map[rune]rune {
	letters, found := []rune(lookalikes), map[rune]rune{}
	for i := 0; i < len(letters); i += 2 {
		found[letters[i]] = letters[i+1]
	}
	return found
}()

// enclosed contains the first letter, A, of each alphabet in circles or squares that Unicode normalization does
// not decompose. Each alphabet is contiguous from A to Z.
var enclosed = []rune{'🅐', '🅰'}

// undisguised replaces letters that look like Latin ones, and drops marks around letters.
func undisguised(r rune) rune {
	if unicode.Is(unicode.Me, r) {
		return -1
	}
	for _, first := range enclosed {
		if first <= r && r < first+26 {
			return 'A' + r - first
		}
	}
	if unicode.Is(unicode.Cherokee, r) {
		r = unicode.ToUpper(r) // its small letters look like small capitals
	}
	if letter, found := latin[r]; found {
		return letter
	}
	return r
}

// minDisguised is the minimum length of a word in which digits can stand for letters. Shorter words such as 3x
// and 5ms are numbers with units.
const minDisguised = 4

// hasDigitsForLetters reports whether digits could stand for letters in a word of a folded text: the word
// has at least as many letters as digits, and only the digits 0, 1, 3 and 5. Examples: c0caine, h3r01n.
func hasDigitsForLetters(word string) bool {
	letters, digits := 0, 0
	for _, r := range word {
		switch {
		case strings.ContainsRune("0135", r):
			digits++
		case unicode.IsDigit(r):
			return false
		default:
			letters++
		}
	}
	return digits > 0 && letters >= digits && letters+digits >= minDisguised
}

// withoutDigits replaces the digits that stand for letters in a folded text. A 1 can be i or l, so the caller
// chooses.
func withoutDigits(folded, one string) string {
	if !strings.ContainsAny(folded, "0135") {
		return folded
	}
	words := strings.Split(folded, " ")
	if !slices.ContainsFunc(words, hasDigitsForLetters) {
		return folded
	}
	letters := strings.NewReplacer("0", "o", "1", one, "3", "e", "5", "s")
	for i, word := range words {
		if hasDigitsForLetters(word) {
			words[i] = letters.Replace(word)
		}
	}
	return strings.Join(words, " ")
}

// Limits of words that joinParts joins, in bytes.
const (
	maxPart   = 2 // the short part
	minJoined = 6 // the joined word
)

// shortWords are words that joinParts does not treat as parts. For example, "hero in" is not heroin.
var shortWords = map[string]bool{
	"a": true, "am": true, "an": true, "as": true, "at": true, "be": true, "by": true, "do": true, "go": true, "he": true, "i": true, "if": true,
	"in": true, "is": true, "it": true, "me": true, "my": true, "no": true, "of": true, "on": true, "or": true, "so": true, "to": true, "up": true,
	"us": true, "we": true,
}

// isPart reports whether a folded word could be a part of a divided word.
func isPart(word string) bool {
	for _, r := range word {
		if r < 'a' || 'z' < r {
			return false
		}
	}
	return 0 < len(word) && len(word) <= maxPart && !shortWords[word]
}

// joinParts adds to a folded text the words that a space divides, such as cocaine for "co caine". It adds each
// word between its parts, and keeps the parts, because they can be words too.
func joinParts(folded string) string {
	words := strings.Split(folded, " ")
	joined := make([]string, 0, len(words))
	for i, word := range words {
		if i > 0 && (isPart(words[i-1]) || isPart(word)) && len(words[i-1])+len(word) >= minJoined {
			joined = append(joined, words[i-1]+word)
		}
		joined = append(joined, word)
	}
	if len(joined) == len(words) {
		return folded
	}
	return strings.Join(joined, " ")
}

// minSpelled is the minimum length of a word that joinSpelled finds.
const minSpelled = 4

// hasSpelled reports whether a folded text has letters that joinSpelled would join.
func hasSpelled(folded string) bool {
	letters := 0
	for word := range strings.SplitSeq(folded, " ") {
		if utf8.RuneCountInString(word) != 1 {
			letters = 0
			continue
		}
		if letters++; letters == minSpelled {
			return true
		}
	}
	return false
}

// joinSpelled joins the letters of words that are spelled out, such as "c o d e", in a folded text.
func joinSpelled(folded string) string {
	if !hasSpelled(folded) {
		return folded
	}
	words := strings.Split(folded, " ")
	var joined []string
	for i := 0; i < len(words); {
		end := i
		for end < len(words) && utf8.RuneCountInString(words[end]) == 1 {
			end++
		}
		if end-i >= minSpelled {
			joined = append(joined, strings.Join(words[i:end], ""))
			i = end
			continue
		}
		joined = append(joined, words[i])
		i++
	}
	return strings.Join(joined, " ")
}
