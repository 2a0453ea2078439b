package market

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// Dropped contains the format characters that Clean removes. They are invisible, carry no text, and arrive with
// pasted text: the soft hyphen, direction marks, direction embeddings and isolates with their ends, and the byte
// order mark. The overrides U+202D and U+202E are not among them, because they change the order of letters and no
// language needs them.
const Dropped = "\u00ad\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"

// Clean removes the characters of Dropped. The service and the clients do this to a text before they store, sign or
// hash it, so that all of them hash the same text.
func Clean(text string) string {
	if !strings.ContainsAny(text, Dropped) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(Dropped, r) {
			return -1
		}
		return r
	}, text)
}

// Hidden characters with a use in ordinary text, and their neighbours.
const (
	graphemeJoiner = '\u034f'
	vowelSeparator = '\u180e' // of Mongolian
	thinSpace      = '\u200b' // zero width space: ends a word in scripts without spaces
	nonJoiner      = '\u200c'
	joiner         = '\u200d'
	wordJoiner     = '\u2060' // forbids a line break in scripts without spaces
	blankBraille   = '\u2800'
	textStyle      = '\ufe0e'
	emojiStyle     = '\ufe0f'

	keycap    = '\u20e3' // the combining mark of 1️⃣
	blackFlag = '\U0001f3f4'
	tagOffset = '\U000e0000' // a tag is this plus an ASCII character
	tagsEnd   = '\U000e007f'
	styled    = "‼⁉ℹ〰〽" // characters other than symbols that have a style as an emoji
)

// The scripts in which hidden characters are part of the spelling.
var (
	// joining contains the scripts whose letters change their form with U+200C and U+200D, and the tatweel, which
	// several of them share.
	joining = []*unicode.RangeTable{
		{R16: []unicode.Range16{{Lo: '\u0640', Hi: '\u0640', Stride: 1}}},
		unicode.Adlam, unicode.Arabic, unicode.Balinese, unicode.Bengali, unicode.Chakma, unicode.Devanagari, unicode.Grantha,
		unicode.Gujarati, unicode.Gurmukhi, unicode.Hanifi_Rohingya, unicode.Javanese, unicode.Kaithi, unicode.Kannada,
		unicode.Khmer, unicode.Lepcha, unicode.Limbu, unicode.Malayalam, unicode.Mandaic, unicode.Meetei_Mayek, unicode.Modi,
		unicode.Mongolian, unicode.Myanmar, unicode.Newa, unicode.Nko, unicode.Oriya, unicode.Phags_Pa, unicode.Sharada,
		unicode.Sinhala, unicode.Sundanese, unicode.Syriac, unicode.Tai_Tham, unicode.Tamil, unicode.Telugu, unicode.Tibetan,
		unicode.Tirhuta,
	}
	// unspaced contains the scripts that separate words with U+200B instead of a space.
	unspaced = []*unicode.RangeTable{
		unicode.Balinese, unicode.Batak, unicode.Buginese, unicode.Cham, unicode.Javanese, unicode.Khmer, unicode.Lao,
		unicode.Myanmar, unicode.New_Tai_Lue, unicode.Sundanese, unicode.Tai_Le, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Thai,
	}
	braille   = []*unicode.RangeTable{unicode.Braille}
	hebrew    = []*unicode.RangeTable{unicode.Hebrew}
	mongolian = []*unicode.RangeTable{unicode.Mongolian}
)

// tagFlags are the tags of the flags that exist as emoji.
var tagFlags = []string{"gbeng", "gbsct", "gbwls"}

// Hidden reports whether a character is not displayed, or changes how others are displayed: control
// characters, zero-width characters, direction marks, variation selectors, tags, and the blank of Braille.
// Sequences of them can hide text from humans that a language model still reads. Newlines and tabs count as hidden.
// The number signs of Arabic and Syriac do not: they are format characters, but displayed.
func Hidden(r rune) bool {
	if r <= unicode.MaxASCII {
		return r < ' ' || r == '\x7f'
	}
	return r == blankBraille ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isBreak reports whether r is a line break or a tab, which texts may contain.
func isBreak(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }

// CheckHidden rejects a text with hidden characters, except line breaks, tabs, and those that emoji and scripts
// need. It accepts, after a displayed character:
//
//  1. a variation selector that belongs to this character: the styles of emoji, the selectors of Han, Mongolian,
//     Myanmar, Phags-pa and mathematical symbols;
//  2. then one joiner or zero-width space, if the script of the character before or after it uses it, or if
//     it joins two emoji;
//  3. or the tags of the flags of England, Scotland and Wales.
//
// A text never has more of them than displayed characters before them, apart from emoji. Examples: ❤️‍🔥 is U+2764,
// U+FE0F, U+200D, U+1F525; the Persian می‌خواهم contains U+200C.
func CheckHidden(field, text string) error {
	for at, r := range refused(text) {
		return Invalid(field, "hidden_character",
			"contains the invisible character %s at position %d; remove it", fmt.Sprintf("U+%04X", r), at+1)
	}
	return nil
}

// WithoutHidden removes the hidden characters that CheckHidden rejects. It is for texts that are not refused, such as
// the names of files.
func WithoutHidden(text string) string {
	var cleaned []rune
	all, next := []rune(text), 0
	for at := range refused(text) {
		cleaned = append(cleaned, all[next:at]...)
		next = at + 1
	}
	return string(append(cleaned, all[next:]...))
}

// refused yields the hidden characters that CheckHidden rejects, with their positions in code points.
func refused(text string) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		if isPlain(text) {
			return
		}
		runes := []rune(text)
		var c preceding
		for i := 0; i < len(runes); {
			end := i
			for end < len(runes) && Hidden(runes[end]) && !isBreak(runes[end]) {
				end++
			}
			if end == i {
				c.add(runes[i])
				i++
				continue
			}
			next := rune(0)
			if end < len(runes) {
				next = runes[end]
			}
			for at := i + c.accept(runes[i:end], next); at < end; at++ {
				if !yield(at, runes[at]) {
					return
				}
			}
			i = end
		}
	}
}

