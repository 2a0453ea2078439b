package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

const (
	// signatureGas bounds the computation of a contract wallet: an endless loop ends after a few
	// milliseconds.
	signatureGas = 3_000_000
	// longestSignature is the maximum size in bytes of a signature that is sent to a node. It limits
	// what an unauthenticated client can make the service send. An ERC-6492 wrapper with a wallet's
	// creation code takes a few kilobytes.
	longestSignature = 16 << 10
)

// Verifier checks signatures of accounts: keys, contract wallets (ERC-1271), contract wallets that
// are not deployed yet (ERC-6492), and keys that delegate to code (EIP-7702). It first checks a
// key's signature, without a call, because an account with code may still have a key.
type Verifier struct {
	node  *rpc.Node
	check *contracts.SignatureCheck
	code  []byte
}

// NewVerifier returns a verifier that checks contract wallets with the node.
func NewVerifier(node *rpc.Node) *Verifier {
	return &Verifier{
		node: node, check: contracts.NewSignatureCheck(),
		code: common.FromHex(contracts.SignatureCheckMetaData.Bin),
	}
}

// SignedByKey reports whether the wallet's key signed exactly these bytes with personal_sign (EIP-191). It
// does no I/O.
func (v *Verifier) SignedByKey(wallet common.Address, text string, signature []byte) bool {
	signer, ok := RecoverSigner(common.BytesToHash(accounts.TextHash([]byte(text))), signature)
	return ok && signer == wallet
}

// VerifyMessage checks that the wallet signed exactly these bytes with personal_sign (EIP-191). It
// returns market.KindSignatureInvalid, or market.KindChainUnavailable if no node can check a
// contract wallet.
func (v *Verifier) VerifyMessage(ctx context.Context, wallet common.Address, text string, signature []byte) error {
	return v.VerifyDigest(ctx, wallet, common.BytesToHash(accounts.TextHash([]byte(text))), signature)
}

// VerifyDigest checks that the wallet signed the digest, for example one from Digest. Its errors
// are those of VerifyMessage.
func (v *Verifier) VerifyDigest(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error {
	if signer, ok := RecoverSigner(digest, signature); ok && signer == wallet {
		return nil
	}
	if wallet == (common.Address{}) || len(signature) == 0 || len(signature) > longestSignature {
		return notSigned(wallet)
	}
	return v.callWallet(ctx, wallet, digest, signature)
}

// VerifyOnChain checks that a contract would accept the digest's signature now. It rejects
// signatures that only a node can check: the wrapped signature (ERC-6492) of a wallet that is not
// deployed, and a signature that is too short to distinguish from a key's.
func (v *Verifier) VerifyOnChain(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error {
	if signer, ok := RecoverSigner(digest, signature); ok && signer == wallet {
		return nil
	}
	if bytes.HasSuffix(signature, wrapped) || common.AddressLength+len(signature) <= crypto.SignatureLength {
		return notSigned(wallet).WithHint("sign with a key, or with a deployed wallet whose isValidSignature accepts the signature")
	}
	return v.VerifyDigest(ctx, wallet, digest, signature)
}

// wrapped is the suffix that marks an ERC-6492 signature.
var wrapped = bytes.Repeat([]byte{0x64, 0x92}, 16)

// callWallet runs the check contract in an eth_call, so nothing is mined. All providers that respond must
// accept the signature: otherwise, a dishonest provider could sign in as any user.
func (v *Verifier) callWallet(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error {
	call := ethereum.CallMsg{
		Gas:  signatureGas,
		Data: append(append([]byte(nil), v.code...), v.check.PackConstructor(wallet, digest, signature)...),
	}
	rejected := false
	err := v.node.Each(ctx, "check a contract wallet's signature", func(ctx context.Context, c *ethclient.Client) error {
		result, err := rpc.CallContract(ctx, c, call)
		if _, reverted := errors.AsType[*rpc.RevertError](err); reverted {
			rejected = true
			return nil
		}
		if err != nil {
			return err
		}
		signed, err := verdictOf(result)
		rejected = rejected || err == nil && !signed
		return err
	})
	switch {
	case rejected:
		return notSigned(wallet)
	case err == nil:
		return nil
	case market.KindOf(err) == market.KindChainUnavailable:
		return err
	}
	return rpc.Unavailable("check a contract wallet's signature", err)
}

// verdictOf decodes the result of the check contract. The contract returns a word for every wallet,
// even without code, so any other result is the node's fault.
func verdictOf(result []byte) (signed bool, err error) {
	word := common.BytesToHash(result)
	if len(result) != common.HashLength || word != (common.Hash{}) && word != common.BigToHash(common.Big1) {
		return false, fmt.Errorf("%w: %#x", rpc.ErrInvalidAnswer, result[:min(len(result), common.HashLength)])
	}
	return word != (common.Hash{}), nil
}

func notSigned(wallet common.Address) *market.Error {
	return market.Errorf(market.KindSignatureInvalid, "the signature does not match account %s and this message", wallet).
		WithHint("sign exactly the given message with this wallet: a text with personal_sign, typed data with eth_signTypedData_v4")
}

// RecoverSigner returns the account whose key made the signature. It accepts 65 bytes with a last
// byte of 0, 1, 27 or 28 and a low s. crypto.SigToPub would also accept a high s, with which every
// signature has a second valid form.
func RecoverSigner(digest common.Hash, signature []byte) (common.Address, bool) {
	if len(signature) != crypto.SignatureLength {
		return common.Address{}, false
	}
	plain := append([]byte(nil), signature...)
	if plain[64] == 27 || plain[64] == 28 {
		plain[64] -= 27
	}
	r, s := new(big.Int).SetBytes(plain[:32]), new(big.Int).SetBytes(plain[32:64])
	if !crypto.ValidateSignatureValues(plain[64], r, s, true) {
		return common.Address{}, false
	}
	key, err := crypto.SigToPub(digest[:], plain)
	if err != nil {
		return common.Address{}, false
	}
	return crypto.PubkeyToAddress(*key), true
}
