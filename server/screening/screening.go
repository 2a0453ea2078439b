// Package screening finds tasks that a moderator must read before humans see them, and wallets that
// the operator must not serve. Rules and wallets are data that operators can edit while the server runs.
package screening

import (
	"crypto/sha256"
	_ "embed" // embeds the rules that apply without a file
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"taskmarket/market"
	"taskmarket/server/gazetteer"
)

// Limits of a file of rules. Patterns are matched in linear time.
const (
	maxRulesBytes = 1 << 20
	maxPatterns   = 1_000
	maxName       = 100
)

//go:embed rules.json
var builtin []byte

// rule holds a text that matches a pattern of any or raw, with no match of unless near it. any and unless are
// matched against the folded text: lower-case words without accents, separated by single spaces. raw is
// matched against the lower-case text.
type rule struct {
	Name   string    `json:"name"`
	Clause string    `json:"clause"` // what the terms forbid, for moderators
	Any    []pattern `json:"any"`
	Raw    []pattern `json:"raw"`
	Unless []pattern `json:"unless"`
}

type pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a regular expression in RE2 syntax.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

// Rules decide which tasks are held.
type Rules struct {
	rules   []rule
	version string
}

// versionDigits is the length of a version.
const versionDigits = 12

// Version identifies the text of the rules: the first digits of its SHA-256.
func (r Rules) Version() string { return r.version }

// Clauses returns the name and the clause of each rule, in the order in which they are applied.
func (r Rules) Clauses() []Clause {
	clauses := make([]Clause, len(r.rules))
	for i, rule := range r.rules {
		clauses[i] = Clause{rule.Name, rule.Clause}
	}
	return clauses
}

// ClauseOf returns the clause of a rule, or "" if there is no such rule.
func (r Rules) ClauseOf(name string) string {
	for _, rule := range r.rules {
		if rule.Name == name {
			return rule.Clause
		}
	}
	return ""
}

// Clause is what the terms forbid, with the rule that finds it.
type Clause struct{ Rule, Text string }

var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ParseRules reads rules in JSON. It returns an error for the first fault. An empty list is valid.
func ParseRules(raw []byte) (Rules, error) {
	var rules []rule
	if len(raw) > maxRulesBytes {
		return Rules{}, fmt.Errorf("the rules are larger than %d bytes", maxRulesBytes)
	}
	text, err := market.FileText(raw)
	if err != nil {
		return Rules{}, fmt.Errorf("parse the rules: %w", err)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&rules); err != nil {
		return Rules{}, fmt.Errorf("parse the rules: %w", err)
	}
	if decoder.More() {
		return Rules{}, errors.New("parse the rules: there is text after the list")
	}
	patterns, names := 0, map[string]bool{}
	for _, r := range rules {
		patterns += len(r.Any) + len(r.Raw) + len(r.Unless)
		switch {
		case !ruleName.MatchString(r.Name) || len(r.Name) > maxName || names[r.Name]:
			return Rules{}, fmt.Errorf("rule %q: the name must be unique, begin with a letter from a to z, and have at most %d characters: a-z, 0-9 and _", r.Name, maxName)
		case len(r.Any)+len(r.Raw) == 0:
			return Rules{}, fmt.Errorf("rule %q has no pattern in any or raw", r.Name)
		case patterns > maxPatterns:
			return Rules{}, fmt.Errorf("the rules have more than %d patterns", maxPatterns)
		}
		names[r.Name] = true
	}
	sum := sha256.Sum256([]byte(text))
	return Rules{rules, hex.EncodeToString(sum[:])[:versionDigits]}, nil
}

// Match returns the name of the first rule that holds a text with these parts, or "".
func (r Rules) Match(parts ...string) string {
	readings := readingsOf(parts...)
	for _, rule := range r.rules {
		if slices.ContainsFunc(readings, rule.holds) {
			return rule.Name
		}
	}
	return ""
}

// reading is a text in a form that rules are matched against.
type reading struct {
	text   string // lower case; empty if only the words differ from another reading
	folded string
}

// readingsOf returns the readings of a text with these parts: as it is, without disguises, and without
// disguises but also with digits replaced by letters or with divided words joined. A reading that equals an
// earlier one is left out.
func readingsOf(parts ...string) []reading {
	given := strings.Map(visible, strings.Join(parts, "\n"))
	text := strings.ToLower(given)
	folded := gazetteer.Fold(text)
	readings := []reading{{text, folded}}
	plain, spelled := text, folded
	if revealed := strings.Map(undisguised, given); revealed != given {
		plain = strings.ToLower(revealed)
		spelled = gazetteer.Fold(plain)
	}
	spelled = joinSpelled(spelled)
	if text != plain || folded != spelled {
		readings = append(readings, reading{plain, spelled})
	}
	for _, words := range []string{withoutDigits(spelled, "i"), withoutDigits(spelled, "l"), joinParts(spelled)} {
		if !slices.ContainsFunc(readings, func(r reading) bool { return r.folded == words }) {
			readings = append(readings, reading{folded: words})
		}
	}
	return readings
}

func (r rule) holds(t reading) bool {
	if !matches(r.Any, t.folded) && !matches(r.Raw, t.text) {
		return false
	}
	return !matches(r.Unless, t.folded) || r.matchesUnexcused(r.Any, t.folded) || r.matchesUnexcused(r.Raw, t.text)
}

// matchesUnexcused reports whether a pattern has a match in the text with no match of unless near it. One
// harmless word therefore does not excuse the whole text.
func (r rule) matchesUnexcused(patterns []pattern, text string) bool {
	for _, p := range patterns {
		for _, at := range p.FindAllStringIndex(text, -1) {
			if !matches(r.Unless, gazetteer.Fold(around(text, at[0], at[1]))) {
				return true
			}
		}
	}
	return false
}

// Limits of the text near a match, on each side of it. The limit in bytes is for text without spaces.
const (
	nearWords = 12
	nearBytes = 400
)

// around returns a part of the text with the words before and after it.
func around(text string, start, end int) string {
	before, after := text[max(0, start-nearBytes):start], text[end:min(len(text), end+nearBytes)]
	first, last := len(before), 0
	for range nearWords {
		word := strings.TrimRightFunc(before[:first], unicode.IsSpace)
		first = strings.LastIndexFunc(word, unicode.IsSpace) + 1
		word = strings.TrimLeftFunc(after[last:], unicode.IsSpace)
		last = len(after) - len(word)
		if length := strings.IndexFunc(word, unicode.IsSpace); length >= 0 {
			last += length
		} else {
			last = len(after)
		}
	}
	return before[first:] + text[start:end] + after[:last]
}

// visible drops invisible format characters, which could divide a word.
func visible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

func matches(patterns []pattern, text string) bool {
	for _, p := range patterns {
		if p.MatchString(text) {
			return true
		}
	}
	return false
}
