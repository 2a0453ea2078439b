package server

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/market"
)

// Calls builds the calls that users' wallets sign and send. It does no I/O. chain.Contracts
// implements it.
type Calls interface {
	PostTask(amount *big.Int, fee uint16, terms common.Hash) market.Call
	AcceptApplication(escrow common.Address, taskID, applicationID uint64) market.Call
	RejectApplication(applicationID uint64) market.Call
	WithdrawStake(applicationID uint64) market.Call
	LockStake(taskID uint64, amount *big.Int) market.Call
	ApproveToken(spender common.Address, amount *big.Int) market.Call
	SubmitTask(escrow common.Address, taskID uint64, workHash common.Hash) market.Call
	ApproveTask(escrow common.Address, taskID uint64) market.Call
	DisputeTask(escrow common.Address, taskID uint64) market.Call
	CancelTask(escrow common.Address, taskID uint64) market.Call
	Settle(escrow common.Address, taskID uint64) market.Call
	EmergencyRelease(escrow common.Address, taskID uint64) market.Call

	// StakePermit returns the permit that an applicant signs to let the staking contract transfer
	// the stake.
	StakePermit(token market.Token, owner common.Address, stake, nonce, deadline *big.Int) apitypes.TypedData
	// Verdict returns the typed data for a validator's verdict on the task's work in the current
	// round.
	Verdict(e *market.EscrowTask, approved bool) apitypes.TypedData
	// VerdictDigest returns the hash of Verdict, which the validator's signature covers.
	VerdictDigest(e *market.EscrowTask, approved bool) (common.Hash, error)
}

// Reader reads the chain. Every method returns KindChainUnavailable when no node responds.
// chain.Reader implements it.
type Reader interface {
	// Balances returns a wallet's balances of platform tokens and of native coin for gas, in wei.
	Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error)
	// PermitNonce returns the nonce of the wallet's next permit.
	PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error)
	// RewardBudget returns the amount that is available for claims now, in wei.
	RewardBudget(ctx context.Context) (*big.Int, error)
	// TokenInfo returns the platform token's metadata.
	TokenInfo(ctx context.Context) (market.Token, error)
	// Simulate executes the call without sending it, and returns KindWouldRevert if it reverts.
	Simulate(ctx context.Context, from common.Address, call market.Call) error
	// ProveFunding finds the posting of the task in a transaction.
	ProveFunding(ctx context.Context, tx common.Hash, task *market.Task) (market.Proof, error)
	// ProveBinding finds the event of the task's assignment to a human in a transaction, and returns
	// the block number.
	ProveBinding(ctx context.Context, tx common.Hash, task *market.Task) (uint64, error)
	// ProveTx finds the task's event of the given kind in a transaction, and returns the block
	// number.
	ProveTx(ctx context.Context, tx common.Hash, kind market.EventKind, task *market.Task) (uint64, error)
}

// Verifier checks signatures by externally owned accounts and contract wallets. It returns
// KindSignatureInvalid, or KindChainUnavailable when the check needs a node and none responds.
// chain.Verifier implements it.
type Verifier interface {
	// SignedByKey reports whether signature is an EIP-191 signature of the text by the wallet's key. It does
	// no I/O.
	SignedByKey(wallet common.Address, text string, signature []byte) bool
	// VerifyMessage checks a wallet's EIP-191 signature over a text.
	VerifyMessage(ctx context.Context, wallet common.Address, text string, signature []byte) error
	// VerifyOnChain checks a typed-data signature by the same rules as the contract that receives
	// it.
	VerifyOnChain(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error
}
