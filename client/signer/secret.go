package signer

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"taskmarket/chain"
)

// longestSecret is the most that a file with a key or a password may hold, in bytes.
const longestSecret = 4 << 10

// ReadSecret returns what the file holds without the line's end. It refuses a
// file that others than its owner may read or write; where files have no such
// permissions, on Windows, the folder has to see to that.
func ReadSecret(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open a secret's file: %w", err)
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("look at a secret's file: %w", err)
	}
	if open := about.Mode().Perm() & 0o077; open != 0 && runtime.GOOS != "windows" {
		return "", fmt.Errorf("others may read %s (its mode is %04o): chmod 600 it", path, about.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, longestSecret+1))
	if err != nil {
		return "", fmt.Errorf("read a secret's file: %w", err)
	}
	if len(text) > longestSecret {
		return "", fmt.Errorf("%s holds more than %d bytes: it is no key and no password", path, longestSecret)
	}
	secret := Line(string(text))
	if secret == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	return secret, nil
}

// Line returns the text of a secret's file without the end of its line, as editors
// leave one: one newline, or one carriage return and newline. All else, spaces too,
// belongs to the secret.
func Line(text string) string {
	if line, ended := strings.CutSuffix(text, "\n"); ended {
		return strings.TrimSuffix(line, "\r")
	}
	return text
}

// KeyFile returns the signer whose private key the file holds, 64 hex digits
// with or without 0x. The file is one for ReadSecret.
func KeyFile(path string) (*chain.KeySigner, error) {
	text, err := ReadSecret(path)
	if err != nil {
		return nil, err
	}
	signer, err := chain.ParseKeySigner(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return signer, nil
}
