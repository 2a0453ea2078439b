package signer

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"taskmarket/chain"
)

// longestSecret is the maximum size of a file with a key or a password, in bytes.
const longestSecret = 4 << 10

// ReadSecret returns the file's content without the trailing newline. It rejects a file that other
// users may read or write. It skips this check on Windows, where the folder must be protected instead.
func ReadSecret(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open secret file: %w", err)
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("check secret file: %w", err)
	}
	if open := about.Mode().Perm() & 0o077; open != 0 && runtime.GOOS != "windows" {
		return "", fmt.Errorf("other users can access %s (mode %04o): run `chmod 600 %s`", path, about.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(file, longestSecret+1))
	if err != nil {
		return "", fmt.Errorf("read secret file: %w", err)
	}
	if len(text) > longestSecret {
		return "", fmt.Errorf("%s is larger than %d bytes: it is not a key or a password", path, longestSecret)
	}
	secret := Line(string(text))
	if secret == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	return secret, nil
}

// Line returns a secret file's text without the final line ending, which is a newline or a carriage
// return and newline. All other characters, including spaces, are part of the secret.
func Line(text string) string {
	if line, ended := strings.CutSuffix(text, "\n"); ended {
		return strings.TrimSuffix(line, "\r")
	}
	return text
}

// KeyFile returns a signer for the private key in the file: 64 hex digits with or without 0x. The
// file must meet the requirements of ReadSecret.
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
