package screening

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leet maps digits and symbols to the letters that they can stand for. A 1, ! or | can be i or l, so the caller
// chooses.
var leet = map[rune]rune{
	'0': 'o', '1': one, '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', '$': 's', '€': 'e', '+': 't', '!': one, '|': one,
}

// one stands in leet for i or l.
const one = 0

// letterFor returns the letter for which r can stand, or r.
func letterFor(r, i rune) rune {
	letter, found := leet[r]
	if found && letter == one {
		return i
	}
	if found {
		return letter
	}
	return r
}

// withoutSymbols replaces the symbols that stand for letters inside or before a word: p@ssport, $hotgun. It does not
// replace symbols after a word, which are punctuation, or before a number.
func withoutSymbols(text string, i rune) string {
	if !strings.ContainsAny(text, "@$€+!|") {
		return text
	}
	runes := []rune(text)
	for at, r := range runes {
		letter := letterFor(r, i)
		if letter == r || unicode.IsDigit(r) {
			continue
		}
		next := at + 1
		for next < len(runes) && leet[runes[next]] != 0 && !unicode.IsDigit(runes[next]) {
			next++
		}
		inside := at > 0 && unicode.IsLetter(runes[at-1])
		if next < len(runes) && (unicode.IsLetter(runes[next]) || inside && unicode.IsDigit(runes[next])) {
			runes[at] = letter
		}
	}
	return string(runes)
}

// separators is the punctuation that can be between two parts of a word, such as pass-port.
const separators = "-._/*~·'’|+"

// withoutSeparators removes the punctuation in words.
func withoutSeparators(text string) string {
	if !strings.ContainsAny(text, separators) {
		return text
	}
	var out, between strings.Builder // between is the punctuation after a letter or digit
	inWord := false
	for _, r := range text {
		isPart := unicode.IsLetter(r) || unicode.IsDigit(r)
		if inWord && strings.ContainsRune(separators, r) {
			between.WriteRune(r)
			continue
		}
		if !isPart {
			out.WriteString(between.String())
		}
		between.Reset()
		out.WriteRune(r)
		inWord = isPart
	}
	return out.String() + between.String()
}

// minDisguised is the minimum length of a word in which any digits can stand for letters. Shorter words such as 3x
// and 5ms are numbers with units.
const minDisguised = 4

// hasDigitsForLetters reports whether digits could stand for letters in a word of a folded text: the word
// has digits and at least two letters. Examples: c0caine, h3r01n, p4ssport.
func hasDigitsForLetters(word string) bool {
	letters, digits := 0, 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			digits++
		} else {
			letters++
		}
	}
	return digits > 0 && letters >= 2
}

// withoutDigits replaces the digits that stand for letters in a folded text. In a short word, it replaces only
// some digits, and only if the result is a word of the vocabulary: 0tp.
func (v vocabulary) withoutDigits(folded string, i rune) string {
	if !strings.ContainsAny(folded, "0123456789") {
		return folded
	}
	words := strings.Split(folded, " ")
	for at, word := range words {
		if !hasDigitsForLetters(word) {
			continue
		}
		letters := strings.Map(func(r rune) rune { return letterFor(r, i) }, word)
		if len(word) >= minDisguised || v.words[letters] && !strings.ContainsAny(word, "5789") {
			words[at] = letters
		}
	}
	return strings.Join(words, " ")
}

// vocabulary contains the words that occur in the patterns of rules. Disguises are read as these words.
type vocabulary struct {
	words    map[string]bool
	squeezed map[string]string // the words of at least minJoined letters, by their spelling without repeated letters
	longest  int               // the length of the longest word
}

// Limits of the words of a vocabulary, in bytes.
const (
	minWord   = 3
	minJoined = 6 // of a word that is divided, unless each part is a letter
)

var (
	escapes    = regexp.MustCompile(`\\.`)
	spellings  = regexp.MustCompile(`(?:[a-z]\??|\[[a-z]+\])+`)
	maxOptions = 64 // words of one spelling
)

// vocabularyOf returns the vocabulary of patterns. A pattern can contain optional letters and classes of letters, as
// in licen[cs]es?.
func vocabularyOf(patterns ...string) vocabulary {
	v := vocabulary{words: map[string]bool{}, squeezed: map[string]string{}}
	for _, pattern := range patterns {
		for _, spelling := range spellings.FindAllString(escapes.ReplaceAllString(pattern, " "), -1) {
			for _, word := range expand(spelling) {
				v.add(word)
			}
		}
	}
	return v
}

func (v *vocabulary) add(word string) {
	if len(word) < minWord {
		return
	}
	v.words[word] = true
	v.longest = max(v.longest, len(word))
	if len(word) >= minJoined {
		v.squeezed[squeeze(word)] = word
	}
}

// expand returns the words of a spelling.
func expand(spelling string) []string {
	words := []string{""}
	for rest := spelling; rest != "" && len(words) <= maxOptions; {
		letters, optional := rest[:1], false
		if class, after, found := strings.Cut(rest, "]"); rest[0] == '[' && found {
			letters, rest = class[1:], after
		} else {
			rest = rest[1:]
		}
		rest, optional = strings.CutPrefix(rest, "?")
		var longer []string
		for _, word := range words {
			for _, letter := range letters {
				longer = append(longer, word+string(letter))
			}
			if optional {
				longer = append(longer, word)
			}
		}
		words = longer
	}
	return words
}

// squeeze removes repeated letters: passsport and passport become pasport.
func squeeze(word string) string {
	var out strings.Builder
	last := rune(0)
	for _, r := range word {
		if r != last {
			out.WriteRune(r)
		}
		last = r
	}
	return out.String()
}

// shortWords are words that are not the parts of a divided word. For example, "hero in" is not heroin.
var shortWords = map[string]bool{
	"a": true, "am": true, "an": true, "as": true, "at": true, "be": true, "by": true, "do": true, "go": true, "he": true, "i": true, "if": true,
	"in": true, "is": true, "it": true, "me": true, "my": true, "no": true, "of": true, "on": true, "or": true, "so": true, "to": true, "up": true,
	"us": true, "we": true,
}

// read joins the words of the vocabulary that separators or spaces divide in a folded text, such as "pass port" and
// a word whose letters are spaced out, and removes the additional letters of words such as passsport.
func (v vocabulary) read(folded string) string {
	words := strings.Split(folded, " ")
	out := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		word, end := v.joined(words[i:])
		if end == 0 {
			word, end = words[i], 1
			if known, found := v.squeezed[squeeze(word)]; found && !v.words[word] {
				word = known
			}
		}
		out = append(out, word)
		i += end
	}
	return strings.Join(out, " ")
}

// joined returns the longest word of the vocabulary that the first words are the parts of, and the number of the
// parts; 0 if there is none.
func (v vocabulary) joined(words []string) (word string, parts int) {
	whole, letters := "", true
	for n, part := range words {
		whole += part
		letters = letters && len(part) == 1
		if len(whole) > v.longest || len(part) > 1 && shortWords[part] {
			break
		}
		divided := n > 0 && (letters && n > 1 || len(whole) >= minJoined && (n != 1 || !shortWords[part] && !shortWords[words[0]]))
		if divided && v.words[whole] {
			word, parts = whole, n+1
		}
	}
	return word, parts
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
