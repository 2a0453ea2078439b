package signer

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"taskmarket/chain"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/client/internal/durable"
)

// Hardness is the cost of one guess at a keystore's password.
type Hardness int

const (
	// ForPeople is for passwords that a person has chosen. Each guess, and each opening of the
	// keystore, takes 256 MiB and about a second.
	ForPeople Hardness = keystore.StandardScryptN
	// ForRandom is for passwords from NewPassword, which cannot be guessed even at a low cost.
	ForRandom Hardness = keystore.LightScryptN
)

// NewKeystore creates a key and writes it to a new file, encrypted with the password and readable
// only by this user. The file contains the only copy of the key: back up the file and the password.
// NewKeystore returns an error if the file already exists, or if the password contains something that a
// person cannot see and type again.
func NewKeystore(path, password string, hardness Hardness) (*chain.KeySigner, error) {
	if err := CheckPassword(password); err != nil {
		return nil, err
	}
	key, err := crypto.GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("create key: %w", err)
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, fmt.Errorf("create key: %w", err)
	}
	parallel := keystore.StandardScryptP
	if hardness == ForRandom {
		parallel = keystore.LightScryptP
	}
	signer := chain.NewKeySigner(key)
	text, err := keystore.EncryptKey(&keystore.Key{Id: id, Address: signer.Address(), PrivateKey: key}, password, int(hardness), parallel)
	if err != nil {
		return nil, fmt.Errorf("encrypt key: %w", err)
	}
	if err := writeNew(path, text); err != nil {
		return nil, fmt.Errorf("write keystore: %w", err)
	}
	return signer, nil
}

const passwordBytes = 32

// NewPassword writes a random password to a new file, readable only by this user. If the file
// already exists, the error matches fs.ErrExist.
func NewPassword(path string) (password string, err error) {
	random := make([]byte, passwordBytes)
	_, _ = rand.Read(random) // rand.Read never returns an error
	password = hex.EncodeToString(random)
	if err := writeNew(path, []byte(password+"\n")); err != nil {
		return "", fmt.Errorf("write password: %w", err)
	}
	return password, nil
}

// writeNew creates a file and syncs it to disk. If writing fails, the incomplete file is removed.
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
