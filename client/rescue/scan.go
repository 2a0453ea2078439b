package rescue

import (
	"context"
	"errors"
	"math/big"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/client/internal/node"
)

// mentions returns the logs of the escrow and the staking contract, up to block last, that contain
// the wallet as a topic. The logs with the wallet in the same topic position are in the chain's
// order.
func (r *Rescue) mentions(ctx context.Context, wallet common.Address, last uint64) ([]types.Log, error) {
	first, err := r.startBlock(ctx, last)
	if err != nil {
		return nil, err
	}
	// A request for one wallet's logs is cheap for a node, however wide the range is. The first
	// request therefore covers all blocks.
	s := &scan{rescue: r, last: last, width: last - min(first, last) + 1}
	me := common.BytesToHash(wallet[:])
	// Topic 0 is the event and topic 1 the ID; topics 2 and 3 are the addresses of the two parties.
	for _, topics := range [][][]common.Hash{{nil, nil, {me}}, {nil, nil, nil, {me}}} {
		s.queries = append(s.queries, ethereum.FilterQuery{
			Addresses: []common.Address{r.deployment.Escrow, r.deployment.Staking}, Topics: topics,
		})
	}
	return s.read(ctx, first)
}

// scan reads logs in block ranges that the node accepts.
type scan struct {
	rescue  *Rescue
	queries []ethereum.FilterQuery
	last    uint64
	width   uint64 // number of blocks in the next request
}

func (s *scan) read(ctx context.Context, first uint64) ([]types.Log, error) {
	var found []types.Log
	for from := first; from <= s.last; {
		to := s.last
		if s.width <= s.last-from {
			to = from + s.width - 1
		}
		logs, err := s.rangeOf(ctx, from, to)
		switch {
		case err == nil:
		case rangeTooLarge(ctx, err) && to > from:
			s.width = (to - from + 1) / 2
			continue
		default:
			return nil, unavailable("read logs from the node", err)
		}
		found = append(found, logs...)
		from = to + 1
		s.width += s.width/8 + 1 // widen the range again, because the node may limit the number of logs instead of blocks
		if s.rescue.options.Progress != nil {
			s.rescue.options.Progress(Progress{Block: to, Last: s.last, Width: s.width})
		}
	}
	return found, nil
}

func (s *scan) rangeOf(ctx context.Context, from, to uint64) ([]types.Log, error) {
	var found []types.Log
	for _, query := range s.queries {
		query.FromBlock, query.ToBlock = new(big.Int).SetUint64(from), new(big.Int).SetUint64(to)
		ask := askOnce[[]types.Log]
		if from == to { // an error is not about the width of the range
			ask = askOwn[[]types.Log]
		}
		logs, err := ask(ctx, s.rescue, func(ctx context.Context) ([]types.Log, error) { return s.rescue.eth.FilterLogs(ctx, query) })
		if err != nil {
			return nil, err
		}
		found = append(found, logs...)
	}
	return found, nil
}

// startBlock returns a block before which the escrow has no logs. If the node has the old state,
// this is the block of the escrow's deployment; otherwise it may be an earlier one.
func (r *Rescue) startBlock(ctx context.Context, last uint64) (uint64, error) {
	if start := r.deployment.StartBlock; start != 0 {
		return min(start, last), nil
	}
	absent, present := uint64(0), last // the contract does not exist before block absent and exists at block present
	for absent < present {
		middle := absent + (present-absent)/2
		code, err := askOwn(ctx, r, func(ctx context.Context) ([]byte, error) {
			return r.eth.CodeAt(ctx, r.deployment.Escrow, new(big.Int).SetUint64(middle))
		})
		if _, rpcErr := errors.AsType[rpc.Error](err); rpcErr {
			return absent, nil // the node has pruned the state at this block and all earlier ones
		}
		switch {
		case err != nil:
			return 0, unavailable("find the escrow's first block through the node", err)
		case len(code) > 0:
			present = middle
		default:
			absent = middle + 1
		}
	}
	return r.confirmed(ctx, present)
}

// confirmed returns the block if it contains the log that the escrow's constructor emits, and 0
// otherwise.
func (r *Rescue) confirmed(ctx context.Context, block uint64) (uint64, error) {
	number := new(big.Int).SetUint64(block)
	logs, err := askOwn(ctx, r, func(ctx context.Context) ([]types.Log, error) {
		return r.eth.FilterLogs(ctx, ethereum.FilterQuery{
			Addresses: []common.Address{r.deployment.Escrow}, FromBlock: number, ToBlock: number,
		})
	})
	if err != nil {
		return 0, unavailable("read logs from the node", err)
	}
	if !node.Deployed(r.contracts, logs) {
		return 0, nil
	}
	return block, nil
}
