package signer

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
)

// ErrNoKey is returned when a signature is requested from a wallet without a local key.
var ErrNoKey = errors.New("the wallet's key is not on this machine")

// ErrOtherData is returned when the signature that was passed to an Offline wallet was not made
// over the typed data to sign.
var ErrOtherData = errors.New("the signature does not match this wallet and the typed data")

// Offline represents a wallet whose key is in another program. A person signs with that program and
// passes the signature back. It is safe for concurrent use.
type Offline struct {
	address   common.Address
	signature []byte // signature over typed data that was made in the other program; nil if there is none

	mu        sync.Mutex
	requested *types.Transaction
}

// NewOffline returns a wallet with the address. Its SignTypedData returns the signature if it is
// valid. The signature may be nil.
func NewOffline(address common.Address, signature []byte) *Offline {
	return &Offline{address: address, signature: signature}
}

// Address implements chain.Signer.
func (o *Offline) Address() common.Address { return o.address }

// SignMessage implements chain.Signer. It returns ErrNoKey.
func (o *Offline) SignMessage(context.Context, string) ([]byte, error) { return nil, ErrNoKey }

// SignTypedData implements chain.Signer. It returns the signature from NewOffline, ErrOtherData if
// that signature was made over other data, and ErrNoKey if there is none.
func (o *Offline) SignTypedData(_ context.Context, data apitypes.TypedData) ([]byte, error) {
	if o.signature == nil {
		return nil, ErrNoKey
	}
	digest, err := chain.Digest(data)
	if err != nil {
		return nil, err
	}
	checked, err := checkSignature(o.address, digest, o.signature)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOtherData, err)
	}
	return checked, nil
}

// SignTx implements chain.Signer. It stores the transaction for Asked and returns ErrNoKey.
func (o *Offline) SignTx(_ context.Context, tx *types.Transaction, _ uint64) (*types.Transaction, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requested = tx
	return nil, ErrNoKey
}

// Asked returns the last transaction that was passed to SignTx, or nil if there was none.
func (o *Offline) Asked() *types.Transaction {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.requested
}
