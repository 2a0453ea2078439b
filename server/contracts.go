package server

import (
	"context"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/store"
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

// prepared is a contract call that the caller's wallet signs and sends.
type prepared struct {
	call      market.Call
	chainID   int64
	simulated bool // whether the simulation succeeded
	done      bool // whether the caller's action is already on-chain
}

const noValue = "0" // the calls transfer no native coin

// contracts builds calls for the deployed contracts. It also reads their parameters and the
// watcher's progress.
type contracts struct {
	store      *store.Store
	deployment market.Deployment
	calls      Calls
	reader     Reader
	finality   market.Finality
	halted     func() bool
	screen     *screening.Screen
	log        *slog.Logger
	token      tokenInfo
}

func (p prepared) data() api.HexData  { return hexutil.Encode(p.call.Data) }
func (p prepared) to() api.Address    { return p.call.To.Hex() }
func (p prepared) alreadyDone() *bool { return optional(p.done) }
func (p prepared) say(todo, done string) string {
	if p.done {
		return done
	}
	return todo
}

// prepare simulates the call from the caller's wallet, and returns a client error if the call would
// revert. If no node is available, it returns the call without a simulation.
func (c *contracts) prepare(ctx context.Context, call market.Call) (prepared, error) {
	p := prepared{call: call, chainID: signed(c.deployment.ChainID)}
	err := c.reader.Simulate(ctx, gate.PrincipalOf(ctx).Wallet, call)
	if market.KindOf(err) == market.KindChainUnavailable {
		return p, nil
	}
	p.simulated = err == nil
	return p, err
}

// repeat returns a call whose effect is already on-chain, marked as done.
func (c *contracts) repeat(call market.Call) prepared {
	return prepared{call: call, chainID: signed(c.deployment.ChainID), done: true}
}

// checkStaking rejects operations on the staking contract of another deployment. The service follows
// only this deployment's contract, and an application id is unique only within its contract.
func (c *contracts) checkStaking(task market.Task) error {
	if task.ChainID == c.deployment.ChainID && task.EscrowAddress == c.deployment.Escrow {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the task is %s in an earlier escrow contract, %s on chain %d",
		task.Status, task.EscrowAddress, task.ChainID).
		WithHint("call the staking contract that belongs to that escrow contract yourself")
}

// checkFinality returns an error until the task's last change has the configured finality: after a
// reorganisation, the id in the calldata could refer to another task in the escrow contract. It also
// returns an error if the task is on another chain, or if the watcher has halted.
func (c *contracts) checkFinality(task market.Task) error {
	if task.ChainID != c.deployment.ChainID {
		return market.Errorf(market.KindWrongStatus, "the task is %s on chain %d, which this service no longer follows", task.Status, task.ChainID).
			WithHint("call the escrow contract on that chain yourself")
	}
	if c.halted() {
		return &market.Error{
			Kind: market.KindChainUnavailable, Message: "the service cannot prepare transactions right now",
			Hint: "try again later, or use the rescue page or `taskmarket rescue`", RetryAfter: time.Minute,
		}
	}
	if depth(task.Finality) >= depth(c.finality) {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the finality of the task's last change is %q; this service requires %q",
		task.Finality, c.finality).WithHint("try again shortly")
}

func depth(f market.Finality) int {
	switch f {
	case market.FinalitySeen:
		return 0
	case market.FinalitySafe:
		return 1
	case market.FinalityFinal:
		return 2
	}
	return 0
}

// toAPITypedData encodes typed data for eth_signTypedData_v4.
func toAPITypedData(data apitypes.TypedData) api.TypedData {
	types := make(map[string][]api.TypedDataField, len(data.Types))
	for name, fields := range data.Types {
		types[name] = mapAll(fields, func(f apitypes.Type) api.TypedDataField {
			return api.TypedDataField{Name: f.Name, Type: f.Type}
		})
	}
	return api.TypedData{
		Types: types, PrimaryType: data.PrimaryType, Message: data.Message,
		Domain: api.TypedDataDomain{
			Name: data.Domain.Name, Version: data.Domain.Version,
			ChainID: (*big.Int)(data.Domain.ChainId).Int64(), VerifyingContract: data.Domain.VerifyingContract,
		},
	}
}
