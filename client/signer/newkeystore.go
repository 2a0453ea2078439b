package signer

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/durable"
)

// Hardness is how much a guess at a keystore's password costs.
type Hardness int

const (
	// ForPeople is for passwords that a person has thought of: a guess, and each
	// opening, takes 256 MiB and about a second.
	ForPeople Hardness = keystore.StandardScryptN
	// ForRandom is for passwords of NewPassword, which nobody can guess however
	// cheap it is.
	ForRandom Hardness = keystore.LightScryptN
)

// NewKeystore makes a key and puts it into a new file that the password opens,
// readable by the user alone. The key exists nowhere else: keep the file and the
// password. A file that is there already is left alone, and an error.
func NewKeystore(path, password string, hardness Hardness) (*chain.KeySigner, error) {
	if password == "" {
		return nil, errors.New("an empty password protects nothing")
	}
	key, err := crypto.GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	parallel := keystore.StandardScryptP
	if hardness == ForRandom {
		parallel = keystore.LightScryptP
	}
	signer := chain.NewKeySigner(key)
	text, err := keystore.EncryptKey(&keystore.Key{Id: id, Address: signer.Address(), PrivateKey: key}, password, int(hardness), parallel)
	if err != nil {
		return nil, fmt.Errorf("encrypt the key: %w", err)
	}
	if err := writeNew(path, text); err != nil {
		return nil, fmt.Errorf("write keystore: %w", err)
	}
	return signer, nil
}

const passwordBytes = 32

// NewPassword puts a random password into a new file that only the user can
// read. A file that is there already is left alone, and an error that
// errors.Is calls fs.ErrExist.
func NewPassword(path string) (password string, err error) {
	random := make([]byte, passwordBytes)
	_, _ = rand.Read(random) // never fails
	password = hex.EncodeToString(random)
	if err := writeNew(path, []byte(password+"\n")); err != nil {
		return "", fmt.Errorf("write password: %w", err)
	}
	return password, nil
}

// writeNew writes a file that was not there, so that it is on the disk
// afterwards, whole. What could not be finished is removed.
func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close(), durable.SyncDirectory(filepath.Dir(path))); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
