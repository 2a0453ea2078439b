package chain

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// ErrNoState is returned when no node has the state of a block. Nodes delete the state of old
// blocks.
var ErrNoState = errors.New("the node does not have the block's state")

// CallsAt calls views of deployed contracts in the state of one block. It tries each provider in
// turn, the current one last, until one has the state. It returns ErrNoState if none has it, or the
// error of a provider that failed for another reason.
func (n *Node) CallsAt(ctx context.Context, block common.Hash, calls []Call) ([]hexutil.Bytes, error) {
	if !n.connected.Load() {
		return nil, unavailable("call the contracts", errNotConnected)
	}
	failed := ErrNoState
	for _, p := range n.otherFirst() {
		err := p.check(ctx, n.identity)
		if err == nil {
			var answers []hexutil.Bytes
			answers, err = p.callsAt(ctx, block, calls)
			if err == nil && slices.ContainsFunc(answers, func(b hexutil.Bytes) bool { return len(b) == 0 }) {
				err = p.errorf("call the contracts at block %s: %w", block, errNull)
			}
			if err == nil {
				return answers, nil
			}
		}
		if !errors.Is(err, ErrNoState) {
			failed = err
		}
	}
	return nil, failed
}

// callsAt calls views in the state of one block, selected by hash (EIP-1898). It returns ErrNoState
// if the node does not have that state.
func (p *provider) callsAt(ctx context.Context, block common.Hash, calls []Call) ([]hexutil.Bytes, error) {
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
		return nil, p.errorf("call the contracts at block %s: %w", block, err)
	}
	for _, element := range batch {
		if _, answered := errors.AsType[rpc.Error](element.Error); answered {
			return nil, ErrNoState
		}
		if element.Error != nil {
			return nil, p.errorf("call the contracts at block %s: %w", block, element.Error)
		}
	}
	return answers, nil
}
