package chain

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// Signer signs for one account. An implementation can use a key in another process and wait for a
// user's consent until the context ends.
type Signer interface {
	// Address returns the account.
	Address() common.Address
	// SignMessage signs a text with personal_sign (EIP-191).
	SignMessage(ctx context.Context, text string) ([]byte, error)
	// SignTypedData signs EIP-712 data.
	SignTypedData(ctx context.Context, data apitypes.TypedData) ([]byte, error)
	// SignTx signs a transaction for the chain.
	SignTx(ctx context.Context, tx *types.Transaction, chainID uint64) (*types.Transaction, error)
}

// KeySigner is a Signer whose key is in memory. It is always formatted as its address.
type KeySigner struct {
	key     *ecdsa.PrivateKey
	address common.Address
}

// NewKeySigner returns a signer for the key.
func NewKeySigner(key *ecdsa.PrivateKey) *KeySigner {
	return &KeySigner{key: key, address: crypto.PubkeyToAddress(key.PublicKey)}
}

// ParseKeySigner parses a private key, 64 hex digits with or without 0x. Its error never contains
// the input.
func ParseKeySigner(hex string) (*KeySigner, error) {
	if len(hex) > 2 && hex[:2] == "0x" {
		hex = hex[2:]
	}
	key, err := crypto.HexToECDSA(hex)
	if err != nil {
		return nil, errors.New("read a private key: it is not 64 hexadecimal digits that form a valid secp256k1 key")
	}
	return NewKeySigner(key), nil
}

// Address implements Signer.
func (s *KeySigner) Address() common.Address { return s.address }

// String returns the address, so that a signer in a log line does not show its key.
func (s *KeySigner) String() string { return s.address.Hex() }

// Format writes the address for every verb, so that no verb shows the key.
func (s *KeySigner) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// SignMessage implements Signer. The signature's last byte is 27 or 28.
func (s *KeySigner) SignMessage(_ context.Context, text string) ([]byte, error) {
	return s.sign(common.BytesToHash(accounts.TextHash([]byte(text))))
}

// SignTypedData implements Signer. The signature's last byte is 27 or 28.
func (s *KeySigner) SignTypedData(_ context.Context, data apitypes.TypedData) ([]byte, error) {
	digest, err := Digest(data)
	if err != nil {
		return nil, err
	}
	return s.sign(digest)
}

func (s *KeySigner) sign(digest common.Hash) ([]byte, error) {
	signature, err := crypto.Sign(digest[:], s.key)
	if err != nil {
		return nil, fmt.Errorf("sign as %s: %w", s.address, err)
	}
	return normalizeV(signature), nil
}

// SignTx implements Signer.
func (s *KeySigner) SignTx(_ context.Context, tx *types.Transaction, chainID uint64) (*types.Transaction, error) {
	signed, err := types.SignTx(tx, types.LatestSignerForChainID(new(big.Int).SetUint64(chainID)), s.key)
	if err != nil {
		return nil, fmt.Errorf("sign a transaction as %s: %w", s.address, err)
	}
	return signed, nil
}
