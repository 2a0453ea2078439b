// Package node connects to the agent's own Ethereum node and reads from it.
package node

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"strings"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// Node is the connection to an Ethereum node. It consists of a rpc.Node, for transactions and
// common reads, and an ethclient for all other calls.
type Node struct {
	*ethclient.Client
	Chain   *rpc.Node
	Options rpc.NodeOptions
	Push    bool // the connection is a websocket, over which the node can announce blocks
}

// MaxRange is the maximum number of blocks in one request for logs. Callers reduce it if a node
// rejects the request.
const MaxRange = 2000

// ErrInsecure is returned for an unencrypted URL to a node on another machine.
var ErrInsecure = errors.New("the connection to the node is not encrypted, so its responses could be changed in transit")

// ParseURL parses the URL of a node. It rejects http and ws to other machines with ErrInsecure
// unless insecure is true. Errors never contain the URL, which may contain a provider's key.
func ParseURL(address string, insecure bool) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("the node's URL is invalid; expected a URL like https://node.example")
	}
	encrypted := u.Scheme == "https" || u.Scheme == "wss"
	if !encrypted && !insecure && !Loopback(u.Hostname()) {
		return nil, fmt.Errorf("%w: use https or wss for %s, or allow unencrypted connections explicitly", ErrInsecure, u.Host)
	}
	return u, nil
}

// Loopback reports whether the host refers to this machine.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// Dial connects to the node. Its errors never contain the URL, which may contain a provider's key.
func Dial(ctx context.Context, address string, insecure bool, options rpc.NodeOptions) (*Node, error) {
	if address == "" {
		return nil, errors.New("no Ethereum node is configured")
	}
	u, err := ParseURL(address, insecure)
	if err != nil {
		return nil, err
	}
	options = options.Complete()
	shared, err := rpc.Dial(ctx, []string{address}, 0, options)
	if err != nil {
		return nil, fmt.Errorf("connect to the node at %s: %w", u.Host, WithoutURL(err))
	}
	eth, err := rpc.Ask(ctx, options, func(ctx context.Context) (*ethclient.Client, error) { return rpc.DialClient(ctx, address) })
	if err != nil {
		shared.Close()
		return nil, fmt.Errorf("connect to the node at %s: %w", u.Host, WithoutURL(err))
	}
	return &Node{Client: eth, Chain: shared, Options: options, Push: strings.HasPrefix(u.Scheme, "ws")}, nil
}

// Close closes the connections.
func (n *Node) Close() {
	n.Client.Close()
	n.Chain.Close()
}

// Header returns the header of the block with the number, which can be a tag such as
// ethrpc.LatestBlockNumber.
func (n *Node) Header(ctx context.Context, number ethrpc.BlockNumber) (*types.Header, error) {
	header, err := Read(ctx, n, "a block", func(ctx context.Context) (*types.Header, error) {
		return n.HeaderByNumber(ctx, big.NewInt(number.Int64()))
	})
	if errors.Is(err, ethereum.NotFound) {
		err = unavailable("a block", err)
	}
	if err != nil {
		return nil, err
	}
	if err := checkNumber(header.Number); err != nil {
		return nil, err
	}
	return header, nil
}

// Head returns the number of the latest block.
func (n *Node) Head(ctx context.Context) (uint64, error) {
	head, err := Read(ctx, n, "the latest block's number", n.BlockNumber)
	if err != nil {
		return 0, err
	}
	return head, checkNumber(new(big.Int).SetUint64(head))
}

// checkNumber returns market.KindChainUnavailable for a block number that no chain can have reached.
func checkNumber(number *big.Int) error {
	if number.IsUint64() && number.Uint64() <= rpc.MaxBlock {
		return nil
	}
	return &market.Error{
		Kind: market.KindChainUnavailable, Message: fmt.Sprintf("the node returned the impossible block number %s", number),
		Hint: "use another node",
	}
}

// WithoutURL removes the URL from a transport error.
func WithoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// Unavailable reports whether err means only that the node could not be reached or returned an
// invalid result.
func Unavailable(err error) bool { return market.KindOf(err) == market.KindChainUnavailable }

// Read makes one call to the node, limited in time and attempts by the node's options. It returns
// market.KindChainUnavailable for an error that is not the node's answer; see chain.Ask.
func Read[T any](ctx context.Context, n *Node, what string, call func(context.Context) (T, error)) (T, error) {
	value, err := rpc.Ask(ctx, n.Options, call)
	switch {
	case err == nil:
		return value, nil
	case rpc.IsAnswer(err):
		return value, fmt.Errorf("read %s from the node: %w", what, err)
	}
	return value, unavailable(what, WithoutURL(err))
}

func unavailable(what string, err error) error {
	message := fmt.Sprintf("the node did not return %s: %s", what, err)
	if errors.Is(err, rpc.ErrInvalidAnswer) {
		message = "the node returned an invalid result for " + what
	}
	return &market.Error{Kind: market.KindChainUnavailable, Message: message, Hint: "try again, or use another node", Cause: err}
}

// View calls a contract's view function on the state of the latest block.
func View[T any](ctx context.Context, n *Node, what string, to common.Address, data []byte, unpack func([]byte) (T, error)) (T, error) {
	return Read(ctx, n, what, func(ctx context.Context) (T, error) {
		result, err := rpc.CallContract(ctx, n.Client, ethereum.CallMsg{To: &to, Data: data})
		if err != nil {
			var none T
			return none, err
		}
		return rpc.Unpack(result, unpack)
	})
}
