package signer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"taskmarket/client/signer"
)

func TestNewKeystore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, passwordPath := filepath.Join(dir, "made", "wallet.json"), filepath.Join(dir, "password")
	password, err := signer.NewPassword(passwordPath)
	if err != nil || len(password) != 64 {
		t.Fatalf("NewPassword = %d characters, %v", len(password), err)
	}
	made, err := signer.NewKeystore(path, password, signer.ForRandom)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, passwordPath} {
		info, err := os.Stat(p)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", p, info.Mode(), err)
		}
	}
	held, err := signer.ReadSecret(passwordPath)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := signer.Keystore(path, held)
	if err != nil || opened.Address() != made.Address() {
		t.Errorf("opened %v, %v; created %v", opened, err, made)
	}
	if _, err := signer.Keystore(path, "another"); !errors.Is(err, signer.ErrPassword) {
		t.Errorf("another password: %v", err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := signer.NewKeystore(path, password, signer.ForRandom); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second keystore at the same path: %v", err)
	}
	if _, err := signer.NewPassword(passwordPath); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second password at the same path: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the keystore was overwritten: %v", err)
	}
	if _, err := signer.NewKeystore(filepath.Join(dir, "other"), "", signer.ForPeople); err == nil {
		t.Error("an empty password was accepted")
	}
}
