// Package strictjson rejects JSON that two parsers could interpret differently.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"taskmarket/market"
)

// maxDepth bounds the nesting of a body; operations need three or four levels.
const maxDepth = 32

// Check rejects invalid JSON, and JSON that two parsers could interpret differently or that
// PostgreSQL cannot store: invalid UTF-8, NUL, unpaired surrogates, duplicate member names
// (ignoring case), nesting deeper than maxDepth, and data after the value.
func Check(body []byte) error {
	if !utf8.Valid(body) {
		return market.Invalid("body", "encoding", "must be UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := checkValue(decoder, 0); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return market.Invalid("body", "trailing_data", "must contain one JSON value and nothing after it")
	}
	return checkEscapes(body)
}

func checkValue(decoder *json.Decoder, depth int) error {
	token, err := decoder.Token()
	if err != nil {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	if depth == maxDepth {
		return market.Invalid("body", "depth", "is nested more than %d levels deep", maxDepth)
	}
	seen := make(map[string]bool)
	for decoder.More() {
		if delim == '{' {
			if err := checkName(decoder, seen); err != nil {
				return err
			}
		}
		if err := checkValue(decoder, depth+1); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	return nil
}

func checkName(decoder *json.Decoder, seen map[string]bool) error {
	token, err := decoder.Token()
	name, ok := token.(string)
	if err != nil || !ok {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	// ToUpper then ToLower also folds letters such as ſ and the Kelvin sign, which encoding/json
	// treats as s and k.
	folded := strings.ToLower(strings.ToUpper(name))
	if seen[folded] {
		return market.Invalid("body", "duplicate_member", "contains a field twice, possibly with different capitalization")
	}
	seen[folded] = true
	return nil
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

// checkEscapes checks the escape sequences of valid JSON, in which backslashes occur only in
// strings. It rejects \u0000, and unpaired surrogates, which the decoder would silently replace.
func checkEscapes(body []byte) error {
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		if body[i] != 'u' {
			continue
		}
		unit := escaped(body[i+1:])
		i += 4
		switch {
		case unit == 0:
			return market.Invalid("body", "nul", `contains the character \u0000, which is not allowed`)
		case unit >= 0xdc00 && unit < 0xe000:
			return loneSurrogate()
		case unit >= 0xd800 && unit < 0xdc00:
			if !bytes.HasPrefix(body[i+1:], []byte(`\u`)) {
				return loneSurrogate()
			}
			if low := escaped(body[i+3:]); low < 0xdc00 || low >= 0xe000 {
				return loneSurrogate()
			}
			i += 6
		}
	}
	return nil
}

func loneSurrogate() error {
	return market.Invalid("body", "surrogate", "contains half of a surrogate pair")
}

func escaped(digits []byte) uint64 {
	unit, _ := strconv.ParseUint(string(digits[:4]), 16, 16) // valid JSON has four hex digits here
	return unit
}
