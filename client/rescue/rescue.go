package rescue

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Options configure the contracts and the node.
type Options struct {
	// RPCURL is the URL of an Ethereum node: http(s) or ws(s).
	RPCURL string
	// Deployment needs only Escrow. All other fields that are set must match the node and the
	// contracts. Set Distributor to include rewards: no other contract refers to it. If StartBlock
	// is set, the search for the escrow's first block is skipped.
	Deployment market.Deployment
	// Flows is the sending wallet's journal. Its lock prevents other programs with the same journal
	// from choosing the same nonce. Set it if another program may send from the wallet.
	Flows client.FlowStore
	// MaxFeePerGas is the maximum price per unit of gas, in wei. If nil, a transaction offers the
	// chain's current fees, and a replacement up to four times as much.
	MaxFeePerGas *big.Int
	// InsecureNode allows an unencrypted connection to a node on another machine.
	InsecureNode bool
	// Node limits the duration and the number of attempts for calls to the node. The zero value
	// suits a node that responds within seconds.
	Node rpc.NodeOptions
	// Progress, when set, is called with the progress of a log search.
	Progress func(Progress)
}

// Progress is the progress of a log search.
type Progress struct {
	Block uint64 // number of the last block that was read
	Last  uint64 // number of the last block to read
	Width uint64 // number of blocks in the next request; reduced if the node rejects wide ranges
}

// Rescue reads one deployment through one node. It is safe for concurrent use. Call Close when it
// is no longer needed.
type Rescue struct {
	options    Options
	eth        *ethclient.Client
	node       *rpc.Node
	deployment market.Deployment
	contracts  *chain.Contracts
	reader     *chain.Reader
	token      market.Token
}

// Open connects to the node and reads the addresses of the other contracts from the escrow. It
// returns client.ErrOtherContracts if they do not belong together or do not match the options.
func Open(ctx context.Context, options Options) (*Rescue, error) {
	if options.Deployment.Escrow == (common.Address{}) {
		return nil, errors.New("the escrow contract's address is required")
	}
	if options.RPCURL == "" {
		return nil, errors.New("the URL of an Ethereum node is required")
	}
	if _, err := client.CheckNodeURL(options.RPCURL, options.InsecureNode); err != nil {
		return nil, err
	}
	node, err := ask(ctx, func(ctx context.Context) (*rpc.Node, error) {
		return rpc.Dial(ctx, []string{options.RPCURL}, 0, options.Node)
	})
	if err != nil {
		return nil, unavailable("connect to the node", err)
	}
	r := &Rescue{options: options, node: node}
	r.eth, err = rpc.Ask(ctx, options.Node, func(ctx context.Context) (*ethclient.Client, error) {
		return rpc.DialClient(ctx, options.RPCURL)
	})
	if err != nil {
		node.Close()
		return nil, unavailable("connect to the node", err)
	}
	if err := r.identify(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the connections to the node.
func (r *Rescue) Close() {
	r.eth.Close()
	r.node.Close()
}

// Deployment returns the contracts. StartBlock is 0 unless it was set in the options.
func (r *Rescue) Deployment() market.Deployment { return r.deployment }

// Token returns the name, symbol and decimals of the escrow's token.
func (r *Rescue) Token() market.Token { return r.token }

// identify reads the addresses of the other contracts and checks that the contracts belong
// together.
func (r *Rescue) identify(ctx context.Context) error {
	want := r.options.Deployment
	d := market.Deployment{
		ChainID: r.node.ChainID(), Escrow: want.Escrow, Distributor: want.Distributor, StartBlock: want.StartBlock,
	}
	if err := r.checkCode(ctx, d.Escrow, d.ChainID); err != nil {
		return err
	}
	escrow := contracts.NewEscrow()
	for _, link := range []struct {
		data   []byte
		unpack func([]byte) (common.Address, error)
		into   *common.Address
	}{
		{escrow.PackToken(), escrow.UnpackToken, &d.Token},
		{escrow.PackApplicationStaking(), escrow.UnpackApplicationStaking, &d.Staking},
		{escrow.PackTreasury(), escrow.UnpackTreasury, &d.Treasury},
	} {
		address, err := view(ctx, r, d.Escrow, link.data, link.unpack)
		if err != nil {
			return notAnEscrow(d.Escrow, err)
		}
		*link.into = address
	}
	if err := r.checkLinks(ctx, d); err != nil {
		return err
	}
	if err := checkPinned(want, d); err != nil {
		return err
	}
	r.deployment, r.contracts = d, chain.NewContracts(d)
	r.reader = chain.NewReader(r.node, r.contracts)
	return try(ctx, func(ctx context.Context) (err error) {
		r.token, err = r.reader.TokenInfo(ctx)
		return err
	})
}

// checkCode returns an error if there is no contract at the address.
func (r *Rescue) checkCode(ctx context.Context, address common.Address, chainID uint64) error {
	code, err := askOwn(ctx, r, func(ctx context.Context) ([]byte, error) { return r.eth.CodeAt(ctx, address, nil) })
	if err != nil {
		return unavailable("read a contract's code from the node", err)
	}
	if len(code) == 0 {
		return fmt.Errorf("%w: there is no contract at %s on chain %d", client.ErrOtherContracts, address, chainID)
	}
	return nil
}

// checkLinks checks that the staking contract refers to the escrow, and that it and the distributor
// use the escrow's token.
func (r *Rescue) checkLinks(ctx context.Context, d market.Deployment) error {
	staking, rewards := contracts.NewApplicationStaking(), contracts.NewRewardDistributor()
	links := []struct {
		what   string
		of     common.Address
		data   []byte
		unpack func([]byte) (common.Address, error)
		want   common.Address
	}{
		{"the staking contract's escrow", d.Staking, staking.PackEscrow(), staking.UnpackEscrow, d.Escrow},
		{"the staking contract's token", d.Staking, staking.PackToken(), staking.UnpackToken, d.Token},
		{"the distributor's token", d.Distributor, rewards.PackToken(), rewards.UnpackToken, d.Token},
	}
	for _, link := range links {
		if link.of == (common.Address{}) {
			continue
		}
		got, err := view(ctx, r, link.of, link.data, link.unpack)
		if err != nil {
			return notAnEscrow(link.of, err)
		}
		if got != link.want {
			return fmt.Errorf("%w: %s is %s, not %s", client.ErrOtherContracts, link.what, got, link.want)
		}
	}
	return nil
}

// notAnEscrow converts a failed call to a view function to an error which explains that the
// contract is not one of the market's. It returns err unchanged if the node was unavailable.
func notAnEscrow(address common.Address, err error) error {
	if market.KindOf(err) == market.KindChainUnavailable {
		return err
	}
	return fmt.Errorf("%w: the contract at %s is not one of the market's contracts: %w", client.ErrOtherContracts, address, err)
}

// checkPinned compares the contracts with those in the options.
func checkPinned(want, got market.Deployment) error {
	if want.ChainID != 0 && want.ChainID != got.ChainID {
		return fmt.Errorf("%w: the node is on chain %d, not %d", client.ErrOtherContracts, got.ChainID, want.ChainID)
	}
	for _, pin := range []struct {
		what      string
		want, got common.Address
	}{
		{"token", want.Token, got.Token},
		{"staking contract", want.Staking, got.Staking},
		{"treasury", want.Treasury, got.Treasury},
	} {
		if pin.want != (common.Address{}) && pin.want != pin.got {
			return fmt.Errorf("%w: the escrow's %s is %s, not %s", client.ErrOtherContracts, pin.what, pin.got, pin.want)
		}
	}
	return nil
}
