package chain

import (
	"bytes"
	"context"
	"errors"
	"math/big"
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
	asking, cancel := context.WithTimeout(ctx, callTimeout)
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

// logsIn returns the contracts' logs in a range of blocks, in order, and the
// headers of the blocks that have some and of the last. The range ends early,
// with a block that has logs, where there would be more than most.
func (p *provider) logsIn(ctx context.Context, from, to uint64, contracts []common.Address, most int) ([]types.Log, []*types.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	logs, err := p.client.FilterLogs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(from), ToBlock: new(big.Int).SetUint64(to), Addresses: contracts,
	})
	if err != nil {
		return nil, nil, p.errorf("ask for the logs of blocks %d to %d: %w", from, to, err)
	}
	if logs, to, err = p.cut(logs, to, most); err != nil {
		return nil, nil, err
	}
	numbers := make([]uint64, 0, len(logs)+1)
	for _, log := range logs {
		if log.BlockNumber < from || log.BlockNumber > to {
			return nil, nil, p.errorf("a log of block %d came for blocks %d to %d", log.BlockNumber, from, to)
		}
		numbers = append(numbers, log.BlockNumber)
	}
	numbers = append(numbers, to)
	slices.Sort(numbers)
	headers, err := p.headers(ctx, slices.Compact(numbers))
	if err != nil {
		return nil, nil, err
	}
	byNumber := make(map[uint64]*types.Header, len(headers))
	for _, h := range headers {
		byNumber[h.Number.Uint64()] = h
	}
	return logs, headers, p.checkLogs(logs, contracts, byNumber)
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
			return nil, 0, p.errorf("log %d of block %d comes after a log of block %d", log.Index, log.BlockNumber, logs[n].BlockNumber)
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
			return p.errorf("log %d of block %d is marked as removed", log.Index, log.BlockNumber)
		case h == nil || log.BlockHash != h.Hash():
			return p.errorf("log %d claims block %d with hash %s, which is not asked for", log.Index, log.BlockNumber, log.BlockHash)
		case !slices.Contains(contracts, log.Address):
			return p.errorf("log %d of block %d is of %s, which is not asked for", log.Index, log.BlockNumber, log.Address)
		case len(log.Topics) == 0 || !types.BloomLookup(h.Bloom, log.Address) || !types.BloomLookup(h.Bloom, log.Topics[0]):
			return p.errorf("log %d of block %d is not in the block's bloom filter", log.Index, log.BlockNumber)
		}
		if i == 0 {
			continue
		}
		last := logs[i-1]
		if log.BlockNumber < last.BlockNumber || log.BlockNumber == last.BlockNumber && (log.Index <= last.Index || log.TxIndex < last.TxIndex) {
			return p.errorf("log %d of block %d comes after log %d of block %d", log.Index, log.BlockNumber, last.Index, last.BlockNumber)
		}
	}
	return nil
}

// receipt is as much of a receipt as every chain has: an OP-stack chain's own
// transactions have members and types that go-ethereum does not know.
type receipt struct {
	Logs []*types.Log `json:"logs"`
}

// confirm compares the logs with the block's receipts when the header's bloom
// filter says that there may be logs of ours: a node that does not have the
// block yet answers an empty list as if it had looked. The receipts are
// believed when their own bloom filter is the header's.
func (p *provider) confirm(ctx context.Context, h *types.Header, logs []types.Log, contracts []common.Address) error {
	if !slices.ContainsFunc(contracts, func(a common.Address) bool { return types.BloomLookup(h.Bloom, a) }) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	var receipts []receipt
	if err := p.client.Client().CallContext(ctx, &receipts, "eth_getBlockReceipts", h.Hash()); err != nil {
		return p.errorf("ask for the receipts of block %s: %w", h.Number, err)
	}
	var bloom types.Bloom
	ours := make([]*types.Log, 0, len(logs))
	for _, r := range receipts {
		for _, log := range r.Logs {
			bloom.Add(log.Address.Bytes())
			for _, topic := range log.Topics {
				bloom.Add(topic.Bytes())
			}
			if slices.Contains(contracts, log.Address) {
				ours = append(ours, log)
			}
		}
	}
	if bloom != h.Bloom {
		return p.errorf("the receipts of block %s do not make its bloom filter", h.Number)
	}
	same := slices.EqualFunc(ours, logs, func(a *types.Log, b types.Log) bool {
		return a.Index == b.Index && a.TxHash == b.TxHash && a.TxIndex == b.TxIndex && a.Address == b.Address &&
			slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
	})
	if !same {
		return p.errorf("%d logs came for block %s, whose receipts hold %d", len(logs), h.Number, len(ours))
	}
	return nil
}
