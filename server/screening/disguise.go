package screening

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// symbols maps symbols to the letters, or to the digit 1, that they can stand for.
var symbols = map[rune]rune{'@': 'a', '$': 's', '€': 'e', '+': 't', '!': '1', '|': '1'}

// skeletonLetters replaces digits with the letters that they can stand for, and i with l, because 1 can stand for both.
var skeletonLetters = map[byte]byte{'0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', 'i': 'l'}

// wild is a letter that stands for an unknown one.
const wild = "ƿ"

func isPart(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// disguises returns the text, and the texts that it could be a disguise of: with letters for symbols, and with the
// punctuation in words removed or replaced with wild letters. Each text occurs once.
func disguises(text string) []string {
	texts := []string{text}
	add := func(other string) {
		if !slices.Contains(texts, other) {
			texts = append(texts, other)
		}
	}
	add(withoutSymbols(text, false))
	add(withoutSymbols(text, true))
	for _, source := range texts[:len(texts):len(texts)] {
		add(withoutPunctuation(source, ""))
		add(withoutPunctuation(source, wild))
	}
	return texts
}

// withoutSymbols replaces the symbols that stand for letters inside or before a word: p@ssport, $hotgun. It replaces
// symbols after a word, which are usually punctuation, only if atEnd is true: passpor+. It does not replace symbols
// before a number.
func withoutSymbols(text string, atEnd bool) string {
	if !strings.ContainsAny(text, "@$€+!|") {
		return text
	}
	runes, next := []rune(text), 0 // next is the position after the symbols
	for at, r := range runes {
		letter := symbols[r]
		if letter == 0 {
			continue
		}
		for next = max(next, at+1); next < len(runes) && symbols[runes[next]] != 0; {
			next++
		}
		inside := at > 0 && unicode.IsLetter(runes[at-1])
		if next < len(runes) && (unicode.IsLetter(runes[next]) || inside && unicode.IsDigit(runes[next])) ||
			atEnd && at > 0 && isPart(runes[at-1]) {
			runes[at] = letter
		}
	}
	return string(runes)
}

// withoutPunctuation replaces each punctuation mark in a word, such as pass-port, except apostrophes.
func withoutPunctuation(text, replacement string) string {
	var out strings.Builder
	marks := 0      // punctuation marks after a part of a word
	start := 0      // of the text that is not yet in out
	inWord := false // whether a part of a word is before the marks
	end := 0        // of this part
	for at, r := range text {
		switch {
		case isPart(r) || strings.ContainsRune("'’", r):
			if inWord && marks > 0 {
				out.WriteString(text[start:end])
				out.WriteString(strings.Repeat(replacement, marks))
				start = at
			}
			inWord, marks, end = true, 0, at+len(string(r))
		case unicode.IsSpace(r):
			inWord = false
		default:
			marks++
		}
	}
	if start == 0 {
		return text
	}
	out.WriteString(text[start:])
	return out.String()
}

// vocabulary contains the words that occur in the patterns of rules. Disguises are read as these words.
type vocabulary struct {
	words     map[string]bool
	skeletons map[string]string // the words by their skeletons
	squeezed  map[string]string // the words of at least minJoined letters, by their skeletons without repeated letters
	prefixes  map[string]bool   // of the skeletons
}

// Limits of the words of a vocabulary, in bytes.
const (
	minWord     = 3
	minJoined   = 6  // of a word that is divided, unless each part is a letter
	minCompound = 7  // of two words without a space between them
	maxWord     = 64 // of a disguised word
	maxWild     = 2  // wild letters of a word
)

var (
	noWords    = regexp.MustCompile(`\\.|\([a-z]+\)\?`) // escapes and optional endings, as in hold(ing)?
	spellings  = regexp.MustCompile(`(?:[a-z]\??|\[[a-z]+\])+`)
	maxOptions = 64 // words of one spelling
)

// vocabularyOf returns the vocabulary of patterns. A pattern can contain optional letters and classes of letters, as
// in licen[cs]es?.
func vocabularyOf(patterns ...string) vocabulary {
	v := vocabulary{map[string]bool{}, map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, pattern := range patterns {
		for _, spelling := range spellings.FindAllString(noWords.ReplaceAllString(pattern, " "), -1) {
			for _, word := range expand(spelling) {
				v.add(word)
			}
		}
	}
	return v
}

func (v vocabulary) add(word string) {
	if len(word) < minWord || len(word) > maxWord {
		return
	}
	skeleton := appendSkeleton(nil, word)
	v.words[word] = true
	v.skeletons[string(skeleton)] = word
	for end := range len(skeleton) {
		v.prefixes[string(skeleton[:end+1])] = true
	}
	if len(word) >= minJoined {
		v.squeezed[string(slices.Compact(skeleton))] = word
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

// appendSkeleton appends the skeleton of a folded word: a text that is equal for words that look alike. Example:
// p1st0l and pistol have the skeleton plstol.
func appendSkeleton(skeleton []byte, word string) []byte {
	for i := range len(word) {
		letter, found := skeletonLetters[word[i]]
		if !found {
			letter = word[i]
		}
		skeleton = append(skeleton, letter)
	}
	return skeleton
}

// shortWords are words that are not the parts of a divided word. For example, "hero in" is not heroin.
var shortWords = map[string]bool{
	"a": true, "am": true, "an": true, "as": true, "at": true, "be": true, "by": true, "do": true, "go": true, "he": true, "i": true, "if": true,
	"in": true, "is": true, "it": true, "me": true, "my": true, "no": true, "of": true, "on": true, "or": true, "so": true, "to": true, "up": true,
	"us": true, "we": true,
}

// read replaces the disguised words of a folded text with the words of the vocabulary: words with digits or wild
// letters, such as p4ssport; words with repeated letters, such as passsport; words that are divided, such as "pass
// port" or with spaces between the letters; and words without a space between them, such as passportphoto.
func (v vocabulary) read(folded string) string {
	words := strings.Split(folded, " ")
	out, changed := words[:0], false // out is shorter than the part of words that was read
	for i := 0; i < len(words); {
		word, parts := v.joined(words[i:])
		if parts == 0 {
			word, parts = v.plain(words[i]), 1
		}
		changed = changed || word != words[i]
		out = append(out, word)
		i += parts
	}
	if !changed {
		return folded
	}
	return strings.Join(out, " ")
}

// joined returns the longest word of the vocabulary that the first words are the parts of, and the number of the
// parts; 0 if there is none.
func (v vocabulary) joined(words []string) (word string, parts int) {
	var buffer [maxWord]byte
	whole, spelled := buffer[:0], true
	for n, part := range words {
		if len(whole)+len(part) > maxWord || len(part) > 1 && shortWords[part] {
			break
		}
		whole = appendSkeleton(whole, part)
		if !v.prefixes[string(whole)] {
			break
		}
		spelled = spelled && len(part) == 1
		divided := n > 0 && (spelled && n > 1 || len(whole) >= minJoined && (n != 1 || !shortWords[part] && !shortWords[words[0]]))
		if match := v.skeletons[string(whole)]; divided && match != "" && countLetters(words[:n+1]...) >= 2 {
			word, parts = match, n+1
		}
	}
	return word, parts
}

func countLetters(words ...string) int {
	count := 0
	for _, word := range words {
		count += letters(word)
	}
	return count
}

// plain returns the word or the two words of the vocabulary that a word is a disguise of, or the word, which wild letters
// divide.
func (v vocabulary) plain(word string) string {
	if match := v.lookUp(word); match != "" {
		return match
	}
	for at := minWord; len(word) <= maxWord && at <= len(word)-max(minWord, minCompound-at); at++ {
		if first := v.lookUp(word[:at]); first != "" {
			if second := v.lookUp(word[at:]); second != "" {
				return first + " " + second
			}
		}
	}
	return strings.ReplaceAll(word, wild, " ")
}

// lookUp returns the word of the vocabulary that a word is or is a disguise of, or "". In a short word, only some digits
// stand for letters: 0tp, but not 5ms. Repeated letters and i instead of l are disguises only in longer words.
func (v vocabulary) lookUp(word string) string {
	if v.words[word] {
		return word
	}
	if len(word) < minWord || len(word) > maxWord || letters(word) < 2 {
		return ""
	}
	var buffer [maxWord]byte
	skeleton := appendSkeleton(buffer[:0], word)
	if strings.ContainsAny(word, "013456789") && (len(word) > minWord || !strings.ContainsAny(word, "5789")) {
		if match := v.skeletons[string(skeleton)]; match != "" {
			return match
		}
	}
	if len(word) < minJoined {
		return ""
	}
	if strings.Contains(word, wild) {
		skeleton = bytes.ReplaceAll(skeleton, []byte(wild), []byte("*"))
		if len(skeleton) < minJoined || bytes.Count(skeleton, []byte("*")) > maxWild {
			return ""
		}
		return v.completed(skeleton)
	}
	return v.squeezed[string(slices.Compact(skeleton))]
}

// completed returns the word of the vocabulary with a skeleton in which * stands for unknown letters, or "".
func (v vocabulary) completed(skeleton []byte) string {
	at := bytes.IndexByte(skeleton, '*')
	if at < 0 {
		return v.skeletons[string(skeleton)]
	}
	if !v.prefixes[string(skeleton[:at])] {
		return ""
	}
	for letter := byte('a'); letter <= 'z'; letter++ {
		skeleton[at] = letter
		if word := v.completed(skeleton); word != "" {
			return word
		}
	}
	skeleton[at] = '*'
	return ""
}
