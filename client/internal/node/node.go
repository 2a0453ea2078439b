package node

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain"
	"taskmarket/market"
)

// node is the connection to the agent's own Ethereum node: chain.Node to send
// and to ask what every part of the market asks, and a client of its own for
// the rest.
type node struct {
	*ethclient.Client
	chain   *chain.Node
	options chain.NodeOptions
	push    bool // announces new blocks by itself
}

// connect returns the connection to the node and makes it when there is none.
func (c *Client) connect(ctx context.Context) (*node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.node == nil {
		n, err := dial(ctx, c.options)
		if err != nil {
			return nil, err
		}
		c.node = n
	}
	return c.node, nil
}

// ErrInsecureNode is returned for a node on another machine whose answers anybody on
// the way could change, because it is asked without encryption.
var ErrInsecureNode = errors.New("the node's URL is not encrypted, so that anybody on the way could change its answers")

// CheckNodeURL returns the parsed URL of a node. It refuses http and ws to other
// machines with ErrInsecureNode, unless insecure says that it is meant. No error
// repeats the URL: it may hold a provider's key.
func CheckNodeURL(address string, insecure bool) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("the node's URL is no URL like https://node.example")
	}
	encrypted := u.Scheme == "https" || u.Scheme == "wss"
	if !encrypted && !insecure && !loopback(u.Hostname()) {
		return nil, fmt.Errorf("%w: use https or wss to ask %s, or allow it with insecure_node (Options.InsecureNode)",
			ErrInsecureNode, u.Host)
	}
	return u, nil
}

// dial makes a connection. Its errors leave out the URL: it may hold a
// provider's key.
func dial(ctx context.Context, o Options) (*node, error) {
	address, options := o.RPCURL, o.Node.Complete()
	if address == "" {
		return nil, errors.New("an Ethereum node is needed: set Options.RPCURL")
	}
	u, err := CheckNodeURL(address, o.InsecureNode)
	if err != nil {
		return nil, err
	}
	shared, err := chain.Dial(ctx, []string{address}, 0, options)
	if err != nil {
		return nil, fmt.Errorf("connect to the node at %s: %w", u.Host, withoutURL(err))
	}
	own, err := chain.Ask(ctx, options, func(ctx context.Context) (*ethclient.Client, error) { return chain.DialClient(ctx, address) })
	if err != nil {
		shared.Close()
		return nil, fmt.Errorf("connect to the node at %s: %w", u.Host, withoutURL(err))
	}
	return &node{Client: own, chain: shared, options: options, push: strings.HasPrefix(u.Scheme, "ws")}, nil
}

// Close ends the connections.
func (n *node) Close() {
	n.Client.Close()
	n.chain.Close()
}

// withoutURL takes the URL out of a transport error.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// ask makes one call to the node, within the time and tries of its options.
func ask[T any](ctx context.Context, n *node, what string, call func(context.Context) (T, error)) (T, error) {
	value, err := chain.Ask(ctx, n.options, call)
	if errors.Is(err, chain.ErrUndecodable) {
		return value, &market.Error{
			Kind: market.KindChainUnavailable, Message: "the node gives no usable answer for " + what,
			Hint: "try again, or through another node", Cause: err,
		}
	}
	if err != nil {
		return value, fmt.Errorf("ask the node for %s: %w", what, withoutURL(err))
	}
	return value, nil
}

// view reads from a contract at the latest block.
func view[T any](ctx context.Context, n *node, what string, to common.Address, data []byte, unpack func([]byte) (T, error)) (T, error) {
	return ask(ctx, n, what, func(ctx context.Context) (T, error) {
		result, err := n.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
		if err != nil {
			var none T
			return none, err
		}
		return chain.Unpack(result, unpack)
	})
}
