package server

import (
	"context"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/store"
)

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
