// Package strictjson rejects JSON that two parsers could interpret differently.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"taskmarket/market"
)

// maxDepth bounds the nesting of a body; operations need three or four levels.
const maxDepth = 32

// Check rejects invalid JSON, and JSON that two parsers could interpret differently or that
// PostgreSQL cannot store: invalid UTF-8, NUL, unpaired surrogates, duplicate member names
// (ignoring case), nesting deeper than maxDepth, and data after the value. An error names the innermost
// member. Check returns the body with whole numbers such as 5.0 and 5e0 in decimal digits, because other
// decoders accept only those as integers.
func Check(body []byte) ([]byte, error) {
	c := checker{body: body, decoder: json.NewDecoder(bytes.NewReader(body))}
	c.decoder.UseNumber()
	if err := c.checkValue("body", 0); err != nil {
		return nil, err
	}
	if _, err := c.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, market.Invalid("body", "trailing_data", "must contain one JSON value and nothing after it")
	}
	return append(c.rewritten, body[c.copied:]...), nil
}

// Decode stores one JSON value in the variable to which into points. It rejects null, unknown members, and what Check
// rejects, so that a slip in a file does not silently remove what the file says.
func Decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err // with the name of the member or the type
	}
	if string(bytes.TrimSpace(text)) == "null" {
		return market.Invalid("body", "type", "must not be null")
	}
	_, err := Check(text)
	return err
}

type checker struct {
	body      []byte
	decoder   *json.Decoder
	rewritten []byte // the result for body[:copied]
	copied    int
}

// token returns the next token. Its characters belong to the member.
func (c *checker) token(member string) (json.Token, error) {
	start := c.decoder.InputOffset()
	token, err := c.decoder.Token()
	if err != nil {
		if !utf8.Valid(c.body) {
			return nil, market.Invalid("body", "encoding", "must be UTF-8")
		}
		return nil, market.Invalid("body", "syntax", "is not valid JSON")
	}
	switch value := token.(type) {
	case string:
		return token, checkString(member, c.body[start:c.decoder.InputOffset()])
	case json.Number:
		c.rewrite(string(value))
	}
	return token, nil
}

// rewrite replaces the number that was read last if it is a whole number in another spelling.
func (c *checker) rewrite(number string) {
	digits, ok := wholeNumber(number)
	if !ok || digits == number {
		return
	}
	end := int(c.decoder.InputOffset())
	c.rewritten = append(append(c.rewritten, c.body[c.copied:end-len(number)]...), digits...)
	c.copied = end
}

// maxDigits is the largest number of digits of every int64.
const maxDigits = 18

// wholeNumber returns a JSON number in decimal digits, without a fraction or an exponent. It returns false for
// fractions, and for numbers with more than maxDigits digits. Example: for 1.50e1, the digits are 150 and the power
// of ten is 1 - 2, so the number is 15.
func wholeNumber(number string) (string, bool) {
	unsigned, negative := strings.CutPrefix(number, "-")
	significand, exponent, _ := strings.Cut(strings.ToLower(unsigned), "e")
	integer, fraction, _ := strings.Cut(significand, ".")
	digits := strings.TrimLeft(integer+fraction, "0")
	if digits == "" {
		return "0", true
	}
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil || max(power, -power) > len(number)+maxDigits {
			return "", false // not whole, or too large
		}
	}
	power -= len(fraction)
	short := strings.TrimRight(digits, "0")
	power += len(digits) - len(short)
	if power < 0 || len(short)+power > maxDigits {
		return "", false
	}
	short += strings.Repeat("0", power)
	if negative {
		short = "-" + short
	}
	return short, true
}

