package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/client/internal/node"
)

// errRefused says that the node answered, but not what it was asked for.
var errRefused = errors.New("the node refused")

// reading is a node's answer about a range of blocks.
type reading struct {
	logs   []types.Log
	end    mark
	turned bool // the chain has another block where one was read before
}

// read asks, in one batch, for the contracts' logs in a range, for the block at
// its end and for the newest block that was read before. In one batch, because
// not all nodes behind one address have the same blocks: the empty list of one
// that does not have the range's end would pass for the truth.
func (w *watcher) read(ctx context.Context, from, to uint64) (*reading, error) {
	var logs []types.Log
	var end, before *wireBlock
	newest, ok := w.cursor.state.newest()
	if !ok {
		newest.Number = to
	}
	query := map[string]any{
		"fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to),
		"address": []common.Address{w.deployment.Escrow, w.deployment.Staking},
	}
	batch := []rpc.BatchElem{
		{Method: "eth_getBlockByNumber", Args: []any{hexutil.Uint64(newest.Number), false}, Result: &before},
		{Method: "eth_getLogs", Args: []any{query}, Result: &logs},
		{Method: "eth_getBlockByNumber", Args: []any{hexutil.Uint64(to), false}, Result: &end},
	}
	what := fmt.Sprintf("the logs of blocks %d to %d", from, to)
	_, err := node.Read(ctx, w.node, what, func(ctx context.Context) (any, error) {
		return nil, w.node.Client.Client().BatchCallContext(ctx, batch)
	})
	if err != nil {
		return nil, err
	}
	switch err := batch[1].Error; {
	case err != nil:
		return nil, fmt.Errorf("ask the node for %s: %w: %w", what, errRefused, err)
	case logs == nil || end == nil || uint64(end.Number) != to:
		return nil, fmt.Errorf("ask the node for %s: it does not have them yet", what)
	}
	return &reading{
		logs: logs, end: mark{Number: to, Hash: end.Hash},
		turned: ok && before != nil && before.Hash != newest.Hash,
	}, nil
}

// wireBlock is as much of a block as every chain has. Its hash is the node's
// word: not every chain's header hashes as Ethereum's does.
type wireBlock struct {
	Number hexutil.Uint64 `json:"number"`
	Hash   common.Hash    `json:"hash"`
}

// readBlock asks for a block by its number.
func readBlock(ctx context.Context, n *node.Node, number uint64) (*mark, error) {
	var b *wireBlock
	if err := n.Client.Client().CallContext(ctx, &b, "eth_getBlockByNumber", hexutil.Uint64(number), false); err != nil {
		return nil, err
	}
	if b == nil {
		return nil, fmt.Errorf("it has no block %d", number)
	}
	return &mark{Number: number, Hash: b.Hash}, nil
}

// place is a transaction in one block: an answer about a range may hold the same
// one twice, from two forks.
type place struct{ block, tx common.Hash }

// events decodes the logs of a range and keeps those of the stream, in the
// chain's order. It believes a list that has gaps, repetitions or another order:
// each event is known by itself, and what is missing comes with a later look. It
// refuses logs of other blocks than it asked for.
func (w *watcher) events(logs []types.Log, from uint64, end mark) ([]Event, error) {
	slices.SortStableFunc(logs, func(a, b types.Log) int {
		return cmp.Or(cmp.Compare(a.BlockNumber, b.BlockNumber), cmp.Compare(a.Index, b.Index))
	})
	logs = slices.CompactFunc(logs, func(a, b types.Log) bool { return a.BlockHash == b.BlockHash && a.Index == b.Index })
	transactions := map[place]*transaction{}
	var order []*transaction
	for _, log := range logs {
		if log.BlockNumber < from || log.BlockNumber > end.Number || log.BlockNumber == end.Number && log.BlockHash != end.Hash {
			return nil, fmt.Errorf("the node answered a log of block %d, %s, which it was not asked for", log.BlockNumber, log.BlockHash)
		}
		at := place{log.BlockHash, log.TxHash}
		if transactions[at] == nil {
			transactions[at] = &transaction{}
			order = append(order, transactions[at])
		}
		if !log.Removed {
			transactions[at].add(log, w.contracts)
		}
	}
	var events []Event
	for _, tx := range order {
		events = append(events, tx.of(w.options.Agent)...)
	}
	return events, nil
}
