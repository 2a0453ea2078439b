// Package chaintest gives each test its own chain: an anvil process with the contracts deployed,
// accounts with tokens, and helpers that send a transaction for the main actions of the marketplace.
package chaintest

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// FeeBasisPoints is the platform fee of the deployment.
const FeeBasisPoints = 500

// attemptGas is more gas than any call to the contracts uses.
const attemptGas = 10_000_000

// Net is a chain with the contracts deployed. By default, blocks are mined only for transactions,
// so tests can predict their numbers.
type Net struct {
	Dev        *devnet.Node
	Node       *rpc.Node
	Deployment market.Deployment
	Contracts  *chain.Contracts
	Reader     *chain.Reader

	Owner      *chain.KeySigner // owner and guardian of the contracts
	Agent      *chain.KeySigner // has 1,000 tokens, as do the next three accounts
	OtherAgent *chain.KeySigner
	Human      *chain.KeySigner
	OtherHuman *chain.KeySigner
	Validators []*chain.KeySigner // three validators; two are a quorum
	Keeper     *chain.KeySigner   // has only native currency
	Rewarder   *chain.KeySigner   // signs reward vouchers

	senders map[common.Address]*send.Sender
}

// New starts a chain, which stops when the test ends, and deploys the contracts. By default, the
// finalized block is 128 blocks behind the head.
func New(tb testing.TB, o ...devnet.Options) *Net {
	tb.Helper()
	options := devnet.Options{SlotsPerEpoch: 64}
	if len(o) > 0 {
		options = o[0]
	}
	dev, err := devnet.Start(tb.Context(), options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := dev.Stop(); err != nil {
			tb.Error(err)
		}
	})
	n := &Net{Dev: dev, Node: Dial(tb, dev.URL()), senders: make(map[common.Address]*send.Sender)}
	n.cast()
	n.deploy(tb)
	return n
}

// Dial returns a node that uses the given providers of an anvil chain. The node is closed when the
// test ends.
func Dial(tb testing.TB, urls ...string) *rpc.Node {
	tb.Helper()
	return DialWith(tb, rpc.NodeOptions{}, urls...)
}

// DialWith is like Dial, but with options.
func DialWith(tb testing.TB, options rpc.NodeOptions, urls ...string) *rpc.Node {
	tb.Helper()
	node, err := rpc.Dial(tb.Context(), urls, devnet.ChainID, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(node.Close)
	return node
}

// cast assigns a role to each account.
func (n *Net) cast() {
	var signers []*chain.KeySigner
	for _, account := range n.Dev.Accounts() {
		signer := chain.NewKeySigner(account.Key)
		signers = append(signers, signer)
	}
	n.Owner, n.Agent, n.OtherAgent, n.Human, n.OtherHuman = signers[0], signers[1], signers[2], signers[3], signers[4]
	n.Validators, n.Keeper, n.Rewarder = signers[5:8], signers[8], signers[9]
}

func (n *Net) deploy(tb testing.TB) {
	tb.Helper()
	var panel []common.Address
	for _, v := range n.Validators {
		panel = append(panel, v.Address())
	}
	var err error
	n.Deployment, err = send.Deploy(tb.Context(), n.Node, n.Owner, send.DeployParams{
		Name: "Task Token", Symbol: "TASK", Supply: Tokens(1_000_000), Holder: n.Owner.Address(),
		Owner: n.Owner.Address(), Guardian: n.Owner.Address(), FeeBasisPoints: FeeBasisPoints,
		Validators: panel, Quorum: 2, RewardSigner: n.Rewarder.Address(), DailyBudget: Tokens(100),
	})
	if err != nil {
		tb.Fatal(err)
	}
	n.Contracts = chain.NewContracts(n.Deployment)
	n.Reader = chain.NewReader(n.Node, n.Contracts)
	for _, holder := range []*chain.KeySigner{n.Agent, n.OtherAgent, n.Human, n.OtherHuman} {
		n.Send(tb, n.Owner, n.Contracts.TransferToken(holder.Address(), Tokens(1_000)))
	}
}

// Tokens converts whole tokens to wei.
func Tokens(n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000_000_000_000))
}

// Send sends the call and returns its receipt. A failure ends the test.
func (n *Net) Send(tb testing.TB, from *chain.KeySigner, call chain.Call) *types.Receipt {
	tb.Helper()
	receipt, err := n.Sender(from).Send(tb.Context(), call)
	if err != nil {
		tb.Fatalf("send as %s: %v", from, err)
	}
	return receipt
}

// Attempt mines the call in its own block at the given time, even if it reverts, and returns its
// receipt. It is fast because anvil signs the transaction; from must be one of anvil's accounts.
func (n *Net) Attempt(tb testing.TB, at time.Time, from common.Address, call chain.Call) *types.Receipt {
	tb.Helper()
	Must(tb, n.Dev.SetNextTime(tb.Context(), at))
	var receipt types.Receipt
	Must(tb, n.Dev.Client().Client().CallContext(tb.Context(), &receipt, "eth_sendTransactionSync", map[string]any{
		"from": from, "to": call.To, "data": hexutil.Bytes(call.Data), "gas": hexutil.Uint64(attemptGas),
	}))
	return &receipt
}

// Sender returns the sender of an account. It returns the same sender on each call.
func (n *Net) Sender(from *chain.KeySigner) *send.Sender {
	if n.senders[from.Address()] == nil {
		n.senders[from.Address()] = send.NewSender(n.Node, from)
	}
	return n.senders[from.Address()]
}

// Mine mines blocks without transactions.
func (n *Net) Mine(tb testing.TB, blocks uint64) {
	tb.Helper()
	Must(tb, n.Dev.Mine(tb.Context(), blocks))
}

// Warp advances the chain's clock by d and mines one block.
func (n *Net) Warp(tb testing.TB, d time.Duration) {
	tb.Helper()
	Must(tb, n.Dev.Warp(tb.Context(), d))
}

// Reorg replaces the last blocks with the same number of new blocks, which contain the given
// transactions. The nonces of dropped transactions can be used again.
func (n *Net) Reorg(tb testing.TB, depth int, txs ...devnet.ForkTx) {
	tb.Helper()
	Must(tb, n.Dev.Reorg(tb.Context(), depth, txs...))
}

// Head returns the latest block.
func (n *Net) Head(tb testing.TB) market.Block {
	tb.Helper()
	h, err := n.Dev.Client().HeaderByNumber(context.WithoutCancel(tb.Context()), nil)
	Must(tb, err)
	return market.Block{Number: h.Number.Uint64(), Hash: h.Hash(), Parent: h.ParentHash, Time: time.Unix(int64(h.Time), 0).UTC()}
}

// Must fails the test if err is not nil.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// DeploymentFile returns the content of the deployment file that `taskmarketd serve` reads.
func (n *Net) DeploymentFile() string {
	d := n.Deployment
	return fmt.Sprintf(`{"chain_id": %d, "start_block": %d, "token": "%s", "escrow": "%s", "application_staking": "%s", "treasury": "%s", "reward_distributor": "%s"}`,
		d.ChainID, d.StartBlock, d.Token, d.Escrow, d.Staking, d.Treasury, d.Distributor)
}
