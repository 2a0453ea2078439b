package rpc

import (
	"context"
	"errors"
	"slices"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/market"
)

// ErrNoState is returned when no node has the state of a block. Nodes delete the state of old
// blocks.
var ErrNoState = errors.New("the node does not have the block's state")

// CallsAt calls views of deployed contracts in the state of one block, and passes to handle the results of each
// provider that has the state. A single provider could return a false state, so the caller compares them. As in
// each, a provider whose circuit breaker is open is called only until another one has responded. An error of
// handle, for results that cannot be decoded, counts as a failure of the provider.
//
// CallsAt returns nil if handle succeeded at least once. Otherwise, it returns ErrNoState if no provider has the
// state, or the error of a provider that failed for another reason.
func (n *Node) CallsAt(ctx context.Context, block common.Hash, calls []market.Call, handle func(provider string, results []hexutil.Bytes) error) error {
	if !n.connected.Load() {
		return unavailable("call the contracts", errNotConnected)
	}
	answered, failed := false, ErrNoState
	for _, p := range n.byHealth() {
		if answered && p.Resting(time.Now()) {
			continue
		}
		err := n.Check(ctx, p)
		if err == nil {
			err = p.passResults(ctx, block, calls, handle)
		}
		switch {
		case err == nil:
			answered = true
			p.Succeeded()
		case ctx.Err() != nil:
			return err
		case !errors.Is(err, ErrNoState):
			failed = err
			p.Fault(err)
		}
	}
	if answered {
		return nil
	}
	return failed
}

// passResults passes the results of the calls to handle.
func (p *Provider) passResults(ctx context.Context, block common.Hash, calls []market.Call, handle func(provider string, results []hexutil.Bytes) error) error {
	results, err := p.CallsAt(ctx, block, calls)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(results, func(b hexutil.Bytes) bool { return len(b) == 0 }) {
		err = errNull
	} else {
		err = handle(p.host, results)
	}
	if err != nil {
		return p.Errorf("call the contracts at block %s: %w", block, err)
	}
	return nil
}

// CallsAt calls views in the state of one block, selected by hash (EIP-1898). It returns ErrNoState
// if the node does not have that state.
func (p *Provider) CallsAt(ctx context.Context, block common.Hash, calls []market.Call) ([]hexutil.Bytes, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	answers, batch := make([]hexutil.Bytes, len(calls)), make([]rpc.BatchElem, len(calls))
	at := map[string]any{"blockHash": block}
	for i, call := range calls {
		batch[i] = rpc.BatchElem{
			Method: "eth_call", Result: &answers[i],
			Args: []any{map[string]any{"to": call.To, "data": hexutil.Bytes(call.Data)}, at},
		}
	}
	if err := p.client.Client().BatchCallContext(ctx, batch); err != nil {
		return nil, p.Errorf("call the contracts at block %s: %w", block, err)
	}
	for _, element := range batch {
		if element.Error == nil {
			continue
		}
		if _, answered := errors.AsType[rpc.Error](element.Error); answered && p.executes(ctx, calls[0]) {
			return nil, ErrNoState
		}
		return nil, p.Errorf("call the contracts at block %s: %w", block, element.Error)
	}
	return answers, nil
}

// executes reports whether the provider executes the call in the latest state. It distinguishes a provider
// without the state of an older block from one that fails, because nodes use many words for both.
func (p *Provider) executes(ctx context.Context, call market.Call) bool {
	_, err := CallContract(ctx, p.client, ethereum.CallMsg{To: &call.To, Data: call.Data})
	return err == nil || IsAnswer(err)
}
