package client

import (
	"context"
	"fmt"
	"math/big"
	"net/url"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

var (
	// ErrOtherContracts is returned when the API, the node and Options.Contracts do not agree on
	// the contracts. Nothing was signed, unless a task was already paid for when it checked the
	// API's record again.
	ErrOtherContracts = node.ErrOtherContracts
	// ErrInsecureNode is returned for an unencrypted URL to a node on another machine, because the
	// node's responses could be changed in transit.
	ErrInsecureNode = node.ErrInsecure
)

// CheckNodeURL parses the URL of a node. It rejects http and ws to other machines with
// ErrInsecureNode unless insecure is true. Errors never contain the URL, which may contain a
// provider's key.
func CheckNodeURL(address string, insecure bool) (*url.URL, error) {
	return node.ParseURL(address, insecure)
}

// connect returns the connection to the node and establishes it on the first call.
func (c *Client) connect(ctx context.Context) (*node.Node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.node == nil {
		n, err := node.Dial(ctx, c.options.RPCURL, c.options.InsecureNode, c.options.Node)
		if err != nil {
			return nil, err
		}
		c.node = n
	}
	return c.node, nil
}

// deployment is the set of contracts that this client pays and calls.
type deployment struct {
	market.Deployment
	calls  *chain.Contracts
	permit gen.TypedDataDomain
}

// Deployment returns the contracts that this client pays and calls. It first verifies on the node
// that the chain ID is right, that each contract exists and that the escrow refers to the others.
// Pass the result to Options.Contracts of later clients to reject an API that reports other
// contracts. Distributor and StartBlock are copied from Options.Contracts and are zero if it is
// nil: an agent neither pays nor calls the distributor, and the API does not report the start
// block.
func (c *Client) Deployment(ctx context.Context) (market.Deployment, error) {
	d, _, err := c.contracts(ctx)
	if err != nil {
		return market.Deployment{}, err
	}
	found := d.Deployment
	if pinned := c.options.Contracts; pinned != nil {
		found.Distributor, found.StartBlock = pinned.Distributor, pinned.StartBlock
	}
	return found, nil
}

// contracts returns the deployment, which is verified on the node on the first call.
func (c *Client) contracts(ctx context.Context) (*deployment, *node.Node, error) {
	n, err := c.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	d := c.verified
	c.mu.Unlock()
	if d != nil {
		return d, n, nil
	}
	if d, err = c.readDeployment(ctx); err != nil {
		return nil, nil, err
	}
	if err := n.Verify(ctx, d.Deployment); err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verified = d
	return d, n, nil
}

// readDeployment reads the API's configuration and compares it with the pinned contracts.
func (c *Client) readDeployment(ctx context.Context) (*deployment, error) {
	config, err := c.Config(ctx)
	if err != nil {
		return nil, err
	}
	d, err := parseDeployment(config)
	if err != nil {
		return nil, fmt.Errorf("read contracts configuration: %w", err)
	}
	if pinned := c.options.Contracts; pinned != nil {
		same := pinned.ChainID == d.ChainID && pinned.Token == d.Token &&
			pinned.Escrow == d.Escrow && pinned.Staking == d.Staking
		if !same {
			return nil, fmt.Errorf("%w: the API uses %s, but the configured contracts are %s",
				ErrOtherContracts, contractsText(d.Deployment), contractsText(*pinned))
		}
	}
	d.calls = chain.NewContracts(d.Deployment)
	return d, nil
}

// contractsText lists the contracts that Options.Contracts pins, for error messages.
func contractsText(d market.Deployment) string {
	return fmt.Sprintf("escrow %s, token %s and staking contract %s on chain %d", d.Escrow, d.Token, d.Staking, d.ChainID)
}

func parseDeployment(config ContractsConfig) (*deployment, error) {
	d := &deployment{permit: config.PermitDomain}
	d.ChainID = uint64(max(0, config.ChainID))
	for _, a := range []struct {
		field string
		text  string
		into  *common.Address
	}{
		{"token.address", config.Token.Address, &d.Token},
		{"escrow_address", config.EscrowAddress, &d.Escrow},
		{"application_staking_address", config.ApplicationStakingAddress, &d.Staking},
		{"treasury_address", config.TreasuryAddress, &d.Treasury},
	} {
		address, err := market.ParseAddress(a.field, a.text)
		if err != nil {
			return nil, err
		}
		*a.into = address
	}
	if common.HexToAddress(d.permit.VerifyingContract) != d.Token || uint64(max(0, d.permit.ChainID)) != d.ChainID {
		return nil, fmt.Errorf("%w: the permit domain that the API reports is not the token's", ErrOtherContracts)
	}
	return d, nil
}

// bigID converts an ID from uint64 to *big.Int, the type in the contract bindings.
func bigID(id uint64) *big.Int { return new(big.Int).SetUint64(id) }
