package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/market"
)

const (
	// minRest is how long the circuit breaker stays open after a provider's first failure. The time
	// doubles with each further failure, up to maxRest.
	minRest = 250 * time.Millisecond
	maxRest = 30 * time.Second
	// faultLogPause is the least time between two logged faults of a provider.
	faultLogPause = time.Minute
)

// ErrWrongChain is returned when a provider serves a chain other than the configured one.
var ErrWrongChain = errors.New("the provider serves another chain")

// ProviderError is a fault of one RPC provider: it did not respond, or its responses contradict
// each other. A retry or another provider can help.
type ProviderError struct {
	Provider string // the host; the rest of the URL may contain a key
	Err      error
}

// Error implements the error interface.
func (e *ProviderError) Error() string { return "provider " + e.Provider + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Err }

// identity distinguishes a chain from all others.
type identity struct {
	chainID uint64
	genesis common.Hash
}

// String omits the genesis block until a provider of the chain has answered.
func (i identity) String() string {
	text := fmt.Sprintf("chain id %d", i.chainID)
	if i.genesis != (common.Hash{}) {
		text += " with genesis " + i.genesis.Hex()
	}
	return text
}

// Provider is one RPC endpoint with a circuit breaker.
type Provider struct {
	host    string
	url     string
	options NodeOptions
	dialing sync.Mutex        // guards the creation of client
	client  *ethclient.Client // nil until the first check
	// transport is the client's transport over HTTP; nil until the first check. See bulk.
	transport *http.Client

	mu        sync.Mutex
	checked   bool // whether the chain was verified since the last failure
	failures  int  // number of consecutive failures
	restUntil time.Time
	loggedAt  time.Time // last fault that was logged
}

func newProvider(raw string, options NodeOptions) (*Provider, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		// The error omits raw, which may contain an API key.
		return nil, errors.New("invalid RPC URL: it needs a scheme and a host")
	}
	return &Provider{host: u.Host, url: raw, options: options}, nil
}

// connect creates the client once. Only a websocket client connects at once; an HTTP client
// connects with its first request.
func (p *Provider) connect(ctx context.Context) error {
	p.dialing.Lock()
	defer p.dialing.Unlock()
	if p.client != nil {
		return nil
	}
	transport := HTTPClient(maxAnswer)
	if p.options.Transport != nil {
		transport.Transport = p.options.Transport(p.host, transport.Transport)
	}
	client, err := within(ctx, p.options.CallTimeout, func(ctx context.Context) (*ethclient.Client, error) {
		return dialClient(ctx, p.url, transport)
	})
	if err != nil {
		return &ProviderError{Provider: p.host, Err: errors.New("cannot connect: check that the node is running and that its URL begins with http, https, ws or wss")}
	}
	p.client, p.transport = client, transport
	return nil
}

func (p *Provider) close() {
	p.dialing.Lock()
	defer p.dialing.Unlock()
	if p.client != nil {
		p.client.Close()
	}
}

// ErrContradiction marks a response that another response disproves. Requesting less from the same
// provider does not help.
var ErrContradiction = errors.New("the provider's answers contradict each other")

// Contradictionf is like errorf, for a response that another response disproves.
func (p *Provider) Contradictionf(format string, args ...any) error {
	return p.Errorf(format+": %w", append(args, ErrContradiction)...)
}

// Errorf returns an error that names the provider.
func (p *Provider) Errorf(format string, args ...any) error {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = withoutURL(err)
		}
	}
	return &ProviderError{Provider: p.host, Err: fmt.Errorf(format, args...)}
}

// withoutURL removes the URL, which may contain a key, from an error of net/http.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// Fault opens the circuit breaker after a failed call, for longer after each failure. An unsupported method
// leaves it closed, because the provider can process all other calls. The provider is identified again
// before its next use, unless it responded to the call: the connection is then the same.
func (p *Provider) Fault(err error) {
	p.logFault(err)
	if IsUnsupported(err) {
		return
	}
	_, responded := errors.AsType[rpc.Error](err)
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := maxRest
	if p.failures < 7 { // avoids overflow: 250 ms << 7 already exceeds maxRest
		rest = minRest << p.failures
	}
	p.failures++
	p.checked = p.checked && responded
	p.restUntil = time.Now().Add(rest)
}

