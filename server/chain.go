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

	// StakePermit is the permit that an applicant signs to let the staking contract transfer the
	// stake.
	StakePermit(token market.Token, owner common.Address, stake, nonce, deadline *big.Int) apitypes.TypedData
	// Verdict is the typed data that a validator signs about the task's work in its round.
	Verdict(e *market.EscrowTask, approved bool) apitypes.TypedData
	// VerdictDigest is the hash of Verdict that the validator's signature covers.
	VerdictDigest(e *market.EscrowTask, approved bool) (common.Hash, error)
}

// Reader reads the chain. Every method returns KindChainUnavailable when no node responds.
// chain.Reader implements it.
type Reader interface {
	// Balances returns the balances of a wallet, in wei: platform tokens and gas.
	Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error)
	// PermitNonce returns the nonce of the wallet's next permit.
	PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error)
	// RewardBudget returns the amount that is available for claims now, in wei.
	RewardBudget(ctx context.Context) (*big.Int, error)
	// TokenInfo describes the platform token.
	TokenInfo(ctx context.Context) (market.Token, error)
	// Simulate tries the call and returns KindWouldRevert when it fails.
	Simulate(ctx context.Context, from common.Address, call market.Call) error
	// ProveFunding finds the posting of the task in a transaction.
	ProveFunding(ctx context.Context, tx common.Hash, task *market.Task) (market.Proof, error)
	// ProveBinding finds the acceptance of the task's human in a transaction and returns its block.
	ProveBinding(ctx context.Context, tx common.Hash, task *market.Task) (uint64, error)
	// ProveTx finds the task's event of the given kind in a transaction and returns its block.
	ProveTx(ctx context.Context, tx common.Hash, kind market.EventKind, task *market.Task) (uint64, error)
}

// Verifier checks signatures of plain and contract wallets. It returns KindSignatureInvalid, or
// KindChainUnavailable when the check needs a node and none responds. chain.Verifier implements it.
type Verifier interface {
	// VerifyMessage checks an EIP-191 signature of a text.
	VerifyMessage(ctx context.Context, wallet common.Address, text string, signature []byte) error
	// VerifyOnChain checks a signature of typed data in the same way as the contract that receives
	// it.
	VerifyOnChain(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error
}
