package main

import (
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

// parseID reads the id of a record; what names the record.
func parseID(what, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return uuid.UUID{}, usageError("%q is not the id of %s, which is like 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80", text, what)
	}
	return id, nil
}

// fromStdin as an argument means that the text is on standard input.
const fromStdin = "-"

// textArgument returns the text that an argument gives, or standard input when
// it is "-". It is refused when it is empty or longer than limit characters.
func (a *app) textArgument(what, argument string, limit int) (string, error) {
	text := argument
	if argument == fromStdin {
		raw, err := io.ReadAll(io.LimitReader(a.in, int64(limit+1)*utf8.UTFMax))
		if err != nil {
			return "", fmt.Errorf("read %s from standard input: %w", what, err)
		}
		text = strings.TrimRight(string(raw), "\r\n")
	}
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return "", usageError("%s is empty", what)
	case !utf8.ValidString(text):
		return "", usageError("%s is not UTF-8 text", what)
	case n > limit:
		return "", usageError("%s is longer than %d characters", what, limit)
	}
	return text, nil
}

// The functions below return what a flag says, nil when it was not given, as the
// API's optional parameters are.

func givenText[T ~string](flags *pflag.FlagSet, name string) *T {
	if !flags.Changed(name) {
		return nil
	}
	text, err := flags.GetString(name)
	if err != nil {
		return nil // no such flag: a fault that tests of the command find
	}
	return new(T(text))
}

func givenBool(flags *pflag.FlagSet, name string) *bool {
	if !flags.Changed(name) {
		return nil
	}
	yes, err := flags.GetBool(name)
	if err != nil {
		return nil // as above
	}
	return &yes
}

// givenTime reads a time in RFC 3339, as the API has it, or a date.
func givenTime(flags *pflag.FlagSet, name string) (*market.Time, error) {
	text := givenText[string](flags, name)
	if text == nil {
		return nil, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, *text); err == nil {
			return new(market.TimeOf(t)), nil
		}
	}
	return nil, usageError("--%s %q is not a time: write 2030-06-01 or 2030-06-01T12:00:00Z", name, *text)
}

// oneOf checks a value that only a few words can be.
func oneOf[T ~string](flag string, value *T, words ...T) error {
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
	return usageError("--%s %q: want one of %s", flag, string(*value), strings.Join(all, ", "))
}

// textOf is textArgument that also reads the file after "@".
func (a *app) textOf(what, argument string, limit int) (string, error) {
	path, isFile := strings.CutPrefix(argument, "@")
	if !isFile {
		return a.textArgument(what, argument, limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", usageError("%s: %v", what, err)
	}
	defer file.Close()
	from := *a
	from.in = file
	return from.textArgument(what, fromStdin, limit)
}

const (
	worstRating = 1
	bestRating  = 5
)

// ratingText shows an average of reviews.
func ratingText(average *float64, reviews int) string {
	if average == nil {
		return "no reviews"
	}
	return fmt.Sprintf("%s of %d (%d)", strconv.FormatFloat(*average, 'f', -1, 64), bestRating, reviews)
}
