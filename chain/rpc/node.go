package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/market"
)

const (
	// OtherTimeout is how long a call waits for a provider that only confirms what another one answered: for
	// the levels of each other provider in a step, and for a call that another provider reverted.
	OtherTimeout = 2 * time.Second
	// StalledAfter is the age of a provider's newest block above which it may have stopped syncing. If it
	// is also behind, its levels are ignored, so that it does not hold back finality. checkBehind and
	// EachCurrent use the same limit.
	StalledAfter = 10 * time.Minute
)

// Node is a connection to one chain through one or more RPC providers. It uses one provider until
// that provider fails, and then another. It is safe for concurrent use.
type Node struct {
	providers []*Provider
	identity  identity
	options   NodeOptions
	connected atomic.Bool // set once identity is known

	mu      sync.Mutex
	current int
}

// NewNode returns a node of one chain without calling any provider. Its calls return
// market.KindChainUnavailable until Connect has succeeded.
func NewNode(urls []string, chainID uint64, options NodeOptions) (*Node, error) {
	n := &Node{identity: identity{chainID: chainID}, options: options.Complete()}
	for _, raw := range urls {
		p, err := newProvider(strings.TrimSpace(raw), n.options)
		if err != nil {
			return nil, fmt.Errorf("connect to the chain: %w", err)
		}
		same := slices.ContainsFunc(n.providers, func(other *Provider) bool { return other.host == p.host })
		if same {
			p.host = fmt.Sprintf("%s#%d", p.host, len(n.providers)+1) // names in logs and metrics must be unique
		}
		n.providers = append(n.providers, p)
	}
	if len(n.providers) == 0 {
		return nil, errors.New("connect to the chain: no RPC URL is given")
	}
	return n, nil
}

// Dial returns a connected node. With chain id 0, it uses the chain of the first provider that
// answers. Its errors are those of NewNode and Connect.
func Dial(ctx context.Context, urls []string, chainID uint64, options NodeOptions) (*Node, error) {
	n, err := NewNode(urls, chainID, options)
	if err != nil {
		return nil, err
	}
	if err := n.Connect(ctx); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// Connect reads the chain id and the genesis block from the providers. It returns ErrWrongChain if
// a provider serves another chain, and another error if no provider responds; in that case, it can
// be called again. A provider that does not respond is checked before its first use.
func (n *Node) Connect(ctx context.Context) error {
	if n.connected.Load() {
		return nil
	}
	var err error
	for round := range n.options.Tries {
		if err = sleep(ctx, n.options.pauseFor(round)); err != nil {
			break
		}
		if err = n.identifyAll(ctx); err == nil {
			n.connected.Store(true)
			return nil
		}
		if errors.Is(err, ErrWrongChain) {
			break
		}
	}
	return fmt.Errorf("connect to the chain: %w", err)
}

var errNotConnected = errors.New("no provider has answered yet")

// identifyAll takes the genesis block from the first provider that answers, and requires the same
// one from the others.
func (n *Node) identifyAll(ctx context.Context) error {
	var away error
	found := false
	for i, p := range n.providers {
		got, err := p.identify(ctx)
		if err != nil {
			p.Fault(err)
			away = err
			continue
		}
		if n.identity.chainID == 0 {
			n.identity.chainID = got.chainID
		}
		if !found && got.chainID == n.identity.chainID {
			n.identity, n.current, found = got, i, true
		}
		if got != n.identity {
			return p.Errorf("%w: %s instead of %s", ErrWrongChain, got, n.identity)
		}
		p.setChecked()
	}
	if !found {
		return away
	}
	return nil
}

// Close ends the connections.
func (n *Node) Close() {
	for _, p := range n.providers {
		p.close()
	}
}

// ChainID returns the chain's id.
func (n *Node) ChainID() uint64 { return n.identity.chainID }

// ProviderStatus is the state of one provider's circuit breaker.
type ProviderStatus struct {
	Provider string // the host of its URL
	Current  bool   // whether the watcher reads from it
	Failures int    // consecutive failures
	Resting  bool   // whether the circuit breaker is open
}

// Providers returns the state of each provider, in the configured order.
func (n *Node) Providers() []ProviderStatus {
	n.mu.Lock()
	current := n.providers[n.current]
	n.mu.Unlock()
	states := make([]ProviderStatus, len(n.providers))
	now := time.Now()
	for i, p := range n.providers {
		states[i] = ProviderStatus{Provider: p.host, Current: p == current, Resting: p.Resting(now)}
		p.mu.Lock()
		states[i].Failures = p.failures
		p.mu.Unlock()
	}
	return states
}

// FromCurrent returns the providers, starting with the current one.
func (n *Node) FromCurrent() []*Provider {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append(append([]*Provider(nil), n.providers[n.current:]...), n.providers[:n.current]...)
}

// byHealth returns the providers, starting with the current one. Those whose circuit breaker is
// open are last.
func (n *Node) byHealth() []*Provider {
	now := time.Now()
	providers := n.FromCurrent()
	slices.SortStableFunc(providers, func(a, b *Provider) int {
		switch restA, restB := a.Resting(now), b.Resting(now); {
		case restA == restB:
			return 0
		case restA:
			return 1
		}
		return -1
	})
	return providers
}

// SetCurrent makes a provider the current one.
func (n *Node) SetCurrent(p *Provider) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.providers {
		if n.providers[i] == p {
			n.current = i
		}
	}
}

