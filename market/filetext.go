package market

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

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
