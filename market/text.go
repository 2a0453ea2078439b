package market

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckTaskContents refuses the parts of a task that its agent writes where they are
// too long, blank, or not one line of visible characters. location may be empty.
func CheckTaskContents(title, description, location string, skills []string) error {
	if err := checkTaskLine("title", title, MaxTitle); err != nil {
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

// checkLength counts code points.
func checkLength(field, text string, limit int) error {
	if utf8.RuneCountInString(text) > limit {
		return Invalid(field, "maxLength", "must have at most %d characters", limit)
	}
	return nil
}

// CheckLine refuses a short text that is blank or has characters that break or
// reorder a line: other people's pages show it in the middle of a line.
func CheckLine(field, text string) error {
	if strings.ContainsFunc(text, Disturbs) {
		return Invalid(field, "characters", "must be one line of visible characters")
	}
	return CheckText(field, text)
}

// CheckText refuses a text that is blank.
func CheckText(field, text string) error {
	if !strings.ContainsFunc(text, visible) {
		return Invalid(field, "blank", "must not be blank")
	}
	return nil
}

// visible reports characters that leave a mark: not spaces, nor marks without a width.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
}

// Disturbs reports control characters and those that change the direction of
// text, such as U+202E, which makes txt.exe of exe.txt.
func Disturbs(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError ||
		r == '\u2028' || r == '\u2029'
}
