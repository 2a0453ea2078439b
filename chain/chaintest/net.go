// Package chaintest gives tests a chain of their own: an anvil with the
// contracts deployed, accounts that hold tokens, and every act of the
// marketplace as a real transaction.
package chaintest

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// FeeBasisPoints is the platform fee of the deployment.
const FeeBasisPoints = 500

// Net is a chain with the contracts deployed. Blocks come with transactions
// only, so tests know their numbers.
type Net struct {
	Dev        *devnet.Node
	Node       *chain.Node
	Deployment market.Deployment
	Contracts  *chain.Contracts
	Reader     *chain.Reader

	Owner      *chain.KeySigner   // of the contracts; also their guardian
	Agent      *chain.KeySigner   // holds 1,000 tokens, as do the next three
	OtherAgent *chain.KeySigner   //
	Human      *chain.KeySigner   //
	OtherHuman *chain.KeySigner   //
	Validators []*chain.KeySigner // three, two of which decide
	Keeper     *chain.KeySigner   // holds gas money only
	Rewarder   *chain.KeySigner   // signs reward vouchers

	senders map[common.Address]*chain.Sender
}

// New starts a chain and deploys the contracts; both end with the test. The
// finalized block is 128 behind the head unless o says otherwise.
func New(t testing.TB, o ...devnet.Options) *Net {
	t.Helper()
	options := devnet.Options{SlotsPerEpoch: 64}
	if len(o) > 0 {
		options = o[0]
	}
	dev, err := devnet.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Stop(); err != nil {
			t.Error(err)
		}
	})
	n := &Net{Dev: dev, Node: Dial(t, dev.URL()), senders: make(map[common.Address]*chain.Sender)}
	n.cast()
	n.deploy(t)
	return n
}

// Dial connects to providers of an anvil's chain until the test ends.
func Dial(t testing.TB, urls ...string) *chain.Node {
	t.Helper()
	node, err := chain.Dial(t.Context(), urls, devnet.ChainID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Close)
	return node
}

// cast gives each account its part.
func (n *Net) cast() {
	var signers []*chain.KeySigner
	for _, account := range n.Dev.Accounts() {
		signer := chain.NewKeySigner(account.Key)
		signers = append(signers, signer)
	}
	n.Owner, n.Agent, n.OtherAgent, n.Human, n.OtherHuman = signers[0], signers[1], signers[2], signers[3], signers[4]
	n.Validators, n.Keeper, n.Rewarder = signers[5:8], signers[8], signers[9]
}

func (n *Net) deploy(t testing.TB) {
	t.Helper()
	var panel []common.Address
	for _, v := range n.Validators {
		panel = append(panel, v.Address())
	}
	var err error
	n.Deployment, err = chain.Deploy(t.Context(), n.Node, n.Owner, chain.DeployParams{
		Name: "Task Token", Symbol: "TASK", Supply: Tokens(1_000_000), Holder: n.Owner.Address(),
		Owner: n.Owner.Address(), Guardian: n.Owner.Address(), FeeBasisPoints: FeeBasisPoints,
		Validators: panel, Quorum: 2, RewardSigner: n.Rewarder.Address(), DailyBudget: Tokens(100),
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Contracts = chain.NewContracts(n.Deployment)
	n.Reader = chain.NewReader(n.Node, n.Contracts)
	for _, holder := range []*chain.KeySigner{n.Agent, n.OtherAgent, n.Human, n.OtherHuman} {
		n.Send(t, n.Owner, n.Contracts.TransferToken(holder.Address(), Tokens(1_000)))
	}
}

// Tokens returns whole tokens in wei.
func Tokens(n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000_000_000_000))
}

// Send sends the call and returns its receipt; the test fails when it fails.
func (n *Net) Send(t testing.TB, from *chain.KeySigner, call chain.Call) *types.Receipt {
	t.Helper()
	receipt, err := n.Sender(from).Send(t.Context(), call)
	if err != nil {
		t.Fatalf("send as %s: %v", from, err)
	}
	return receipt
}

// Sender returns the one sender of an account.
func (n *Net) Sender(from *chain.KeySigner) *chain.Sender {
	if n.senders[from.Address()] == nil {
		n.senders[from.Address()] = chain.NewSender(n.Node, from)
	}
	return n.senders[from.Address()]
}

// Mine makes blocks without transactions.
func (n *Net) Mine(t testing.TB, blocks uint64) {
	t.Helper()
	must(t, n.Dev.Mine(t.Context(), blocks))
}

// Warp moves the chain's clock forward and makes one block.
func (n *Net) Warp(t testing.TB, d time.Duration) {
	t.Helper()
	must(t, n.Dev.Warp(t.Context(), d))
}

// Reorg drops the last blocks and makes as many others, with the given
// transactions. Nonces may repeat afterwards.
func (n *Net) Reorg(t testing.TB, depth int, txs ...devnet.ForkTx) {
	t.Helper()
	must(t, n.Dev.Reorg(t.Context(), depth, txs...))
}

// Head returns the latest block.
func (n *Net) Head(t testing.TB) market.Block {
	t.Helper()
	h, err := n.Dev.Client().HeaderByNumber(context.WithoutCancel(t.Context()), nil)
	must(t, err)
	return market.Block{Number: h.Number.Uint64(), Hash: h.Hash(), Parent: h.ParentHash, Time: time.Unix(int64(h.Time), 0).UTC()}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
