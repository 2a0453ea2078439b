package contracts_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/send"
	"taskmarket/market"
)

const (
	firstQuorum = 2
	purse       = 1_000   // tokens of each party at the start
	fortune     = 996_000 // tokens of the owner at the start
)

// rig is a chain that is reset to the same block before every sequence of actions.
type rig struct {
	net      *chaintest.Net
	d        market.Deployment
	token    chain.Token
	parties  []*chain.KeySigner // accounts that act as agents, as humans, or as both
	guardian *chain.KeySigner
	wallet   common.Address
	keys     map[common.Address]*chain.KeySigner
	bench    []common.Address // all accounts that can be validators
	start    market.Block
	snapshot string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 1, Genesis: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	r := &rig{
		net: net, parties: []*chain.KeySigner{net.Agent, net.OtherAgent, net.Human, net.OtherHuman}, guardian: net.Keeper,
		wallet: common.HexToAddress("0x7a11e7"), keys: make(map[common.Address]*chain.KeySigner),
	}
	r.bench = []common.Address{r.wallet}
	r.know(net.Owner, net.Keeper)
	r.know(r.parties...)
	r.bench = append(r.bench, r.know(net.Validators...)...)
	for _, name := range []string{"spare 1", "spare 2", "spare 3", "spare 4"} {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte(name)))
		must(t, err)
		r.bench = append(r.bench, r.know(chain.NewKeySigner(key))...)
	}
	r.deploy(t)
	r.makeTokenChoosy(t)
	r.makeWallet(t)
	r.start = net.Head(t)
	r.keep(t)
	return r
}

// deploy deploys the contracts with a guardian that differs from the owner.
func (r *rig) deploy(t *testing.T) {
	t.Helper()
	net := r.net
	var panel []common.Address
	for _, v := range net.Validators {
		panel = append(panel, v.Address())
	}
	d, err := send.Deploy(t.Context(), net.Node, net.Owner, send.DeployParams{
		Token: net.Deployment.Token, Owner: net.Owner.Address(), Guardian: r.guardian.Address(),
		FeeBasisPoints: chaintest.FeeBasisPoints, Validators: panel, Quorum: firstQuorum,
		RewardSigner: net.Rewarder.Address(), DailyBudget: chaintest.Tokens(1),
	})
	must(t, err)
	net.Deployment, net.Contracts = d, chain.NewContracts(d)
	net.Reader = chain.NewReader(net.Node, net.Contracts)
	r.d = d
	r.token, err = net.Reader.TokenInfo(t.Context())
	must(t, err)
}

// newWorld returns the model at the chain's start.
func (r *rig) newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		d: r.d, contracts: r.net.Contracts, owner: r.net.Owner.Address(), guardian: r.guardian.Address(), wallet: r.wallet,
		now: r.start.Time, ledger: newLedger(),
	}
	for _, party := range r.parties {
		w.parties = append(w.parties, party.Address())
		w.balances[party.Address()] = chaintest.Tokens(purse)
	}
	w.balances[w.owner] = chaintest.Tokens(fortune)
	o := &outcome{}
	o.emit(r.d.Escrow, escrowABI, "FeeChanged", uint16(chaintest.FeeBasisPoints))
	for _, v := range r.net.Validators {
		o.emit(r.d.Escrow, escrowABI, "ValidatorAdded", v.Address(), 1)
	}
	o.emit(r.d.Escrow, escrowABI, "QuorumChanged", uint8(firstQuorum), 1)
	must(t, w.follow(o))
	w.block = r.start.Number
	return w
}

// keep takes a snapshot of the chain, to which restart returns.
func (r *rig) keep(t *testing.T) {
	t.Helper()
	var err error
	r.snapshot, err = r.net.Dev.Snapshot(t.Context())
	must(t, err)
}

func (r *rig) restart(t *testing.T) {
	t.Helper()
	must(t, r.net.Dev.Revert(t.Context(), r.snapshot))
	r.keep(t)
}

// know registers the signers and returns their addresses.
func (r *rig) know(signers ...*chain.KeySigner) []common.Address {
	var known []common.Address
	for _, signer := range signers {
		r.keys[signer.Address()] = signer
		known = append(known, signer.Address())
	}
	return known
}

// ownLogs returns the logs without those of the token.
func (r *rig) ownLogs(logs []*types.Log) []types.Log {
	var own []types.Log
	for _, log := range logs {
		if log.Address != r.d.Token {
			own = append(own, *log)
		}
	}
	return own
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
