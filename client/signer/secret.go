package signer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"taskmarket/chain"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"taskmarket/market"
)

// longestPrivate is the maximum size of a file with secrets, in bytes. It limits the memory that a wrong
// path can use.
const longestPrivate = 64 << 10

// ReadPrivate returns the content of a file with secrets. It rejects a file that other users may read or
// write; see checkAccess.
func ReadPrivate(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := checkAccess(file, path); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, longestPrivate+1))
	if err == nil && len(raw) > longestPrivate {
		err = fmt.Errorf("it is larger than %d bytes", longestPrivate)
	}
	return raw, err
}

// ReadSecret returns the password in a file: its only line, without the line ending. It rejects a file
// whose visible text is not the whole password, because a wallet with that password could not be opened by
// typing it. The file must meet the requirements of ReadPrivate.
func ReadSecret(path string) (string, error) {
	raw, err := ReadPrivate(path)
	if err != nil {
		return "", fmt.Errorf("secret file %s: %w", path, err)
	}
	text, err := market.FileText(raw)
	if err == nil {
		text = line(text)
		err = CheckPassword(text)
	}
	if err != nil {
		return "", fmt.Errorf("secret file %s: %w", path, err)
	}
	return text, nil
}

// KeyText returns a key, a token or another secret without spaces at its ends, from the content of a file.
// It rejects a content of several lines.
func KeyText(raw []byte) (string, error) {
	text, err := market.FileText(raw)
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", errors.New("it is empty")
	case strings.ContainsAny(text, "\r\n"):
		return "", errors.New("it has several lines: write the secret on one line")
	}
	return text, nil
}

// KeyFile returns a signer for the private key in the file: 64 hex digits with or without 0x. The
// file must meet the requirements of ReadPrivate.
func KeyFile(path string) (*chain.KeySigner, error) {
	raw, err := ReadPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	text, err := KeyText(raw)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	signer, err := chain.ParseKeySigner(text)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return signer, nil
}

// line returns a text without its final line ending, which is a newline or a carriage return and newline.
// All other characters, including spaces, are part of a password.
func line(text string) string {
	if line, ended := strings.CutSuffix(text, "\n"); ended {
		return strings.TrimSuffix(line, "\r")
	}
	return text
}

// CheckPassword returns an error if a new password is not what a person sees and can type again.
func CheckPassword(password string) error {
	switch {
	case password == "":
		return errors.New("the password is empty")
	case !utf8.ValidString(password):
		return errors.New("the password is not UTF-8")
	case strings.ContainsAny(password, "\r\n"):
		return errors.New("the password has several lines, or more than one newline at its end: write it on one line, with at most one newline at the end")
	case !norm.NFC.IsNormalString(password):
		return errors.New("the password has decomposed characters, such as a letter and a separate accent, which a keyboard writes differently: type it again, or choose another one")
	}
	for _, r := range password {
		if !unicode.IsGraphic(r) {
			return fmt.Errorf("the password has the invisible character %U: remove it", r)
		}
	}
	return nil
}

// Passwords returns the passwords that the content of a file can mean, the most likely one first: the
// text's line, what earlier versions read, and the line without further newlines.
func Passwords(raw []byte) []string {
	readings := []string{line(string(raw))}
	if text, err := market.FileText(raw); err == nil {
		readings = []string{line(text), line(string(raw)), strings.TrimRight(text, "\r\n")}
	}
	return readings
}

// variants returns the password and the same visible password as other programs write it: with composed or
// decomposed characters, and with the byte order mark that earlier versions read from files.
func variants(password string) []string {
	return []string{password, norm.NFC.String(password), norm.NFD.String(password), "\ufeff" + password}
}

// Oddities describes what could make a password different from its visible text, without any part of it.
func Oddities(raw []byte) []string {
	var odd []string
	add := func(is bool, words string) {
		if is {
			odd = append(odd, words)
		}
	}
	text := string(raw)
	if _, err := market.FileText(raw); err != nil {
		odd = append(odd, err.Error())
	} else {
		add(!norm.NFC.IsNormalString(text), "it has decomposed characters")
	}
	word := strings.TrimRight(text, "\r\n")
	add(strings.HasPrefix(text, "\ufeff"), "it starts with a byte order mark")
	add(strings.Contains(text, "\r"), "it has carriage returns (Windows line endings)")
	add(strings.Count(text, "\n") > 1 || strings.ContainsAny(word, "\r\n"), "it has several lines or newlines")
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, "\ufeff"))
	last, _ := utf8.DecodeLastRuneInString(word)
	add(unicode.IsSpace(first), "it starts with a blank")
	add(unicode.IsSpace(last), "it ends with a blank")
	add(slices.ContainsFunc([]rune(strings.TrimPrefix(word, "\ufeff")), func(r rune) bool { return !unicode.IsGraphic(r) && !unicode.IsSpace(r) }), "it has invisible characters")
	return odd
}
