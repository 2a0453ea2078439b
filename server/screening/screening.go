// Package screening finds tasks that a moderator must read before humans see them, and wallets that
// the operator must not serve. Rules and wallets are data that operators can edit while the server runs.
package screening

import (
	"crypto/sha256"
	_ "embed" // embeds the rules that apply without a file
	"encoding/hex"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"taskmarket/market"
	"taskmarket/server/gazetteer"
	"taskmarket/server/strictjson"
)

// Limits of a file of rules. Patterns are matched in linear time.
const (
	maxRulesBytes = 1 << 20
	maxPatterns   = 1_000
	maxName       = 100
)

//go:embed rules.json
var builtin []byte

// rule holds a text that matches a pattern of any or raw. any and unless are matched against the folded text:
// lower-case words without accents, separated by single spaces. raw is matched against the lower-case text. A pattern
// of unless is a harmless phrase without punctuation: its words are left out before any is matched, so it excuses only
// a match that needs these words. Example: "toy pistol" excuses "Buy a toy pistol." but not "Buy a toy, pistol."
type rule struct {
	Name   string    `json:"name"`
	Clause string    `json:"clause"` // what the terms forbid, for moderators
	Any    []pattern `json:"any"`
	Raw    []pattern `json:"raw"`
	Unless []pattern `json:"unless"`
}

type pattern struct {
	*regexp.Regexp

	required []string // each match contains one of these; empty if that is unknown
}

// UnmarshalText compiles a regular expression in RE2 syntax.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	if p.Regexp, err = regexp.Compile(string(text)); err != nil {
		return err
	}
	tree, err := syntax.Parse(string(text), syntax.Perl)
	if err == nil {
		p.required = required(tree)
	}
	return err
}

// mayMatch is a fast check before the match: most texts have none of the words that a pattern requires.
func (p *pattern) mayMatch(text string) bool {
	return len(p.required) == 0 ||
		slices.ContainsFunc(p.required, func(literal string) bool { return strings.Contains(text, literal) })
}

// required returns literals of which each match of the expression contains one, or nil if there are none.
func required(expression *syntax.Regexp) []string {
	switch expression.Op { //nolint:exhaustive // the other operators require no literal
	case syntax.OpLiteral:
		if expression.Flags&syntax.FoldCase == 0 {
			return []string{string(expression.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(expression.Sub[0])
	case syntax.OpRepeat:
		if expression.Min > 0 {
			return required(expression.Sub[0])
		}
	case syntax.OpConcat: // the part with the longest literals
		var best []string
		for _, part := range expression.Sub {
			if literals := required(part); shortest(literals) > shortest(best) {
				best = literals
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, part := range expression.Sub {
			literals := required(part)
			if literals == nil {
				return nil
			}
			all = append(all, literals...)
		}
		return all
	}
	return nil
}

// shortest returns the length of the shortest literal; 0 if there is none.
func shortest(literals []string) int {
	if len(literals) == 0 {
		return 0
	}
	return len(slices.MinFunc(literals, func(a, b string) int { return len(a) - len(b) }))
}

// Rules decide which tasks are held.
type Rules struct {
	rules      []rule
	vocabulary vocabulary
	version    string
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
	if err := strictjson.Decode([]byte(text), &rules); err != nil {
		return Rules{}, fmt.Errorf("parse the rules: %w", err)
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
	var sources []string
	for _, r := range rules {
		for _, p := range r.Any {
			sources = append(sources, p.String())
		}
	}
	sum := sha256.Sum256([]byte(text))
	return Rules{rules, vocabularyOf(sources...), hex.EncodeToString(sum[:])[:versionDigits]}, nil
}

// Match returns the name of the first rule that holds a text with these parts, or "".
func (r Rules) Match(parts ...string) string {
	text := strings.Map(visible, strings.Join(parts, "\n"))
	all := readingsOf(text, r.vocabulary, nil)
	for _, rule := range r.rules {
		if slices.ContainsFunc(all, rule.matches) &&
			(len(rule.Unless) == 0 || slices.ContainsFunc(readingsOf(text, r.vocabulary, rule.Unless), rule.matches)) {
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

// readingsOf returns the readings of a text: as it is, with Latin letters instead of those that look like them, and
// with the words of the vocabulary instead of their disguises. A reading that equals an earlier one is left out. The
// words of unless are left out of all of them.
func readingsOf(original string, words vocabulary, unless []pattern) []reading {
	asIs := func(folded string) string { return folded }
	text := strings.ToLower(original)
	readings := []reading{{text, fold(text, unless, asIs)}}
	plain := text
	if revealed := strings.Map(market.Undisguise, norm.NFKD.String(original)); revealed != original {
		plain = strings.ToLower(revealed)
		readings = append(readings, reading{plain, fold(plain, unless, asIs)})
	}
	for _, source := range disguises(plain) {
		folded := fold(source, unless, words.read)
		if !slices.ContainsFunc(readings, func(r reading) bool { return r.folded == folded }) {
			readings = append(readings, reading{"", folded})
		}
	}
	return readings
}

// excused replaces the words that a pattern of unless matches. It counts as a word, but no pattern contains it.
const excused = "__"

// phraseEnd matches what ends a phrase: each character other than letters, digits, spaces, and apostrophes and hyphens
// in words.
var phraseEnd = regexp.MustCompile("[^\\pL\\pN\\pM\\p{Zs}'’`-]+|['’`-]+(?:\\p{Zs}|$)|(?:^|\\p{Zs})['’`-]+|['’`-]{2,}")

// fold folds and reads a text, without the words that the patterns of unless match in one of its phrases.
func fold(text string, unless []pattern, read func(folded string) string) string {
	if len(unless) == 0 {
		return read(gazetteer.Fold(text))
	}
	excuse := func(phrase string) string {
		for _, p := range unless {
			phrase = p.ReplaceAllLiteralString(phrase, excused)
		}
		return phrase
	}
	var phrases []string
	for _, phrase := range phraseEnd.Split(norm.NFKD.String(text), -1) {
		if phrase = excuse(read(excuse(gazetteer.Fold(phrase)))); phrase != "" {
			phrases = append(phrases, phrase)
		}
	}
	return read(strings.Join(phrases, " "))
}

func (r rule) matches(t reading) bool { return matches(r.Any, t.folded) || matches(r.Raw, t.text) }

// visible drops invisible characters, which could divide a word. It keeps spaces and the blank of Braille.
func visible(r rune) rune {
	if market.Hidden(r) && !unicode.IsSpace(r) && !unicode.IsSymbol(r) {
		return -1
	}
	return r
}

func matches(patterns []pattern, text string) bool {
	for _, p := range patterns {
		if p.mayMatch(text) && p.MatchString(text) {
			return true
		}
	}
	return false
}
