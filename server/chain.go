package server

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain" //nolint:depguard // values and pure functions; whatever does I/O comes through the interfaces
	"taskmarket/market"
)

// The values that pass between the service and the chain. This file alone
// knows where they come from.
type (
	// Call is a call of a contract, ready to be signed and sent.
	Call = chain.Call
	// Token is what the platform token says of itself.
	Token = chain.Token
	// Proof is what a transaction did for a task.
	Proof = chain.Proof
)

// permitData is the permit of the token's owner for the spender to take value.
func permitData(token Token, d market.Deployment, owner, spender common.Address, value, nonce, deadline *big.Int) apitypes.TypedData {
	return chain.PermitTypedData(chain.Permit{
		TokenName: token.Name, Version: token.Version, ChainID: d.ChainID, Token: d.Token,
		Owner: owner, Spender: spender, Value: value, Nonce: nonce, Deadline: deadline,
	})
}

// verdictData is what a validator signs about the task's work in its round.
func verdictData(task market.Task, approved bool) apitypes.TypedData {
	e := task.Escrow
	return chain.VerdictTypedData(e.Escrow, e.ChainID, e.ID, e.WorkHash, e.Round().Number, approved)
}

// verdictDigest is the hash of verdictData that is signed.
func verdictDigest(task market.Task, approved bool) (common.Hash, error) {
	return chain.Digest(verdictData(task, approved))
}

// Calls makes the calls that users' wallets sign and send. It does no I/O;
// chain.Contracts implements it.
type Calls interface {
	AcceptApplication(escrow common.Address, taskID, applicationID uint64) Call
	RejectApplication(applicationID uint64) Call
	WithdrawStake(applicationID uint64) Call
	LockStake(taskID uint64, amount *big.Int) Call
	ApproveToken(spender common.Address, amount *big.Int) Call
	SubmitTask(escrow common.Address, taskID uint64, workHash common.Hash) Call
	ApproveTask(escrow common.Address, taskID uint64) Call
	DisputeTask(escrow common.Address, taskID uint64) Call
	CancelTask(escrow common.Address, taskID uint64) Call
}

// Reader reads the chain. Every method answers KindChainUnavailable when no
// node does; chain.Reader implements it.
type Reader interface {
	// Balances returns what a wallet holds, in wei: platform tokens and gas.
	Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error)
	// PermitNonce returns the nonce of the wallet's next permit.
	PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error)
	// TokenInfo describes the platform token.
	TokenInfo(ctx context.Context) (Token, error)
	// Simulate tries the call and answers KindWouldRevert when it fails.
	Simulate(ctx context.Context, from common.Address, call Call) error
	// ProveFunding finds the task's posting in a transaction.
	ProveFunding(ctx context.Context, tx common.Hash, task *market.Task) (Proof, error)
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
