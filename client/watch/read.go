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

// errRefused means that the node returned an error in its response.
var errRefused = errors.New("the node returned an error")

// reading is a node's response for one block range.
type reading struct {
	logs  []types.Log
	end   mark
	reorg bool // the chain has a different block at the newest mark
}

// read requests the contracts' logs in a range, the range's last block and the newest mark's block.
// It uses one batch, because several nodes with different blocks may share one URL: a node without
// the end of the range would return an empty list of logs.
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
		return nil, fmt.Errorf("read %s from the node: %w: %w", what, errRefused, err)
	case logs == nil || end == nil || uint64(end.Number) != to:
		return nil, fmt.Errorf("read %s from the node: it does not have them yet", what)
	}
	return &reading{
		logs: logs, end: mark{Number: to, Hash: end.Hash},
		reorg: ok && before != nil && before.Hash != newest.Hash,
	}, nil
}

// wireBlock contains the fields that blocks have on all chains. The hash is not verified, because
// not every chain hashes headers as Ethereum does.
type wireBlock struct {
	Number hexutil.Uint64 `json:"number"`
	Hash   common.Hash    `json:"hash"`
}

// readBlock reads a block by its number.
func readBlock(ctx context.Context, n *node.Node, number uint64) (*mark, error) {
	var b *wireBlock
	if err := n.Client.Client().CallContext(ctx, &b, "eth_getBlockByNumber", hexutil.Uint64(number), false); err != nil {
		return nil, err
	}
	if b == nil {
		return nil, fmt.Errorf("the node has no block %d", number)
	}
	return &mark{Number: number, Hash: b.Hash}, nil
}

// txInBlock identifies a transaction in one block. The response for a range can contain the same
// transaction twice, from two forks.
type txInBlock struct{ block, tx common.Hash }

// events decodes the logs in a range and returns the stream's events in the chain's order. The list
// of logs may have gaps, repetitions or a wrong order, because each event has its own key and a
// later pass finds missing events. A log from a block outside the range is an error.
func (w *watcher) events(logs []types.Log, from uint64, end mark) ([]Event, error) {
	slices.SortStableFunc(logs, func(a, b types.Log) int {
		return cmp.Or(cmp.Compare(a.BlockNumber, b.BlockNumber), cmp.Compare(a.Index, b.Index))
	})
	logs = slices.CompactFunc(logs, func(a, b types.Log) bool { return a.BlockHash == b.BlockHash && a.Index == b.Index })
	transactions := map[txInBlock]*transaction{}
	var order []*transaction
	for _, log := range logs {
		if log.BlockNumber < from || log.BlockNumber > end.Number || log.BlockNumber == end.Number && log.BlockHash != end.Hash {
			return nil, fmt.Errorf("the node returned a log of block %d, %s, which was not requested", log.BlockNumber, log.BlockHash)
		}
		at := txInBlock{log.BlockHash, log.TxHash}
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
		events = append(events, tx.ofAgent(w.options.Agent)...)
	}
	return events, nil
}
