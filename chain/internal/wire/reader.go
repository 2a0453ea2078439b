// Package wire decodes large responses from nodes, such as the receipts of a block, in one pass.
// Package encoding/json would read each response about five times. The decoder validates the values that
// it decodes. For values that it skips or returns as raw text, it only finds the end, by counting brackets.
package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
)

// ErrMalformed is returned for JSON that cannot be decoded as the expected value.
var ErrMalformed = errors.New("malformed answer")

// Reader reads the values of a JSON text one after another. After the first error, all methods
// return zero values, and Err returns the error.
type Reader struct {
	text []byte
	at   int
	err  error
}

// NewReader returns a reader of one JSON text. The reader does not change the text.
func NewReader(text []byte) *Reader { return &Reader{text: text} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

func (r *Reader) fail(expected string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: expected %s at byte %d", ErrMalformed, expected, r.at)
		r.at = len(r.text)
	}
}

// peek returns the first byte of the next token, or 0 at the end.
func (r *Reader) peek() byte {
	for ; r.at < len(r.text); r.at++ {
		switch b := r.text[r.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// accept consumes the next byte after white space if it equals token.
func (r *Reader) accept(token byte) bool {
	if r.peek() != token {
		return false
	}
	r.at++
	return true
}

// End rejects anything but white space after the value.
func (r *Reader) End() {
	if r.peek() != 0 || r.at < len(r.text) {
		r.fail("the end")
	}
}

// Null consumes a null, if it is the next value.
func (r *Reader) Null() bool {
	return r.peek() == 'n' && r.literal("null")
}

// literal consumes the literal, if it is next.
func (r *Reader) literal(literal string) bool {
	if !bytes.HasPrefix(r.text[r.at:], []byte(literal)) {
		return false
	}
	r.at += len(literal)
	return true
}

// IsArray reports whether the next value is an array.
func (r *Reader) IsArray() bool { return r.peek() == '[' }

// Bool reads true or false.
func (r *Reader) Bool() bool {
	switch {
	case r.peek() == 't' && r.literal("true"):
		return true
	case r.peek() == 'f' && r.literal("false"):
		return false
	}
	r.fail("true or false")
	return false
}

// Object reads an object. It calls member for each key, and member must read or skip the value.
func (r *Reader) Object(member func(key []byte)) {
	if !r.accept('{') {
		r.fail("an object")
	}
	for first := true; r.err == nil && !r.accept('}'); first = false {
		if !first && !r.accept(',') {
			r.fail("a comma")
			return
		}
		key := r.text[0:0]
		if raw := r.quoted(); len(raw) >= 2 {
			key = raw[1 : len(raw)-1]
		}
		if !r.accept(':') {
			r.fail("a colon")
			return
		}
		member(key)
	}
}

// Array reads an array. It calls element for each element, which must read or skip the value.
func (r *Reader) Array(element func()) {
	if !r.accept('[') {
		r.fail("an array")
	}
	for first := true; r.err == nil && !r.accept(']'); first = false {
		if !first && !r.accept(',') {
			r.fail("a comma")
			return
		}
		element()
	}
}

// quoted reads a string and returns it with its quotes and escapes.
func (r *Reader) quoted() []byte {
	if r.peek() != '"' {
		r.fail("a string")
		return nil
	}
	start := r.at
	for next := start + 1; ; {
		i := bytes.IndexByte(r.text[next:], '"')
		if i < 0 {
			r.fail("the end of a string")
			return nil
		}
		next += i + 1
		escapes := 0
		for b := next - 2; b > start && r.text[b] == '\\'; b-- {
			escapes++
		}
		if escapes%2 == 0 {
			r.at = next
			return r.text[start:next]
		}
	}
}

// Skip skips one value.
func (r *Reader) Skip() { r.Raw() }

// Raw returns one value as text.
func (r *Reader) Raw() []byte {
	r.peek()
	start, depth := r.at, 0
	for r.err == nil {
		switch b := r.peek(); b {
		case '"':
			r.quoted()
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case ',', ':':
			if depth == 0 {
				r.fail("a value")
			}
			r.at++
			continue
		case 0:
			r.fail("a value")
		default:
			r.scalar()
		}
		if depth <= 0 {
			break
		}
	}
	if depth < 0 {
		r.fail("a value")
	}
	if r.err != nil {
		return nil
	}
	return r.text[start:r.at]
}

// scalar skips a number or a literal.
func (r *Reader) scalar() {
	start := r.at
	for ; r.at < len(r.text); r.at++ {
		b := r.text[r.at]
		if (b < '0' || b > '9') && (b < 'a' || b > 'z') && b != '-' && b != '+' && b != '.' && b != 'E' {
			break
		}
	}
	if r.at == start {
		r.fail("a value")
	}
}

// digits reads a string that begins with 0x and returns the rest.
func (r *Reader) digits() []byte {
	raw := r.quoted()
	if len(raw) < 4 || raw[1] != '0' || raw[2] != 'x' && raw[2] != 'X' {
		r.fail("a hexadecimal string")
		return nil
	}
	return raw[3 : len(raw)-1]
}

// Bytes reads a hexadecimal string of any length.
func (r *Reader) Bytes() []byte {
	digits := r.digits()
	decoded := make([]byte, len(digits)/2)
	if _, err := hex.Decode(decoded, digits); err != nil {
		r.fail("a hexadecimal string with an even number of digits")
		return nil
	}
	return decoded
}

// Fixed reads a hexadecimal string of exactly the length of into.
func (r *Reader) Fixed(into []byte) {
	digits := r.digits()
	if len(digits) != 2*len(into) {
		r.fail(fmt.Sprintf("%d bytes in hexadecimal", len(into)))
		return
	}
	if _, err := hex.Decode(into, digits); err != nil {
		r.fail("a hexadecimal string")
	}
}

// Uint reads a hexadecimal number without leading zeros.
func (r *Reader) Uint() uint64 {
	digits := r.digits()
	if len(digits) == 0 || len(digits) > 16 || len(digits) > 1 && digits[0] == '0' {
		r.fail("a hexadecimal number of at most 64 bits without leading zeros")
		return 0
	}
	n := uint64(0)
	for _, d := range digits {
		value, ok := nibble(d)
		if !ok {
			r.fail("a hexadecimal number of at most 64 bits without leading zeros")
			return 0
		}
		n = n<<4 | uint64(value)
	}
	return n
}

func nibble(d byte) (byte, bool) {
	switch {
	case d >= '0' && d <= '9':
		return d - '0', true
	case d >= 'a' && d <= 'f':
		return d - 'a' + 10, true
	case d >= 'A' && d <= 'F':
		return d - 'A' + 10, true
	}
	return 0, false
}
