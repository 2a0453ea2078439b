package rpc

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"slices"
	"sync"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"golang.org/x/sync/errgroup"

	"taskmarket/chain/internal/receipt"
	"taskmarket/chain/internal/wire"
)

// receiptsPerBatch is small enough that the receipts of a batch of full blocks stay below
// maxAnswer.
const receiptsPerBatch = 8

// concurrentBatches is the number of batches that are requested at once for one range. A second one
// is in flight while the first one is decoded and verified. More batches would need more memory,
// because each answer can take maxAnswer bytes.
const concurrentBatches = 2

// errNull is returned for a null result where a value is required.
var errNull = errors.New("the answer is null")

func nullOr(err error) error {
	if err == nil {
		return errNull
	}
	return err
}

// LogsOf returns the contracts' logs in the block. It requests them by block hash, because a node
// can return logs from two forks in one response to a request by number.
func (p *Provider) LogsOf(ctx context.Context, h *types.Header, contracts []common.Address) ([]types.Log, error) {
	asking, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	hash := h.Hash()
	logs, err := p.client.FilterLogs(asking, ethereum.FilterQuery{BlockHash: &hash, Addresses: contracts})
	if err != nil {
		return nil, p.Errorf("read the logs of block %s: %w", h.Number, err)
	}
	if err := p.CheckLogs(logs, contracts, map[uint64]*types.Header{h.Number.Uint64(): h}); err != nil {
		return nil, err
	}
	return logs, p.confirm(ctx, h, logs, contracts)
}

// LimitLogs returns the logs of the first blocks, and the last of these blocks. It returns no more
// logs than limit, unless the first block by itself has more.
func (p *Provider) LimitLogs(logs []types.Log, to uint64, limit int) ([]types.Log, uint64, error) {
	if len(logs) <= limit {
		return logs, to, nil
	}
	n := limit
	for n > 0 && logs[n-1].BlockNumber == logs[n].BlockNumber {
		n--
	}
	for n == 0 || n < len(logs) && logs[n-1].BlockNumber == logs[n].BlockNumber {
		n++
	}
	to = logs[n-1].BlockNumber
	for _, log := range logs[n:] {
		if log.BlockNumber <= to {
			return nil, 0, p.Contradictionf("log %d of block %d is out of order", log.Index, log.BlockNumber)
		}
	}
	return slices.Clone(logs[:n]), to, nil
}

// CheckLogs rejects logs of contracts or blocks that were not requested, and logs that are repeated
// or out of order.
func (p *Provider) CheckLogs(logs []types.Log, contracts []common.Address, headers map[uint64]*types.Header) error {
	var block bloomChecks
	for i, log := range logs {
		h := headers[log.BlockNumber]
		if h != nil && block.header != h {
			block = bloomChecks{header: h, hash: h.Hash(), matched: make(map[emitter]bool)}
		}
		switch {
		case log.Removed:
			return p.Contradictionf("log %d of block %d is marked as removed", log.Index, log.BlockNumber)
		case h == nil || log.BlockHash != block.hash:
			return p.Contradictionf("log %d belongs to block %d with hash %s, which was not requested", log.Index, log.BlockNumber, log.BlockHash)
		case !slices.Contains(contracts, log.Address):
			return p.Contradictionf("log %d of block %d was emitted by contract %s, which was not requested", log.Index, log.BlockNumber, log.Address)
		case !block.match(log):
			return p.Contradictionf("log %d of block %d is not in the block's bloom filter", log.Index, log.BlockNumber)
		}
		if i == 0 {
			continue
		}
		last := logs[i-1]
		if log.BlockNumber < last.BlockNumber || log.BlockNumber == last.BlockNumber && (log.Index <= last.Index || log.TxIndex < last.TxIndex) {
			return p.Contradictionf("log %d of block %d comes after log %d of block %d", log.Index, log.BlockNumber, last.Index, last.BlockNumber)
		}
	}
	return nil
}

// emitter identifies the contract and the event of a log.
type emitter struct {
	address common.Address
	event   common.Hash
}

