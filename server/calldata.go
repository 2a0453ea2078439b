package server

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// prepared is a call to be signed and sent by the caller's wallet.
type prepared struct {
	call      market.Call
	chainID   int64
	simulated bool // tried, and it succeeds now
	done      bool // the chain shows the caller's own action already
}

const noValue = "0" // no call carries the chain's coin

// contracts is the deployment: its calls, its parameters and how far it is followed.
type contracts struct {
	store      *store.Store
	deployment market.Deployment
	calls      Calls
	reader     Reader
	finality   market.Finality
	halted     func() bool
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

// prepare tries the call from the caller's wallet. A contract that would
// refuse it is the caller's refusal; a node that is away only leaves it untried.
func (c *contracts) prepare(ctx context.Context, call market.Call) (prepared, error) {
	p := prepared{call: call, chainID: signed(c.deployment.ChainID)}
	err := c.reader.Simulate(ctx, gate.PrincipalOf(ctx).Wallet, call)
	if market.KindOf(err) == market.KindChainUnavailable {
		return p, nil
	}
	p.simulated = err == nil
	return p, err
}

// repeat gives out a call that the chain shows already.
func (c *contracts) repeat(call market.Call) prepared {
	return prepared{call: call, chainID: signed(c.deployment.ChainID), done: true}
}

// checkStaking refuses what needs the staking contract of another deployment:
// only this one's is known, and numbers of one mean nothing in the other.
func (c *contracts) checkStaking(task market.Task) error {
	if task.ChainID == c.deployment.ChainID && task.EscrowAddress == c.deployment.Escrow {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the task is %s in an earlier escrow contract, %s on chain %d",
		task.Status, task.EscrowAddress, task.ChainID).
		WithHint("call the staking contract that belongs to that escrow contract yourself")
}

// checkDepth refuses calldata for a task whose last change may still be
// dropped: its number in the escrow could become another task's.
func (c *contracts) checkDepth(task market.Task) error {
	if task.ChainID != c.deployment.ChainID {
		return market.Errorf(market.KindWrongStatus, "the task is %s on chain %d, which this service no longer follows", task.Status, task.ChainID)
	}
	if c.halted() {
		return &market.Error{
			Kind: market.KindChainUnavailable, Message: "the service has stopped following the chain and gives out no calls",
			Hint: "call the contracts yourself, or try again later", RetryAfter: time.Minute,
		}
	}
	if depth(task.Finality) >= depth(c.finality) {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the task's last change is only %s on the chain, and calls are given out once it is %s",
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

// toAPITypedData writes typed data as eth_signTypedData_v4 takes it.
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
