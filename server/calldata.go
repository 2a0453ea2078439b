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
)

// prepared is a call to be signed and sent by the caller's wallet.
type prepared struct {
	call      market.Call
	chainID   int64
	simulated bool // tried, and it succeeds now
	done      bool // the chain shows the caller's own action already
}

const noValue = "0" // no call carries the chain's coin

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
func (s *Server) prepare(ctx context.Context, call market.Call) (prepared, error) {
	p := prepared{call: call, chainID: signed(s.deployment.ChainID)}
	err := s.reader.Simulate(ctx, gate.PrincipalOf(ctx).Wallet, call)
	if market.KindOf(err) == market.KindChainUnavailable {
		return p, nil
	}
	p.simulated = err == nil
	return p, err
}

// repeat gives out a call that the chain shows already.
func (s *Server) repeat(call market.Call) prepared {
	return prepared{call: call, chainID: signed(s.deployment.ChainID), done: true}
}

// checkStaking refuses what needs the staking contract of another deployment:
// only this one's is known, and numbers of one mean nothing in the other.
func (s *Server) checkStaking(task market.Task) error {
	if task.ChainID == s.deployment.ChainID && task.EscrowAddress == s.deployment.Escrow {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the task is %s in an earlier escrow contract, %s on chain %d",
		task.Status, task.EscrowAddress, task.ChainID).
		WithHint("call the staking contract that belongs to that escrow contract yourself")
}

// checkDepth refuses calldata for a task whose last change may still be
// dropped: its number in the escrow could become another task's.
func (s *Server) checkDepth(task market.Task) error {
	if task.ChainID != s.deployment.ChainID {
		return market.Errorf(market.KindWrongStatus, "the task is %s on chain %d, which this service no longer follows", task.Status, task.ChainID)
	}
	if s.halted() {
		return &market.Error{
			Kind: market.KindChainUnavailable, Message: "the service has stopped following the chain and gives out no calls",
			Hint: "call the contracts yourself, or try again later", RetryAfter: time.Minute,
		}
	}
	if depth(task.Finality) >= depth(s.finality) {
		return nil
	}
	return market.Errorf(market.KindWrongStatus, "the task's last change is only %s on the chain, and calls are given out once it is %s",
		task.Finality, s.finality).WithHint("try again shortly")
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
