package chain_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

func TestReader(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	token, gas, err := net.Reader.Balances(t.Context(), net.Human.Address())
	chaintest.Must(t, err)
	if token.Cmp(chaintest.Tokens(1_000)) != 0 || gas.Cmp(chaintest.Tokens(10_000)) != 0 {
		t.Errorf("Balances() = %s, %s, want 1,000 tokens and 10,000 ether", token, gas)
	}
	info, err := net.Reader.TokenInfo(t.Context())
	chaintest.Must(t, err)
	if diff := cmp.Diff(chain.Token{Name: "Task Token", Symbol: "TASK", Decimals: 18, Version: "1"}, info); diff != "" {
		t.Errorf("TokenInfo() (-want +got):\n%s", diff)
	}
	net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{})
	nonce, err := net.Reader.PermitNonce(t.Context(), net.Agent.Address())
	chaintest.Must(t, err)
	if nonce.Cmp(big.NewInt(1)) != 0 {
		t.Errorf("PermitNonce() = %s after a permit, want 1", nonce)
	}
	net.Send(t, net.Agent, net.Contracts.ApproveToken(net.Deployment.Escrow, big.NewInt(7)))
	allowance, err := net.Reader.Allowance(t.Context(), net.Agent.Address(), net.Deployment.Escrow)
	chaintest.Must(t, err)
	if allowance.Cmp(big.NewInt(7)) != 0 {
		t.Errorf("Allowance() = %s, want 7", allowance)
	}
	chaintest.Must(t, net.Reader.CheckCode(t.Context()))
	elsewhere := net.Deployment
	elsewhere.Treasury = common.Address{9}
	if err := chain.NewReader(net.Node, chain.NewContracts(elsewhere)).CheckCode(t.Context()); err == nil || !strings.Contains(err.Error(), elsewhere.Treasury.Hex()) {
		t.Errorf("CheckCode() = %v, want it to name %s", err, elsewhere.Treasury)
	}
}

func TestSimulateReturnsTheRevert(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	escrow := net.Deployment.Escrow
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	cases := map[string]struct {
		from *chain.KeySigner
		call chain.Call
		name string // name of the contract's error; empty if the call succeeds
		text string
	}{
		"the agent approves":          {from: net.Agent, call: net.Contracts.ApproveTask(escrow, id)},
		"the human approves":          {from: net.Human, call: net.Contracts.ApproveTask(escrow, id), name: "NotTheAgent", text: net.Human.Address().Hex()},
		"the agent cancels too late":  {from: net.Agent, call: net.Contracts.CancelTask(escrow, id), name: "WrongStatus", text: "status Submitted"},
		"anyone settles too early":    {from: net.Keeper, call: net.Contracts.Settle(escrow, id), name: "NotDue", text: "dueAt 20"},
		"a post without an allowance": {from: net.Agent, call: net.Contracts.PostTask(chaintest.Tokens(1), 500, common.Hash{1}), name: "ERC20InsufficientAllowance"},
		"a post at another fee":       {from: net.Agent, call: net.Contracts.PostTask(chaintest.Tokens(1), 400, common.Hash{1}), name: "FeeMismatch"},
	}
	for name, c := range cases {
		err := net.Reader.Simulate(t.Context(), c.from.Address(), c.call)
		if c.name == "" {
			if err != nil {
				t.Errorf("%s: Simulate() = %v", name, err)
			}
			continue
		}
		refusal, ok := errors.AsType[*rpc.RevertError](err)
		if market.KindOf(err) != market.KindWouldRevert || !ok || refusal.Name != c.name || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: Simulate() = %v, want %s with %q", name, err, c.name, c.text)
		}
	}
}

func TestReaderReadsTheDistributor(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	signer, err := net.Reader.RewardSigner(t.Context())
	if err != nil || signer != net.Rewarder.Address() {
		t.Errorf("RewardSigner() = %s, %v", signer, err)
	}
	for _, test := range []struct{ fund, want *big.Int }{
		{new(big.Int), new(big.Int)},
		{big.NewInt(1_000), big.NewInt(1_000)},         // fewer tokens than the daily budget
		{chaintest.Tokens(500), chaintest.Tokens(100)}, // more tokens than the daily budget
	} {
		if test.fund.Sign() > 0 {
			net.Send(t, net.Owner, net.Contracts.TransferToken(net.Deployment.Distributor, test.fund))
		}
		if got, err := net.Reader.RewardBudget(t.Context()); err != nil || got.Cmp(test.want) != 0 {
			t.Errorf("RewardBudget() = %s, %v, want %s", got, err, test.want)
		}
	}
}

// A single provider, in use or not, cannot hide that the contracts hold less than the records require.
func TestHeldAtReturnsTheLowestAmounts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	head := net.Head(t).Hash
	before, _, err := net.Reader.HeldAt(t.Context(), head)
	chaintest.Must(t, err)
	for name, c := range map[string]struct {
		result string
		want   *big.Int
	}{
		"more":    {result: common.BigToHash(chaintest.Tokens(1_000)).Hex(), want: before},
		"less":    {result: common.Hash{}.Hex(), want: new(big.Int)},
		"invalid": {result: "0xee", want: before},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dishonest := chaintest.NewProxy(t, net.Dev.URL())
			dishonest.Answer = chaintest.OftenOf(1<<30, "eth_call", func(asked *chaintest.Exchange) bool {
				asked.Result, _ = json.Marshal(c.result)
				return true
			})
			for _, urls := range [][]string{{dishonest.URL, net.Dev.URL()}, {net.Dev.URL(), dishonest.URL}} {
				held, _, err := chain.NewReader(chaintest.Dial(t, urls...), net.Contracts).HeldAt(t.Context(), head)
				if err != nil || held.Cmp(c.want) != 0 {
					t.Errorf("HeldAt() = %s, %v, want %s", held, err, c.want)
				}
			}
		})
	}
}
