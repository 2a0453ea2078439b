package signer

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// ErrNoKey is returned when an address without a key is asked to sign.
var ErrNoKey = errors.New("there is no key to sign with")

// WatchOnly is the address of a wallet elsewhere. It signs nothing.
type WatchOnly common.Address

// Address implements chain.Signer.
func (w WatchOnly) Address() common.Address { return common.Address(w) }

// SignMessage implements chain.Signer. It answers ErrNoKey.
func (w WatchOnly) SignMessage(context.Context, string) ([]byte, error) { return nil, ErrNoKey }

// SignTypedData implements chain.Signer. It answers ErrNoKey.
func (w WatchOnly) SignTypedData(context.Context, apitypes.TypedData) ([]byte, error) {
	return nil, ErrNoKey
}

// SignTx implements chain.Signer. It answers ErrNoKey.
func (w WatchOnly) SignTx(context.Context, *types.Transaction, uint64) (*types.Transaction, error) {
	return nil, ErrNoKey
}