// CurrentProvider returns the provider from which to continue after a block. This is the current
// one. If it is faulty or its circuit breaker is open, CurrentProvider switches to another provider
// that has the block, if there is one. It does not switch to a provider without the block: two
// providers on different forks would make the watcher alternate between the forks. The caller decides
// when to change the branch.
func (n *Node) CurrentProvider(ctx context.Context, block common.Hash, faulty *Provider) *Provider {
	current := n.FromCurrent()[0]
	if current == faulty || current.Resting(time.Now()) {
		if other := n.OtherProvider(ctx, current, block); other != nil {
			n.SetCurrent(other)
			return other
		}
	}
	return current
}

// OtherProvider returns a provider other than p that has the block and whose circuit breaker is
// closed, or nil if there is none. A zero hash matches every provider.
func (n *Node) OtherProvider(ctx context.Context, p *Provider, block common.Hash) *Provider {
	for _, other := range n.FromCurrent() {
		if other == p || other.Resting(time.Now()) {
			continue
		}
		err := n.Check(ctx, other)
		hasBlock := block == common.Hash{}
		if err == nil && !hasBlock {
			hasBlock, err = other.hasBlock(ctx, block)
		}
		if err != nil {
			other.Fault(err)
			continue
		}
		if hasBlock {
			return other
		}
	}
	return nil
}

// AnyOtherFollows reports whether the chain of a provider other than p contains the block. It also asks
// the providers whose circuit breaker is open, because the answer decides whether the watcher stops.
func (n *Node) AnyOtherFollows(ctx context.Context, p *Provider, block market.Block) bool {
	for _, other := range n.FromCurrent() {
		if other == p {
			continue
		}
		err := n.Check(ctx, other)
		follows := false
		if err == nil {
			follows, err = other.follows(ctx, block)
		}
		if err != nil {
			other.Fault(err)
		}
		if follows {
			return true
		}
	}
	return false
}

