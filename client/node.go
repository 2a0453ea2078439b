package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

// node is the connection to the agent's own Ethereum node.
type node struct {
	*ethclient.Client
	chainID uint64
	push    bool // announces new blocks by itself
}

const callTimeout = 10 * time.Second

// connect returns the connection to the node and makes it when there is none.
func (c *Client) connect(ctx context.Context) (*node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.node == nil {
		n, err := c.dial(ctx)
		if err != nil {
			return nil, err
		}
		c.node = n
	}
	return c.node, nil
}

// dial makes a new connection and asks for the chain's id. Errors leave out the
// URL: it may hold a provider's key.
func (c *Client) dial(ctx context.Context) (*node, error) {
	if c.options.RPCURL == "" {
		return nil, errors.New("an Ethereum node is needed: set Options.RPCURL")
	}
	u, err := url.Parse(c.options.RPCURL)
	if err != nil || u.Host == "" {
		return nil, errors.New("Options.RPCURL is no URL of an Ethereum node")
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	connection, err := rpc.DialOptions(ctx, c.options.RPCURL, rpc.WithHTTPClient(c.nodeHTTP()))
	if err != nil {
		return nil, fmt.Errorf("connect to the node at %s: %w", u.Host, withoutURL(err))
	}
	n := &node{Client: ethclient.NewClient(connection), push: strings.HasPrefix(u.Scheme, "ws")}
	id, err := n.ChainID(ctx)
	if err != nil {
		n.Close()
		return nil, fmt.Errorf("ask the node at %s for its chain: %w", u.Host, withoutURL(err))
	}
	n.chainID = id.Uint64()
	return n, nil
}

func (c *Client) nodeHTTP() *http.Client {
	carrier := &http.Client{
		Timeout:       callTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if c.options.HTTPClient != nil {
		carrier.Transport = c.options.HTTPClient.Transport
	}
	return carrier
}

// withoutURL takes the URL out of a transport error.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// ask bounds one call to the node in time.
func ask[T any](ctx context.Context, what string, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	value, err := call(ctx)
	if err != nil {
		return value, fmt.Errorf("ask the node for %s: %w", what, withoutURL(err))
	}
	return value, nil
}

// view reads from a contract at the latest block.
func view[T any](ctx context.Context, n *node, what string, to common.Address, data []byte, unpack func([]byte) (T, error)) (T, error) {
	return ask(ctx, what, func(ctx context.Context) (T, error) {
		result, err := n.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
		if err != nil {
			var none T
			return none, err
		}
		return unpack(result)
	})
}