// checkValue checks the next value, which belongs to the member.
func (c *checker) checkValue(member string, depth int) error {
	token, err := c.token(member)
	if err != nil {
		return err
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	if depth == maxDepth {
		return market.Invalid("body", "depth", "is nested more than %d levels deep", maxDepth)
	}
	seen := make(map[string]bool)
	for c.decoder.More() {
		if delim == '{' {
			if member, err = c.checkName(seen); err != nil {
				return err
			}
		}
		if err := c.checkValue(member, depth+1); err != nil {
			return err
		}
	}
	_, err = c.token(member)
	return err
}

// plainName matches the names that error messages include.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// checkName reads the next name of an object and returns it, or "body" if errors must not include it.
func (c *checker) checkName(seen map[string]bool) (string, error) {
	token, err := c.token("body")
	if err != nil {
		return "", err
	}
	name, ok := token.(string)
	if !ok {
		return "", market.Invalid("body", "syntax", "is not valid JSON")
	}
	member := name
	if !plainName.MatchString(name) {
		member = "body"
	}
	// ToUpper then ToLower also folds letters such as ſ and the Kelvin sign, which encoding/json
	// treats as s and k.
	folded := strings.ToLower(strings.ToUpper(name))
	if seen[folded] {
		return "", market.Invalid(member, "duplicate_member", "is contained twice, possibly with different capitalization")
	}
	seen[folded] = true
	return member, nil
}

// Clean applies market.Clean to the strings of the top-level members with these names, in valid JSON. It does not
// change names and other members, whose form is checked strictly.
func Clean(body []byte, texts map[string]bool) []byte {
	if plain(body) || len(texts) == 0 {
		return body
	}
	var cleaned []byte
	next, depth, name := 0, 0, ""
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	for isName := false; ; {
		start := int(decoder.InputOffset())
		token, err := decoder.Token()
		if err != nil { // the end, because the JSON is valid
			return append(cleaned, body[next:]...)
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 1 && isName {
				name, isName = token, false
				continue
			}
			if text := market.Clean(token); text != token && texts[name] {
				start += bytes.IndexByte(body[start:], '"') // after white space, a colon or a comma
				encoded, _ := json.Marshal(text)            // strings can always be encoded
				cleaned = append(append(cleaned, body[next:start]...), encoded...)
				next = int(decoder.InputOffset())
			}
		}
		isName = depth == 1
	}
}

// CheckTexts rejects hidden characters in the strings of valid JSON; see market.CheckHidden. The error
// names the innermost member.
func CheckTexts(body []byte) error {
	if plain(body) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return checkTexts(decoder, "body")
}

// plain reports whether valid JSON certainly has no hidden characters in its strings: it is printable ASCII
// without escape sequences other than \n, \t, \", \\ and \/.
func plain(body []byte) bool {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c >= utf8.RuneSelf || c == 0x7f:
			return false
		case c == '\\':
			i++
			if !bytes.ContainsRune([]byte(`nt"\/`), rune(body[i])) {
				return false
			}
		}
	}
	return true
}

// checkTexts checks the next value, which belongs to the member.
func checkTexts(decoder *json.Decoder, member string) error {
	token, err := decoder.Token()
	if err != nil {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	if text, ok := token.(string); ok {
		return market.CheckHidden(member, text)
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	for decoder.More() {
		if delim == '{' {
			name, err := decoder.Token()
			if err != nil {
				return market.Invalid("body", "syntax", "is not valid JSON")
			}
			member, _ = name.(string) // names in valid JSON are strings
		}
		if err := checkTexts(decoder, member); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the end of the object or array
	return err
}

// checkString checks the text of a valid JSON string, in which backslashes occur only inside. It rejects invalid
// UTF-8, \u0000, and unpaired surrogates, which the decoder would silently replace.
func checkString(member string, text []byte) error {
	if !utf8.Valid(text) {
		return market.Invalid(member, "encoding", "must be UTF-8")
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++
		if text[i] != 'u' {
			continue
		}
		unit := escaped(text[i+1:])
		i += 4
		switch {
		case unit == 0:
			return market.Invalid(member, "nul", `contains the character \u0000, which is not allowed`)
		case unit >= 0xdc00 && unit < 0xe000:
			return loneSurrogate(member)
		case unit >= 0xd800 && unit < 0xdc00:
			if !bytes.HasPrefix(text[i+1:], []byte(`\u`)) {
				return loneSurrogate(member)
			}
			if low := escaped(text[i+3:]); low < 0xdc00 || low >= 0xe000 {
				return loneSurrogate(member)
			}
			i += 6
		}
	}
	return nil
}

func loneSurrogate(member string) error {
	return market.Invalid(member, "surrogate", "contains half of a surrogate pair")
}

func escaped(digits []byte) uint64 {
	unit, _ := strconv.ParseUint(string(digits[:4]), 16, 16) // valid JSON has four hex digits here
	return unit
}
