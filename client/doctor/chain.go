package doctor

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/client/rescue"
	"taskmarket/market"
)

// patient contains what the checks have read about the node, the chain and the wallet.
type patient struct {
	eth     *ethclient.Client
	chainID *big.Int
	head    *types.Header
	opened  *rescue.Rescue // nil until the contracts are verified
	address common.Address // address of the wallet
}

func (p *patient) close() {
	if p.eth != nil {
		p.eth.Close()
	}
	if p.opened != nil {
		p.opened.Close()
	}
}

// node connects to the node and reads its chain ID and latest block.
func (e *examination) node(ctx context.Context) finding {
	if e.Options.RPCURL == "" {
		return fail("no Ethereum node is configured", "set TASKMARKET_RPC_URL to a node of the market's chain")
	}
	if _, err := client.CheckNodeURL(e.Options.RPCURL, e.Options.InsecureNode); err != nil {
		return fail(err.Error(), "set TASKMARKET_RPC_URL to a node's https or wss address")
	}
	var err error
	e.eth, err = askNode(ctx, e, func(ctx context.Context) (*ethclient.Client, error) { return rpc.DialClient(ctx, e.Options.RPCURL) })
	if err == nil {
		e.chainID, err = askNode(ctx, e, e.eth.ChainID)
	}
	if err == nil {
		e.head, err = askNode(ctx, e, func(ctx context.Context) (*types.Header, error) { return e.eth.HeaderByNumber(ctx, nil) })
	}
	if err != nil {
		return fail("the chain ID and the latest block cannot be read: "+withoutURL(err), "check TASKMARKET_RPC_URL and your connection, or use another node")
	}
	return ok(fmt.Sprintf("chain %s, block %s", e.chainID, e.head.Number))
}

// askNode makes one call to the node, limited in time and attempts by Options.Node.
func askNode[T any](ctx context.Context, e *examination, call func(context.Context) (T, error)) (T, error) {
	return rpc.Ask(ctx, e.Options.Node, call)
}

// withoutURL removes the node's URL from an error, because it may contain a key.
func withoutURL(err error) string {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		err = wrapped.Err
	}
	return err.Error()
}

// knowsAPI reports whether the API has returned its contracts.
func (e *examination) knowsAPI() bool { return e.config.EscrowAddress != "" }

func (e *examination) chain(context.Context) finding {
	pinned := e.Options.Contracts
	if pinned != nil && e.knowsAPI() && pinned.ChainID != uint64(max(0, e.config.ChainID)) {
		return fail(fmt.Sprintf("chain %d is configured, but the API uses chain %d", pinned.ChainID, e.config.ChainID),
			"the API or the configuration belongs to another market: `taskmarket config` shows both")
	}
	var want uint64
	switch {
	case pinned != nil:
		want = pinned.ChainID
	case e.knowsAPI():
		want = uint64(max(0, e.config.ChainID))
	default:
		return skip("the expected chain is unknown")
	}
	if !e.chainID.IsUint64() || e.chainID.Uint64() != want {
		return fail(fmt.Sprintf("the node is on chain %s, but the market is on chain %d", e.chainID, want), "set TASKMARKET_RPC_URL to a node of the market's chain")
	}
	return ok(fmt.Sprintf("node and market are on chain %d", want))
}

// nodeMethods checks that the node supports the methods that an agent needs.
func (e *examination) nodeMethods(ctx context.Context) finding {
	missing, err := rpc.MissingMethods(ctx, e.eth, e.Options.Node)
	switch {
	case err != nil:
		return fail("the node's methods cannot be called: "+withoutURL(err), "try again, or use another node")
	case len(missing) > 0:
		return fail("the node does not support "+strings.Join(missing, ", "), "use another node, or another plan of its provider")
	}
	return ok("the node supports all methods that an agent needs")
}

// Thresholds for the node's latest block. L2 chains produce a block at least every 2 s, so a
// one-minute-old block is late, and a five-minute-old block means that the node is not syncing. A block
// time in the future means that a clock is wrong: this machine's or, on a test chain, the chain's.
const (
	headWarns  = time.Minute
	headFails  = 5 * time.Minute
	headFuture = 30 * time.Second
	// blocksBehind is how many blocks the node may be behind the API's node. It allows for the time
	// between the two reads.
	blocksBehind = 30
)