// Do calls fn with one provider after the other until one answers. It makes as many attempts as the
// options allow, and at least one for each provider. See IsAnswer for what counts as an answer. A
// revert counts only if no other provider returns a result: a provider may lag or be wrong. If no
// provider answers, do returns market.KindChainUnavailable.
//
// Example: with 2 providers and 3 tries, it calls the first, the second, and after a pause the
// first again.
func (n *Node) Do(ctx context.Context, what string, fn func(context.Context, *ethclient.Client) error) error {
	if !n.connected.Load() {
		return unavailable(what, errNotConnected)
	}
	var reverted, failed error
	providers := n.byHealth()
	for try := range max(n.options.Tries, len(providers)) {
		p := providers[try%len(providers)]
		if reverted != nil && (try >= len(providers) || p.Resting(time.Now())) {
			break
		}
		if try%len(providers) == 0 && sleep(ctx, n.options.pauseFor(try/len(providers))) != nil {
			break
		}
		limit := p.options.CallTimeout
		if reverted != nil {
			limit = min(limit, OtherTimeout)
		}
		err := n.ask(ctx, p, limit, fn)
		switch _, revert := errors.AsType[*RevertError](err); {
		case revert && reverted == nil:
			reverted = err
		case revert:
		case err == nil || IsAnswer(err):
			return err
		case reverted == nil && ctx.Err() != nil:
			return unavailable(what, ctx.Err())
		default:
			failed = err
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large && try+1 >= len(providers) {
			break // another round would read the same amount
		}
	}
	if reverted != nil {
		return reverted
	}
	return unavailable(what, failed)
}

// Each calls fn with every provider whose circuit breaker is closed, and with the others only until
// fn has succeeded once. fn is never called concurrently, so it can compare the responses. each
// returns nil if fn succeeded at least once. Otherwise, it returns another answer of a node (see
// IsAnswer), or market.KindChainUnavailable. If no provider answers, it tries again by the rules of do:
// after a pause, and until it has made as many attempts as the options allow.
func (n *Node) Each(ctx context.Context, what string, fn func(context.Context, *ethclient.Client) error) error {
	err := n.eachOnce(ctx, what, fn)
	for round := 1; err != nil && !IsAnswer(err) && round*len(n.providers) < n.options.Tries; round++ {
		if sleep(ctx, n.options.pauseFor(round)) != nil {
			break
		}
		err = n.eachOnce(ctx, what, fn)
	}
	return err
}

func (n *Node) eachOnce(ctx context.Context, what string, fn func(context.Context, *ethclient.Client) error) error {
	if !n.connected.Load() {
		return unavailable(what, errNotConnected)
	}
	var succeeded bool
	var answered, failed error
	for _, p := range n.byHealth() {
		if succeeded && p.Resting(time.Now()) {
			continue
		}
		err := n.ask(ctx, p, p.options.CallTimeout, fn)
		switch {
		case err == nil:
			succeeded = true
		case IsAnswer(err):
			answered = err
		case ctx.Err() != nil:
			return unavailable(what, ctx.Err())
		default:
			failed = err
		}
	}
	switch {
	case succeeded:
		return nil
	case answered != nil:
		return answered
	}
	return unavailable(what, failed)
}

// EachCurrent is like each, but leaves out the providers whose newest block is older than StalledAfter, unless
// all others fail. A dishonest provider cannot make another one appear stalled.
func (n *Node) EachCurrent(ctx context.Context, what string, fn func(context.Context, *ethclient.Client) error) error {
	var current bool
	err := n.Each(ctx, what, func(ctx context.Context, c *ethclient.Client) error {
		head, err := Latest(ctx, c)
		if err != nil || time.Since(BlockOf(head).Time) > StalledAfter {
			return err
		}
		err = fn(ctx, c)
		current = current || err == nil
		return err
	})
	if err != nil || current {
		return err
	}
	return n.Each(ctx, what, fn)
}

// Check returns an error if the provider serves another chain. It reads the provider's identity once, and again after
// each failed request, because another node may answer after a reconnect.
func (n *Node) Check(ctx context.Context, p *Provider) error { return p.check(ctx, n.identity) }

// Recheck discards the result of the last Check and checks again.
func (n *Node) Recheck(ctx context.Context, p *Provider) error { return p.recheck(ctx, n.identity) }

// ask calls fn with one provider and records in its circuit breaker whether it answered.
func (n *Node) ask(ctx context.Context, p *Provider, limit time.Duration, fn func(context.Context, *ethclient.Client) error) error {
	err := n.Check(ctx, p)
	if err == nil {
		calling, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if err = fn(calling, p.client); err == nil || IsAnswer(err) {
			p.Succeeded()
			return err
		}
		err = p.Errorf("%w", err)
	}
	if ctx.Err() == nil {
		p.Fault(err)
	}
	return err
}

// unavailable returns the error that callers outside the package receive if no provider answered.
func unavailable(what string, cause error) *market.Error {
	return &market.Error{
		Kind:       market.KindChainUnavailable,
		Message:    "no Ethereum node could process the request",
		Hint:       "try again in a few seconds",
		RetryAfter: 2 * time.Second,
		Cause:      fmt.Errorf("%s: %w", what, cause),
	}
}

// Unavailable converts a node's error to the error of unavailable, unless it is already a
// market.Error.
func Unavailable(what string, err error) error {
	if _, already := errors.AsType[*market.Error](err); already {
		return err
	}
	return unavailable(what, err)
}