// bloomChecks looks up the logs of one block in its bloom filter. It caches the results, because the
// same few events occur many times in a block and each look-up computes two hashes.
type bloomChecks struct {
	header  *types.Header
	hash    common.Hash
	matched map[emitter]bool
}

func (c *bloomChecks) match(log types.Log) bool {
	if len(log.Topics) == 0 {
		return false
	}
	e := emitter{log.Address, log.Topics[0]}
	if !c.matched[e] {
		c.matched[e] = types.BloomLookup(c.header.Bloom, e.address) && types.BloomLookup(c.header.Bloom, e.event)
	}
	return c.matched[e]
}

// confirm compares the logs with the block's receipts if the header's bloom filter matches the
// contracts. A node that does not have the block yet returns an empty list without an error.
func (p *Provider) confirm(ctx context.Context, h *types.Header, logs []types.Log, contracts []common.Address) error {
	if !slices.ContainsFunc(contracts, func(a common.Address) bool { return types.BloomLookup(h.Bloom, a) }) {
		return nil
	}
	proven, err := p.ProvenLogs(ctx, []*types.Header{h}, contracts)
	if err != nil {
		return err
	}
	return p.SameLogs(h, logs, proven[h.Hash()])
}

// SameLogs rejects logs that differ from those in the block's receipts.
func (p *Provider) SameLogs(h *types.Header, logs, proven []types.Log) error {
	if !slices.EqualFunc(logs, proven, EqualLogs) {
		return p.Contradictionf("received %d logs of block %s that differ from the %d in its receipts", len(logs), h.Number, len(proven))
	}
	return nil
}

// LogsOfRange requests the contracts' logs in a range of blocks.
func (p *Provider) LogsOfRange(ctx context.Context, from, to uint64, contracts []common.Address) ([]types.Log, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	var logs []types.Log
	err := p.bulk(ctx, bulkCall{
		method: "eth_getLogs",
		params: []any{map[string]any{
			"fromBlock": hexutil.EncodeUint64(from), "toBlock": hexutil.EncodeUint64(to), "address": contracts,
		}},
		read: func(r *wire.Reader) { logs = r.Logs() },
	})
	if err != nil {
		return nil, p.Errorf("read the logs of blocks %d to %d: %w", from, to, err)
	}
	for _, log := range logs {
		if log.BlockNumber < from || log.BlockNumber > to {
			return nil, p.Contradictionf("received a log of block %d in the response for blocks %d to %d", log.BlockNumber, from, to)
		}
	}
	return logs, nil
}

// EqualLogs reports whether two logs have the same position and content.
func EqualLogs(a, b types.Log) bool {
	return a.BlockHash == b.BlockHash && a.Index == b.Index && a.TxHash == b.TxHash && a.TxIndex == b.TxIndex &&
		a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
}

const (
	// searchRange is the number of blocks that SearchLogs requests at once.
	searchRange = 2_000
	// maxFound is the largest number of logs in one search. A record has few logs, but a dishonest
	// provider can invent any number.
	maxFound = 1_000
)

// LogQuery selects the logs of one contract whose first indexed argument is
// Topic, in the blocks From to To.
type LogQuery struct {
	Contract common.Address
	Topic    common.Hash
	From, To uint64
}

// SearchLogs reads the logs that match a query from every provider and passes each provider's logs to
// found. A log outside the query, more than maxFound logs, and a search that takes too long (see searchLogs)
// are errors of the provider; the logs are not verified otherwise. SearchLogs returns an error only if all
// providers failed.
func (n *Node) SearchLogs(ctx context.Context, q LogQuery, found func(logs []types.Log)) error {
	if !n.connected.Load() {
		return unavailable("search logs", errNotConnected)
	}
	var failed []error
	providers := n.FromCurrent()
	for _, p := range providers {
		err := n.Check(ctx, p)
		if err == nil {
			var logs []types.Log
			if logs, err = p.searchLogs(ctx, q); err == nil {
				found(logs)
				continue
			}
		}
		failed = append(failed, err)
	}
	if len(failed) < len(providers) {
		return nil
	}
	return errors.Join(failed...)
}

