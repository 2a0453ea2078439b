package rpc

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"golang.org/x/sync/errgroup"

	"taskmarket/market"
)

// headersPerBatch is within the batch limits of public providers.
const headersPerBatch = 100

// latestTime is the end of the year 9999, as a Unix time. RFC 3339, the format of times in the API, cannot
// represent later ones.
const latestTime = 253_402_300_799

// MaxBlock is the highest block number that is accepted from a provider. No chain reaches it, so a
// provider that reports a higher one is at fault.
const MaxBlock = 1 << 53

// Levels are the numbers of the highest safe and the highest finalized block.
type Levels struct{ Safe, Finalized uint64 }

// View is a provider's state of the chain at one moment.
type View struct {
	Levels // each is 0 if the provider does not report it

	Latest uint64
	At     time.Time     // time of the latest block
	Cursor *types.Header // block at the cursor's number; nil if it is above the head
	Next   *types.Header // block after the cursor; nil if it is above the head
}

// ReadView reads everything that a step depends on, in one batch.
func (p *Provider) ReadView(ctx context.Context, cursor uint64) (View, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	headers := make([]*types.Header, 5)
	batch := make([]rpc.BatchElem, 5)
	for i, block := range []string{"latest", "safe", "finalized", hexutil.EncodeUint64(cursor), hexutil.EncodeUint64(cursor + 1)} {
		batch[i] = rpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{block, false}, Result: &headers[i]}
	}
	if err := p.client.Client().BatchCallContext(ctx, batch); err != nil {
		return View{}, p.Errorf("read the head: %w", err)
	}
	if err := batch[0].Error; err != nil || headers[0] == nil {
		return View{}, p.Errorf("read the latest block: %w", nullOr(err))
	}
	v := View{Latest: headers[0].Number.Uint64(), At: time.Unix(int64(min(headers[0].Time, latestTime)), 0)}
	// A node that does not support a block tag returns an error. The level then remains unchanged.
	v.Levels = Levels{Safe: numberOf(headers[1]), Finalized: numberOf(headers[2])}
	if v.Safe > v.Latest || v.Finalized > v.Latest {
		return View{}, p.Errorf("read the head: safe block %d or finalized block %d is above the latest block %d", v.Safe, v.Finalized, v.Latest)
	}
	var err error
	if v.Cursor, err = p.checkHeader(headers[3], batch[3].Error, cursor, v.Latest); err != nil {
		return View{}, err
	}
	v.Next, err = p.checkHeader(headers[4], batch[4].Error, cursor+1, v.Latest)
	return v, err
}

// checkHeader returns a header after checking its number and time. It returns nil for a number
// above the head, and an error if the header is missing at or below the head.
func (p *Provider) checkHeader(h *types.Header, failed error, number, latest uint64) (*types.Header, error) {
	switch {
	case number > latest:
		return nil, nil
	case failed != nil || h == nil:
		return nil, p.Errorf("read block %d: %w", number, nullOr(failed))
	case !h.Number.IsUint64() || h.Number.Uint64() != number:
		return nil, p.Errorf("read block %d: received block %s", number, h.Number)
	case h.Time > latestTime:
		return nil, p.Errorf("read block %d: invalid time %d", number, h.Time)
	}
	return h, nil
}

// headers reads the headers of the blocks with these numbers. A missing header is an error.
func (p *Provider) headers(ctx context.Context, numbers []uint64) ([]*types.Header, error) {
	headers := make([]*types.Header, len(numbers))
	batches, ctx := errgroup.WithContext(ctx)
	batches.SetLimit(concurrentBatches)
	for from := 0; from < len(numbers); from += headersPerBatch {
		to := min(from+headersPerBatch, len(numbers))
		batches.Go(func() error { return p.headerBatch(ctx, numbers[from:to], headers[from:to]) })
	}
	return headers, batches.Wait() //nolint:wrapcheck // names the provider already
}

func (p *Provider) headerBatch(ctx context.Context, numbers []uint64, headers []*types.Header) error {
	ctx, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
	defer cancel()
	batch := make([]rpc.BatchElem, len(numbers))
	for i, number := range numbers {
		batch[i] = rpc.BatchElem{
			Method: "eth_getBlockByNumber", Args: []any{hexutil.EncodeUint64(number), false}, Result: &headers[i],
		}
	}
	if err := p.client.Client().BatchCallContext(ctx, batch); err != nil {
		return p.Errorf("read %d headers from block %d: %w", len(numbers), numbers[0], err)
	}
	for i, number := range numbers {
		if _, err := p.checkHeader(headers[i], batch[i].Error, number, number); err != nil {
			return err
		}
	}
	return nil
}

// Chain reads the headers of all blocks from..to and checks that each builds on the one before.
func (p *Provider) Chain(ctx context.Context, from, to uint64) ([]*types.Header, error) {
	numbers := make([]uint64, 0, to-from+1)
	for number := from; number <= to; number++ {
		numbers = append(numbers, number)
	}
	headers, err := p.headers(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(headers); i++ {
		if headers[i].ParentHash != headers[i-1].Hash() {
			return nil, p.Contradictionf("block %s does not build on block %s", headers[i].Number, headers[i-1].Number)
		}
	}
	return headers, nil
}

// HeaderAt reads the header at a number that is at or below the head reported by the provider. A
// null result is a fault of the provider and not a reorg: the servers behind one URL can lag by
// different numbers of blocks.
func (p *Provider) HeaderAt(ctx context.Context, number uint64) (*types.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	var h *types.Header
	err := p.client.Client().CallContext(ctx, &h, "eth_getBlockByNumber", hexutil.EncodeBig(new(big.Int).SetUint64(number)), false)
	if err != nil {
		return nil, p.Errorf("read block %d: %w", number, err)
	}
	return p.checkHeader(h, nil, number, number)
}

func numberOf(h *types.Header) uint64 {
	if h == nil || !h.Number.IsUint64() {
		return 0
	}
	return h.Number.Uint64()
}

// BlockOf returns the block of a header. The hash is computed from the header, not taken from the
// node.
func BlockOf(h *types.Header) market.Block {
	return market.Block{
		Number: h.Number.Uint64(),
		Hash:   h.Hash(),
		Parent: h.ParentHash,
		Time:   time.Unix(int64(min(h.Time, latestTime)), 0).UTC(),
	}
}

// Latest reads the latest block's header. Every chain has one, so null is a fault of the node.
func Latest(ctx context.Context, client *ethclient.Client) (*types.Header, error) {
	head, err := client.HeaderByNumber(ctx, nil)
	switch {
	case errors.Is(err, ethereum.NotFound):
		return nil, errNull
	case err != nil:
		return nil, err
	case !head.Number.IsUint64() || head.Number.Uint64() > MaxBlock || head.Time > latestTime:
		return nil, fmt.Errorf("%w: the latest block has the invalid number %s or time %d", ErrInvalidAnswer, head.Number, head.Time)
	}
	return head, nil
}