// logFault logs a failed call, so that operators see why a provider is not used: another provider's answer
// hides its error.
func (p *Provider) logFault(err error) {
	if p.options.Log == nil || err == nil {
		return
	}
	p.mu.Lock()
	now := time.Now()
	recent := now.Sub(p.loggedAt) < faultLogPause
	if !recent {
		p.loggedAt = now
	}
	p.mu.Unlock()
	if !recent {
		p.options.Log.Warn("a call to a provider failed; another provider is called if there is one",
			slog.String("provider", p.host), slog.Any("err", withoutURL(err)))
	}
}

// Succeeded closes the circuit breaker after a successful call.
func (p *Provider) Succeeded() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures, p.restUntil = 0, time.Time{}
}

// Resting reports whether the circuit breaker is open.
func (p *Provider) Resting(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.restUntil)
}

// identify reads which chain the provider serves.
func (p *Provider) identify(ctx context.Context) (identity, error) {
	if err := p.connect(ctx); err != nil {
		return identity{}, err
	}
	id, err := within(ctx, p.options.CallTimeout, p.client.ChainID)
	if err != nil {
		return identity{}, p.Errorf("read the chain id: %w", err)
	}
	if !id.IsUint64() || id.Sign() == 0 {
		return identity{}, p.Errorf("read the chain id: %w: %s", ErrInvalidAnswer, id)
	}
	ctx, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	var genesis struct{ Hash common.Hash }
	if err := p.client.Client().CallContext(ctx, &genesis, "eth_getBlockByNumber", "0x0", false); err != nil {
		return identity{}, p.Errorf("read the genesis block: %w", err)
	}
	if genesis.Hash == (common.Hash{}) {
		return identity{}, p.Errorf("read the genesis block: %w", errNull)
	}
	return identity{chainID: id.Uint64(), genesis: genesis.Hash}, nil
}

// check rejects a provider that serves a chain other than want. It reads the identity once, and
// again after each failed request, because another node may answer after a reconnect.
func (p *Provider) check(ctx context.Context, want identity) error {
	p.mu.Lock()
	checked := p.checked
	p.mu.Unlock()
	if checked {
		return nil
	}
	got, err := p.identify(ctx)
	if err != nil {
		return err
	}
	if got != want {
		return p.Errorf("%w: %s instead of %s", ErrWrongChain, got, want)
	}
	p.setChecked()
	return nil
}

// setChecked records that the provider serves the right chain.
func (p *Provider) setChecked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checked = true
}

// recheck discards the result of the last check and checks again.
func (p *Provider) recheck(ctx context.Context, want identity) error {
	p.mu.Lock()
	p.checked = false
	p.mu.Unlock()
	return p.check(ctx, want)
}

// Host returns the host of the provider's URL, which contains no key.
func (p *Provider) Host() string { return p.host }

// TransactionInBlock reads the transaction at an index of a block.
func (p *Provider) TransactionInBlock(ctx context.Context, block common.Hash, index uint) (*types.Transaction, error) {
	return within(ctx, p.options.CallTimeout, func(ctx context.Context) (*types.Transaction, error) {
		return p.client.TransactionInBlock(ctx, block, index)
	})
}

// hasBlock reports whether the provider has the block with the hash, on its chain or on another branch.
func (p *Provider) hasBlock(ctx context.Context, hash common.Hash) (bool, error) {
	return p.readsBlock(ctx, hash, "eth_getBlockByHash", hash, false)
}

// follows reports whether the provider's chain contains the block. A node can have a block by its hash after a
// reorg has dropped it.
func (p *Provider) follows(ctx context.Context, block market.Block) (bool, error) {
	return p.readsBlock(ctx, block.Hash, "eth_getBlockByNumber", hexutil.EncodeUint64(block.Number), false)
}

// readsBlock reports whether the answer to a call is the block with the hash.
func (p *Provider) readsBlock(ctx context.Context, hash common.Hash, method string, args ...any) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	var header *types.Header
	err := p.client.Client().CallContext(ctx, &header, method, args...)
	if err != nil {
		return false, p.Errorf("read block %s: %w", hash, err)
	}
	return header != nil && header.Hash() == hash, nil
}
