package signer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
)

// SignMessage implements chain.Signer. The signature's last byte is 27 or 28.
func (e *External) SignMessage(ctx context.Context, text string) ([]byte, error) {
	args := []any{hexutil.Bytes(text), e.address}
	if e.names.typed {
		args = []any{accounts.MimetypeTextPlain, e.address, hexutil.Bytes(text)}
	}
	return e.sign(ctx, common.BytesToHash(accounts.TextHash([]byte(text))), e.names.message, args...)
}

// SignTypedData implements chain.Signer. The signature's last byte is 27 or 28.
func (e *External) SignTypedData(ctx context.Context, data apitypes.TypedData) ([]byte, error) {
	digest, err := chain.Digest(data)
	if err != nil {
		return nil, err
	}
	return e.sign(ctx, digest, e.names.typedData, e.address, chain.WireTypedData(data))
}

// sign requests a signature and verifies that it was made by the address over the digest.
func (e *External) sign(ctx context.Context, digest common.Hash, method string, args ...any) ([]byte, error) {
	var signature hexutil.Bytes
	if err := e.ask(ctx, &signature, method, args...); err != nil {
		return nil, err
	}
	checked, err := checkSignature(e.address, digest, signature)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	return checked, nil
}

// checkSignature verifies that the account made the signature over the digest. It returns the
// signature with 27 or 28 as its last byte.
func checkSignature(account common.Address, digest common.Hash, signature []byte) ([]byte, error) {
	signer, ok := chain.RecoverSigner(digest, signature)
	if !ok {
		return nil, errors.New("it is not a signature")
	}
	if signer != account {
		return nil, fmt.Errorf("it is not a signature of %s over this data", account)
	}
	checked := bytes.Clone(signature)
	if checked[64] < 27 {
		checked[64] += 27
	}
	return checked, nil
}

// SignTx implements chain.Signer. If the user changes the transaction in the signer, for example
// its fees, SignTx returns ErrMismatch, because the transaction would differ from the reviewed
// plan.
func (e *External) SignTx(ctx context.Context, tx *types.Transaction, chainID uint64) (*types.Transaction, error) {
	if tx.Type() != types.DynamicFeeTxType || tx.To() == nil {
		return nil, errors.New("an external signer supports only transactions with EIP-1559 fees and a recipient")
	}
	var signed signedTransaction
	// Clef requires the recipient's checksum.
	err := e.ask(ctx, &signed, e.names.transaction, map[string]any{
		"from": e.address, "to": common.NewMixedcaseAddress(*tx.To()), "chainId": (*hexutil.Big)(new(big.Int).SetUint64(chainID)),
		"nonce": hexutil.Uint64(tx.Nonce()), "gas": hexutil.Uint64(tx.Gas()), "value": (*hexutil.Big)(tx.Value()),
		"maxFeePerGas": (*hexutil.Big)(tx.GasFeeCap()), "maxPriorityFeePerGas": (*hexutil.Big)(tx.GasTipCap()),
		"data": hexutil.Bytes(tx.Data()),
	})
	if err != nil {
		return nil, err
	}
	return e.same(tx, signed.raw, chainID)
}

// same returns the signed transaction if it is the requested one and was signed by the address. The
// comparison uses the hash for signing, which covers all fields and the chain ID.
func (e *External) same(requested *types.Transaction, raw []byte, chainID uint64) (*types.Transaction, error) {
	var signed types.Transaction
	if err := signed.UnmarshalBinary(raw); err != nil {
		return nil, fmt.Errorf("%w: it is not a transaction", ErrMismatch)
	}
	rules := types.LatestSignerForChainID(new(big.Int).SetUint64(chainID))
	if signed.Type() != requested.Type() || rules.Hash(&signed) != rules.Hash(requested) {
		return nil, fmt.Errorf("%w: it is another transaction", ErrMismatch)
	}
	if sender, err := types.Sender(rules, &signed); err != nil || sender != e.address {
		return nil, fmt.Errorf("%w: it is not a transaction of %s", ErrMismatch, e.address)
	}
	return &signed, nil
}

// signedTransaction is a signer's result: either the raw transaction, or an object that contains it
// in the field raw.
type signedTransaction struct{ raw hexutil.Bytes }

// UnmarshalJSON implements json.Unmarshaler.
func (s *signedTransaction) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &s.raw) == nil {
		return nil
	}
	var object struct {
		Raw hexutil.Bytes `json:"raw"`
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return errors.New("it is not a signed transaction")
	}
	s.raw = object.Raw
	return nil
}
