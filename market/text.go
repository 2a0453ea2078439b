package market

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckTaskContents validates the texts of a task. They must not be too long or blank, and
// single-line texts must pass CheckLine. location can be empty.
func CheckTaskContents(title, description, location string, skills []string) error {
	if err := checkLength("title", title, MaxTitle); err != nil {
		return err
	}
	if err := CheckTitle(title); err != nil {
		return err
	}
	if err := checkLength("description", description, MaxDescription); err != nil {
		return err
	}
	if err := CheckText("description", description); err != nil {
		return err
	}
	if len(skills) > MaxSkills {
		return Invalid("skills", "maxItems", "must have at most %d items", MaxSkills)
	}
	for _, skill := range skills {
		if err := checkTaskLine("skills", skill, MaxSkill); err != nil {
			return err
		}
	}
	if location == "" {
		return nil
	}
	return checkTaskLine("location", location, MaxLocation)
}

func checkTaskLine(field, text string, limit int) error {
	if err := checkLength(field, text, limit); err != nil {
		return err
	}
	return CheckLine(field, text)
}

// checkLength limits the length of a text, in code points.
func checkLength(field, text string, limit int) error {
	if utf8.RuneCountInString(text) > limit {
		return Invalid(field, "maxLength", "must have at most %d characters", limit)
	}
	return nil
}

// CheckLine rejects a single-line text that is blank or contains characters that break or reorder a
// line. Single-line texts are shown inline on other users' pages.
func CheckLine(field, text string) error {
	if strings.ContainsFunc(text, UnsafeInLine) {
		return Invalid(field, "characters", "must be one line of visible characters")
	}
	return CheckText(field, text)
}

// CheckText rejects a text that is blank or has hidden characters; see CheckHidden.
func CheckText(field, text string) error {
	if !strings.ContainsFunc(text, visible) {
		return Invalid(field, "blank", "must not be blank")
	}
	return CheckHidden(field, text)
}

// visible reports whether a character is visible, which excludes spaces, control characters and
// zero-width characters.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !Hidden(r)
}

// UnsafeInLine reports whether r must not appear in a single-line text. It rejects control
// characters, line separators, U+FFFD (which stands for invalid UTF-8), and characters that change
// the direction of text. For example, U+202E can make exe.txt look like txt.exe.
func UnsafeInLine(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError ||
		r == '\u2028' || r == '\u2029'
}

// errUTF16 is the error of FileText for a file in another encoding of Unicode.
var errUTF16 = errors.New("the file is UTF-16: save it as UTF-8")

// byteOrderMark is the mark that some editors write at the start of a UTF-8 file.
const byteOrderMark = "\ufeff"

// FileText returns the text of a file that a person wrote or a program made: UTF-8, without a byte order
// mark at its start. Editors on Windows write such a mark, or UTF-16, so that the file's text is not what
// the person sees. UTF-16, other encodings and NUL bytes are errors that name the cause.
func FileText(raw []byte) (string, error) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} {
		if bytes.HasPrefix(raw, []byte(mark)) {
			return "", errUTF16
		}
	}
	text := bytes.TrimPrefix(raw, []byte(byteOrderMark))
	switch nul := bytes.IndexByte(text, 0); {
	case nul >= 0 && len(text)%2 == 0 && onlyEverySecond(text, nul%2):
		return "", errUTF16
	case nul >= 0:
		return "", fmt.Errorf("the file is not text: byte %d is NUL", nul+1)
	case !utf8.Valid(text):
		return "", errors.New("the file is not UTF-8: save it as UTF-8")
	}
	return string(text), nil
}

// onlyEverySecond reports whether all NUL bytes are at even, or all at odd, positions, as in UTF-16.
func onlyEverySecond(text []byte, parity int) bool {
	for i, b := range text {
		if b == 0 && i%2 != parity {
			return false
		}
	}
	return true
}