// isPlain reports whether the text consists of displayed ASCII characters, line breaks and tabs.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := rune(text[i]); c > unicode.MaxASCII || Hidden(c) && !isBreak(c) {
			return false
		}
	}
	return true
}

// preceding is what precedes a run of hidden characters.
type preceding struct {
	prev  rune // the displayed character directly before it; 0 at the start
	base  rune // the last displayed character that is not a combining mark
	spare int  // the number of displayed characters before it, less the accepted hidden ones; spaces do not count
}

// add appends a displayed character, a line break or a tab.
func (c *preceding) add(r rune) {
	c.prev = r
	if !unicode.IsMark(r) {
		c.base = r
	}
	if !unicode.IsSpace(r) && !unicode.IsMark(r) {
		c.spare++
	}
}

// accept returns how many characters at the start of a run of hidden characters are accepted. next is the
// character after the run; 0 at the end of the text.
func (c *preceding) accept(run []rune, next rune) int {
	if c.prev == blackFlag && isTagFlag(run) {
		return len(run)
	}
	count := 0
	if c.takesSelector(run[0], next) {
		count++
	}
	if len(run) == count+1 && c.takesJoiner(run[count], next) {
		count++
	}
	if !isEmoji(c.prev) && next != keycap {
		count = min(count, max(0, c.spare+leading(c.base, next)))
		c.spare -= count
	}
	return count
}

// leading is 1 if a hidden character before the first letter of a word belongs to this letter, otherwise 0.
func leading(base, next rune) int {
	if base == 0 || unicode.IsSpace(base) {
		if unicode.IsLetter(next) {
			return 1
		}
	}
	return 0
}

func isTagFlag(run []rune) bool {
	if run[len(run)-1] != tagsEnd {
		return false
	}
	var name strings.Builder
	for _, tag := range run[:len(run)-1] {
		name.WriteRune(tag - tagOffset)
	}
	return slices.Contains(tagFlags, name.String())
}

// isEmoji reports whether r can be an emoji: a symbol, or a modifier such as a skin colour.
func isEmoji(r rune) bool { return r > unicode.MaxASCII && unicode.IsSymbol(r) }

// takesSelector reports whether a variation selector belongs to the character before it.
func (c *preceding) takesSelector(selector, next rune) bool {
	r := c.prev
	switch {
	case selector == textStyle, selector == emojiStyle:
		return isEmoji(r) || strings.ContainsRune(styled, r) || next == keycap && (r == '#' || r == '*' || '0' <= r && r <= '9')
	case selector >= '\ufe00' && selector <= '\ufe02' && unicode.Is(unicode.Han, r):
		return true
	case selector == '\ufe00' && (r == '0' || isEmoji(r) || unicode.In(r, unicode.Myanmar, unicode.Phags_Pa)):
		return true
	case selector == '\ufe00', selector == '\ufe01': // the position of punctuation in Chinese and Japanese
		return unicode.IsPunct(r) && r > unicode.MaxASCII
	case selector >= '\u180b' && selector <= '\u180d', selector == '\u180f':
		return unicode.Is(unicode.Mongolian, r)
	case selector >= '\U000e0100' && selector <= '\U000e01ef':
		return unicode.Is(unicode.Han, r)
	}
	return false
}

// takesJoiner reports whether a joiner or an invisible space is used between the characters around it.
func (c *preceding) takesJoiner(r, next rune) bool {
	either := func(scripts []*unicode.RangeTable) bool {
		return unicode.In(c.base, scripts...) || unicode.In(next, scripts...)
	}
	both := func(scripts []*unicode.RangeTable) bool {
		return unicode.In(c.base, scripts...) && unicode.In(next, scripts...)
	}
	switch r {
	case joiner:
		return isEmoji(c.prev) && isEmoji(next) || either(joining)
	case nonJoiner:
		return either(joining)
	case thinSpace, wordJoiner:
		return either(unspaced)
	case vowelSeparator:
		return both(mongolian)
	case graphemeJoiner: // between the vowel points of biblical Hebrew
		return unicode.In(c.base, hebrew...) && unicode.In(next, hebrew...) && unicode.IsMark(next)
	case blankBraille:
		return both(braille) && next != blankBraille
	}
	return false
}