func (e *examination) nodeSync(context.Context) finding {
	now := e.Now()
	if e.clocks != nil {
		if ahead, _, measured := e.clocks.ahead(); measured {
			now = now.Add(-ahead) // use the API's clock, which is more reliable
		}
	}
	age := now.Sub(time.Unix(int64(e.head.Time), 0)) //nolint:gosec // a block's time fits into int64
	const hint = "use another node, or wait until it has caught up"
	if theirs := e.health.Chain.Head; theirs != nil {
		if behind := *theirs - e.head.Number.Int64(); behind > blocksBehind {
			return fail(fmt.Sprintf("at block %s, %d blocks behind the API's node", e.head.Number, behind), hint)
		}
	}
	switch {
	case age < -headFuture:
		return fail(fmt.Sprintf("the latest block is %s in the future", (-age).Round(time.Second)),
			"synchronize this machine's clock; on a test chain, the chain's time may have been advanced, and deadlines follow it")
	case age > headFails:
		return fail(fmt.Sprintf("the latest block is %s old", age.Round(time.Second)), hint)
	case age > headWarns:
		return warn(fmt.Sprintf("the latest block is %s old", age.Round(time.Second)), hint)
	}
	return ok(fmt.Sprintf("the latest block is %s old", max(0, age).Round(time.Second)))
}

// contracts compares the pinned contracts with those that the API reports, and checks on the chain
// that they exist and belong together.
func (e *examination) contracts(ctx context.Context) finding {
	pinned, named := e.Options.Contracts, e.named()
	var d market.Deployment
	switch {
	case pinned == nil && !e.knowsAPI():
		return skip("the contracts are unknown")
	case pinned == nil:
		d = named
	default:
		d = *pinned
	}
	if pinned != nil && e.knowsAPI() {
		if which, differs := difference(d, named); differs {
			return fail(fmt.Sprintf("the API's %s differs from the configured one", which),
				"pay nothing: check the market's announcements for new contracts before you configure them")
		}
	}
	opened, err := rescue.Open(ctx, rescue.Options{
		RPCURL: e.Options.RPCURL, Deployment: d, InsecureNode: e.Options.InsecureNode, Node: e.Options.Node,
	})
	if errors.Is(err, client.ErrOtherContracts) {
		return fail(err.Error(), "pay nothing: compare the configured addresses with the market's announcements")
	}
	if err != nil {
		return fail("the contracts cannot be read: "+err.Error(), "try again, or use another node")
	}
	e.opened = opened
	if pinned == nil {
		return warn("the API's contracts belong together, but none are pinned", "`taskmarket register` pins them for a new agent; for an existing one, set them as described in `taskmarket help configuration`")
	}
	return ok("the contracts are as configured, and they belong together")
}

// named returns the contracts that the API reports.
func (e *examination) named() market.Deployment {
	d := market.Deployment{
		ChainID: uint64(max(0, e.config.ChainID)), Token: common.HexToAddress(e.config.Token.Address),
		Escrow: common.HexToAddress(e.config.EscrowAddress), Staking: common.HexToAddress(e.config.ApplicationStakingAddress),
		Treasury: common.HexToAddress(e.config.TreasuryAddress),
	}
	if e.config.RewardDistributorAddress != nil {
		d.Distributor = common.HexToAddress(*e.config.RewardDistributorAddress)
	}
	return d
}

// difference returns the name of the first contract that differs between the two deployments. It skips
// contracts that are not pinned.
func difference(pinned, named market.Deployment) (which string, differs bool) {
	for _, c := range []struct {
		what          string
		pinned, named common.Address
	}{
		{"escrow", pinned.Escrow, named.Escrow},
		{"token", pinned.Token, named.Token},
		{"staking contract", pinned.Staking, named.Staking},
		{"treasury", pinned.Treasury, named.Treasury},
		{"reward distributor", pinned.Distributor, named.Distributor},
	} {
		if c.pinned != (common.Address{}) && c.pinned != c.named {
			return c.what, true
		}
	}
	return "", false
}
