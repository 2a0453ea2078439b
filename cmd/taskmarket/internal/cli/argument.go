package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/spf13/pflag"

	"taskmarket/market"
)

// ParseID parses the id of a record. what is the name of the record type for the error message.
func ParseID(what, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return uuid.UUID{}, UsageError("%q is not the id of %s, which is a UUID such as 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80", text, what)
	}
	return id, nil
}

// AddressFault returns the reason why market.ParseAddress rejected the value of a field.
func AddressFault(field string, err error) string {
	if refused, ok := errors.AsType[*market.Error](err); ok {
		return strings.TrimPrefix(refused.Message, field+": ")
	}
	return err.Error()
}

// Stdin is the argument that selects standard input.
const Stdin = "-"

// TextArgument returns the argument, or the content of standard input if the argument is "-". It
// returns an error if the text is empty, not valid UTF-8 or longer than limit characters.
func (a *App) TextArgument(what, argument string, limit int) (string, error) {
	text := argument
	if argument == Stdin {
		raw, err := io.ReadAll(io.LimitReader(a.In, int64(limit+1)*utf8.UTFMax))
		if err != nil {
			return "", fmt.Errorf("read %s: %w", what, err)
		}
		switch decoded, err := market.FileText(raw); {
		case err == nil:
			text = strings.TrimRight(decoded, "\r\n")
		case len(raw) == (limit+1)*utf8.UTFMax: // the text was cut, perhaps in a character
			return "", UsageError("%s is longer than %d characters", what, limit)
		default:
			return "", UsageError("%s: %w", what, err)
		}
	}
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return "", UsageError("%s is empty", what)
	case !utf8.ValidString(text):
		return "", UsageError("%s is not UTF-8 text", what)
	case n > limit:
		return "", UsageError("%s is longer than %d characters", what, limit)
	}
	return text, nil
}

// TextFlag returns the value of a flag, or nil if the flag is not set.
func TextFlag[T ~string](flags *pflag.FlagSet, name string) *T {
	if !flags.Changed(name) {
		return nil
	}
	text, err := flags.GetString(name)
	if err != nil {
		return nil // the command does not define the flag; the command's tests detect this
	}
	return new(T(text))
}

// BoolFlag returns the value of a flag, or nil if the flag is not set.
func BoolFlag(flags *pflag.FlagSet, name string) *bool {
	if !flags.Changed(name) {
		return nil
	}
	yes, err := flags.GetBool(name)
	if err != nil {
		return nil // the command does not define the flag; the command's tests detect this
	}
	return &yes
}

// TimeFlag parses a flag that contains a date or an RFC 3339 time. It returns nil if the flag is
// not set.
func TimeFlag(flags *pflag.FlagSet, name string) (*market.Time, error) {
	text := TextFlag[string](flags, name)
	if text == nil {
		return nil, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, *text); err == nil {
			return new(market.TimeOf(t)), nil
		}
	}
	return nil, UsageError("--%s %q is not a time, such as 2030-06-01 or 2030-06-01T12:00:00Z", name, *text)
}

// OneOf returns an error if the value is not one of words. It accepts nil.
func OneOf[T ~string](flag string, value *T, words ...T) error {
	if value == nil {
		return nil
	}
	all := make([]string, len(words))
	for i, word := range words {
		if *value == word {
			return nil
		}
		all[i] = string(word)
	}
	return UsageError("--%s %q: must be one of %s", flag, string(*value), strings.Join(all, ", "))
}

// TextOrFile is like TextArgument, but also accepts "@" followed by a path, and then returns the
// content of the file.
func (a *App) TextOrFile(what, argument string, limit int) (string, error) {
	path, isFile := strings.CutPrefix(argument, "@")
	if !isFile {
		return a.TextArgument(what, argument, limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", UsageError("%s: %v", what, err)
	}
	defer file.Close()
	from := *a
	from.In = file
	return from.TextArgument(what, Stdin, limit)
}

// The lowest and the highest rating of a review.
const (
	MinRating = 1
	MaxRating = 5
)

// FormatRating formats an average rating and the number of reviews.
func FormatRating(average *float64, reviews int) string {
	if average == nil {
		return "no reviews"
	}
	return fmt.Sprintf("%s of %d (%d)", strconv.FormatFloat(*average, 'f', -1, 64), MaxRating, reviews)
}
