package follow

import (
	"context"
	"math/bits"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/rpc"
)

// fullBloom is the number of set bits, out of 2,048, at which a bloom filter matches too often by
// chance. Each value sets three bits, so with 768 bits set, a value matches by chance with a probability of
// (768/2048)³ ≈ 5%. About one in eight blocks without a log of the contracts then matches both a
// contract's address and one of its events.
const fullBloom = 768

// blockRange contains the consecutive blocks from..to as read from one provider, with the
// contracts' logs in them.
type blockRange struct {
	headers []*types.Header
	logs    []types.Log
}

// readRange reads a range of finalized blocks and verifies it, so that an omitted log is detected:
//
//  1. The headers of all blocks build on each other.
//  2. A block with logs, or whose bloom filter matches the contracts, is read again by hash. Its
//     receipts must hash to the header's receipts root and contain exactly these logs.
//  3. A block without logs whose bloom filter is too full to exclude them needs a second answer:
//     another provider's, or a repeated request to the same provider if there is no other. The
//     blocks in which the answers differ are verified as in 2.
//
// If the range contains more logs than maxLogs, it ends early, with a block that has
// logs.
//
// Example: blocks 100 to 2,099 contain logs in 150 and 1,200. The filter of 1,500 has 300 bits set
// and matches by chance: the receipts of 150, 1,200 and 1,500 are read. The filter of 1,700 has 900
// bits set and also matches: the logs of the whole range are requested again. If the second answer
// has a log in 1,700, the receipts of 1,700 decide.
//
// The package comment lists what a single provider can still hide.
func (w *Watcher) readRange(ctx context.Context, p *rpc.Provider, from, to uint64, maxLogs int) (blockRange, error) {
	logs, err := p.LogsOfRange(ctx, from, to, w.addresses)
	if err != nil {
		return blockRange{}, err
	}
	if logs, to, err = p.LimitLogs(logs, to, maxLogs); err != nil {
		return blockRange{}, err
	}
	headers, err := p.Chain(ctx, from, to)
	if err != nil {
		return blockRange{}, err
	}
	r := blockRange{headers: headers, logs: logs}
	if err := p.CheckLogs(logs, w.addresses, r.byNumber()); err != nil {
		return blockRange{}, err
	}
	return r, w.verify(ctx, p, r)
}

func (r blockRange) byNumber() map[uint64]*types.Header {
	headers := make(map[uint64]*types.Header, len(r.headers))
	for _, h := range r.headers {
		headers[h.Number.Uint64()] = h
	}
	return headers
}

// byBlock groups the logs by the hashes of their blocks.
func (r blockRange) byBlock() map[common.Hash][]types.Log { return splitLogs(r.logs) }

func splitLogs(logs []types.Log) map[common.Hash][]types.Log {
	split := make(map[common.Hash][]types.Log)
	for _, log := range logs {
		split[log.BlockHash] = append(split[log.BlockHash], log)
	}
	return split
}

// verify compares the range's logs with what the headers commit to.
func (w *Watcher) verify(ctx context.Context, p *rpc.Provider, r blockRange) error {
	logs := r.byBlock()
	var candidates []*types.Header
	undecided := false
	for _, h := range r.headers {
		switch {
		case len(logs[h.Hash()]) > 0:
			candidates = append(candidates, h)
		case !w.contracts.MayContainLogs(h.Bloom):
		case bitCount(h.Bloom) < fullBloom:
			candidates = append(candidates, h)
		default:
			undecided = true
		}
	}
	if undecided {
		disputed, err := w.secondAnswer(ctx, p, r)
		if err != nil {
			return err
		}
		for _, h := range disputed {
			if !slices.Contains(candidates, h) {
				candidates = append(candidates, h)
			}
		}
	}
	return w.verifyBlocks(ctx, p, candidates, logs)
}

// verifyBlocks compares the blocks' logs with their receipts.
func (w *Watcher) verifyBlocks(ctx context.Context, p *rpc.Provider, blocks []*types.Header, logs map[common.Hash][]types.Log) error {
	proven, err := p.ProvenLogs(ctx, blocks, w.addresses)
	if err != nil {
		return err
	}
	for _, h := range blocks {
		if err := p.SameLogs(h, logs[h.Hash()], proven[h.Hash()]); err != nil {
			return err
		}
	}
	return nil
}

// secondAnswer requests the range's logs again and returns the blocks for which the two responses
// differ. It uses another provider if one has the last block of the range, and p otherwise.
func (w *Watcher) secondAnswer(ctx context.Context, p *rpc.Provider, r blockRange) ([]*types.Header, error) {
	first, last := r.headers[0], r.headers[len(r.headers)-1]
	from, to := first.Number.Uint64(), last.Number.Uint64()
	witness := w.node.OtherProvider(ctx, p, last.Hash())
	if witness == nil {
		witness = p
	}
	again, err := witness.LogsOfRange(ctx, from, to, w.addresses)
	if err != nil {
		if witness != p && ctx.Err() == nil {
			witness.Fault(err) // the next attempt uses another provider
		}
		return nil, err
	}
	was, is := r.byBlock(), splitLogs(again)
	var disputed []*types.Header
	for _, h := range r.headers {
		if !slices.EqualFunc(was[h.Hash()], is[h.Hash()], rpc.EqualLogs) {
			disputed = append(disputed, h)
		}
	}
	return disputed, nil
}

func bitCount(bloom types.Bloom) int {
	n := 0
	for _, b := range bloom {
		n += bits.OnesCount8(b)
	}
	return n
}
