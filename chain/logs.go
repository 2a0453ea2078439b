package chain

import (
	"bytes"
	"context"
	"errors"
	"slices"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// errNone stands for a null where an answer was due.
var errNone = errors.New("the answer is null")

func noneOr(err error) error {
	if err == nil {
		return errNone
	}
	return err
}

// logsOf returns the contracts' logs in the block. It asks by hash and not by
// number, because by number a node can answer from two forks at once.
func (p *provider) logsOf(ctx context.Context, h *types.Header, contracts []common.Address) ([]types.Log, error) {
	asking, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	hash := h.Hash()
	logs, err := p.client.FilterLogs(asking, ethereum.FilterQuery{BlockHash: &hash, Addresses: contracts})
	if err != nil {
		return nil, p.errorf("ask for the logs of block %s: %w", h.Number, err)
	}
	if err := p.checkLogs(logs, contracts, map[uint64]*types.Header{h.Number.Uint64(): h}); err != nil {
		return nil, err
	}
	return logs, p.confirm(ctx, h, logs, contracts)
}

// cut keeps the logs of the first blocks, at least of one and else no more than
// most, and returns them with the last block that they are all logs of.
func (p *provider) cut(logs []types.Log, to uint64, most int) ([]types.Log, uint64, error) {
	if len(logs) <= most {
		return logs, to, nil
	}
	n := most
	for n > 0 && logs[n-1].BlockNumber == logs[n].BlockNumber {
		n--
	}
	for n == 0 || n < len(logs) && logs[n-1].BlockNumber == logs[n].BlockNumber {
		n++
	}
	to = logs[n-1].BlockNumber
	for _, log := range logs[n:] {
		if log.BlockNumber <= to {
			return nil, 0, p.contradicts("log %d of block %d comes after a log of block %d", log.Index, log.BlockNumber, logs[n].BlockNumber)
		}
	}
	return slices.Clone(logs[:n]), to, nil
}

// checkLogs refuses logs that do not belong to the contracts and the blocks
// asked for, or are not in the chain's order, each once.
func (p *provider) checkLogs(logs []types.Log, contracts []common.Address, headers map[uint64]*types.Header) error {
	for i, log := range logs {
		h := headers[log.BlockNumber]
		switch {
		case log.Removed:
			return p.contradicts("log %d of block %d is marked as removed", log.Index, log.BlockNumber)
		case h == nil || log.BlockHash != h.Hash():
			return p.contradicts("log %d claims block %d with hash %s, which is not asked for", log.Index, log.BlockNumber, log.BlockHash)
		case !slices.Contains(contracts, log.Address):
			return p.contradicts("log %d of block %d is of %s, which is not asked for", log.Index, log.BlockNumber, log.Address)
		case len(log.Topics) == 0 || !types.BloomLookup(h.Bloom, log.Address) || !types.BloomLookup(h.Bloom, log.Topics[0]):
			return p.contradicts("log %d of block %d is not in the block's bloom filter", log.Index, log.BlockNumber)
		}
		if i == 0 {
			continue
		}
		last := logs[i-1]
		if log.BlockNumber < last.BlockNumber || log.BlockNumber == last.BlockNumber && (log.Index <= last.Index || log.TxIndex < last.TxIndex) {
			return p.contradicts("log %d of block %d comes after log %d of block %d", log.Index, log.BlockNumber, last.Index, last.BlockNumber)
		}
	}
	return nil
}

// confirm compares the logs with the block's receipts when the header's bloom
// filter admits logs of the contracts: a node that does not have the block yet
// answers an empty list as if it had looked.
func (p *provider) confirm(ctx context.Context, h *types.Header, logs []types.Log, contracts []common.Address) error {
	if !slices.ContainsFunc(contracts, func(a common.Address) bool { return types.BloomLookup(h.Bloom, a) }) {
		return nil
	}
	proven, err := p.provenLogs(ctx, []*types.Header{h}, contracts)
	if err != nil {
		return err
	}
	return p.sameLogs(h, logs, proven[h.Hash()])
}

// sameLogs refuses logs of a block that are not those of its receipts.
func (p *provider) sameLogs(h *types.Header, logs, proven []types.Log) error {
	if !slices.EqualFunc(logs, proven, equalLogs) {
		return p.contradicts("%d logs came for block %s, and its receipts hold %d or others", len(logs), h.Number, len(proven))
	}
	return nil
}

func equalLogs(a, b types.Log) bool {
	return a.BlockHash == b.BlockHash && a.Index == b.Index && a.TxHash == b.TxHash && a.TxIndex == b.TxIndex &&
		a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
}