// searchLogs reads the logs of a query, one range after the other. All ranges together take at most
// BatchTimeout, and a quarter of CallTimeout for each range.
//
// Example: with the default timeouts, a search of 100,000 blocks ends after 30 s + 50 * 2.5 s = 155 s.
func (p *Provider) searchLogs(ctx context.Context, q LogQuery) ([]types.Log, error) {
	ranges := (q.To - min(q.From, q.To)) / searchRange
	limit := p.options.BatchTimeout + time.Duration(ranges+1)*p.options.CallTimeout/4 //nolint:gosec // block numbers are at most MaxBlock
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var found []types.Log
	for from := q.From; from <= q.To; from += searchRange {
		to := min(from+searchRange-1, q.To)
		logs, err := within(ctx, p.options.BatchTimeout, func(ctx context.Context) ([]types.Log, error) {
			return p.client.FilterLogs(ctx, ethereum.FilterQuery{
				FromBlock: new(big.Int).SetUint64(from), ToBlock: new(big.Int).SetUint64(to),
				Addresses: []common.Address{q.Contract}, Topics: [][]common.Hash{nil, {q.Topic}},
			})
		})
		if err != nil {
			return nil, p.Errorf("search the logs of blocks %d to %d: %w", from, to, err)
		}
		for _, log := range logs {
			if log.Removed || log.BlockNumber < from || log.BlockNumber > to ||
				log.Address != q.Contract || len(log.Topics) < 2 || log.Topics[1] != q.Topic {
				return nil, p.Contradictionf("search the logs of blocks %d to %d: log %d of block %d was not requested", from, to, log.Index, log.BlockNumber)
			}
		}
		if found = append(found, logs...); len(found) > maxFound {
			return nil, p.Errorf("search the logs of blocks %d to %d: received more than %d logs", q.From, q.To, maxFound)
		}
	}
	return found, nil
}

// ProvenLogs reads the blocks by hash with their receipts and returns the contracts' logs in each,
// by block hash. The transaction hashes are unproven: the receipts root does not commit to them.
func (p *Provider) ProvenLogs(ctx context.Context, blocks []*types.Header, contracts []common.Address) (map[common.Hash][]types.Log, error) {
	var mu sync.Mutex
	proven := make(map[common.Hash][]types.Log, len(blocks))
	batches, ctx := errgroup.WithContext(ctx)
	batches.SetLimit(concurrentBatches)
	for chunk := range slices.Chunk(blocks, receiptsPerBatch) {
		batches.Go(func() error {
			return p.proveChunk(ctx, chunk, contracts, func(block common.Hash, logs []types.Log) {
				mu.Lock()
				defer mu.Unlock()
				proven[block] = logs
			})
		})
	}
	return proven, batches.Wait() //nolint:wrapcheck // names the provider already
}

// proveChunk calls proven with the contracts' logs in each block.
func (p *Provider) proveChunk(
	ctx context.Context, blocks []*types.Header, contracts []common.Address, proven func(block common.Hash, logs []types.Log),
) error {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	answers, calls := make([]receipt.List, len(blocks)), make([]bulkCall, len(blocks))
	for i, h := range blocks {
		calls[i] = bulkCall{
			method: "eth_getBlockReceipts", params: []any{h.Hash()},
			read: func(r *wire.Reader) { answers[i] = receipt.Decode(r) },
		}
	}
	if err := p.bulk(ctx, calls...); err != nil {
		return p.Errorf("read the receipts of %d blocks from %s: %w", len(blocks), blocks[0].Number, err)
	}
	for i, h := range blocks {
		if !answers[i].ProvenBy(h) {
			return p.Contradictionf("the receipts of block %s do not match its receipts root", h.Number)
		}
		proven(h.Hash(), answers[i].LogsOf(h, contracts))
		answers[i] = nil // frees the memory for the next receipts
	}
	return nil
}
