package server

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

// Calls makes the calls that users' wallets sign and send. It does no I/O;
// chain.Contracts implements it.
type Calls interface {
	AcceptApplication(escrow common.Address, taskID, applicationID uint64) chain.Call
	RejectApplication(applicationID uint64) chain.Call
	WithdrawStake(applicationID uint64) chain.Call
	LockStake(taskID uint64, amount *big.Int) chain.Call
	ApproveToken(spender common.Address, amount *big.Int) chain.Call
	SubmitTask(escrow common.Address, taskID uint64, workHash common.Hash) chain.Call
	ApproveTask(escrow common.Address, taskID uint64) chain.Call
	DisputeTask(escrow common.Address, taskID uint64) chain.Call
	CancelTask(escrow common.Address, taskID uint64) chain.Call
}

// Reader reads the chain. Every method answers KindChainUnavailable when no
// node does; chain.Reader implements it.
type Reader interface {
	// Balances returns what a wallet holds, in wei: platform tokens and gas.
	Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error)
	// PermitNonce returns the nonce of the wallet's next permit.
	PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error)
	// TokenInfo describes the platform token.
	TokenInfo(ctx context.Context) (chain.Token, error)
	// Simulate tries the call and answers KindWouldRevert when it fails.
	Simulate(ctx context.Context, from common.Address, call chain.Call) error
	// ProveFunding finds the task's posting in a transaction.
	ProveFunding(ctx context.Context, tx common.Hash, task *market.Task) (chain.Proof, error)
	// ProveBinding finds the acceptance of the task's human in a transaction
	// and returns its block.
	ProveBinding(ctx context.Context, tx common.Hash, task *market.Task) (uint64, error)
	// ProveTx finds the task's event of the kind in a transaction and returns
	// its block.
	ProveTx(ctx context.Context, tx common.Hash, kind market.EventKind, task *market.Task) (uint64, error)
}

// Verifier checks signatures of plain and contract wallets. It answers
// KindSignatureInvalid, or KindChainUnavailable when only a node could tell;
// chain.Verifier implements it.
type Verifier interface {
	// VerifyMessage checks an EIP-191 signature of a text.
	VerifyMessage(ctx context.Context, wallet common.Address, text string, signature []byte) error
	// VerifyDigest checks a signature of a digest, such as one of typed data.
	VerifyDigest(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error
}
