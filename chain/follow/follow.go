package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// follow takes the next step on one provider's view of the chain:
//
//  1. If the provider has another block or none at the cursor's number, see diverged.
//  2. If there is no next block, only raise the safe and finalized levels.
//  3. If more than one following block is finalized, follow a range of blocks.
//  4. Otherwise, follow only the next block.
//
// Example: the cursor is at block 100 and the provider reports latest 5,000 and finalized 4,936.
// Step 3 follows 101 to 2,100, then 2,101 to 4,100, then 4,101 to 4,936. Step 4 then follows 4,937
// to 5,000 one by one, because these blocks may still be reorganised. At 5,000, step 2 returns
// CaughtUp.
func (w *Watcher) follow(ctx context.Context, p *rpc.Provider, cursor market.Cursor) (Outcome, error) {
	v, err := p.ReadView(ctx, cursor.Block.Number)
	if err != nil {
		return Outcome{}, err
	}
	started := cursor.Block.Hash != common.Hash{}
	if started && (v.Cursor == nil || v.Cursor.Hash() != cursor.Block.Hash) {
		w.prefetched.drop()
		return w.diverged(ctx, p, cursor, v)
	}
	w.belowSince, w.forkSince = zeroTime, zeroTime
	if err := w.checkBehind(ctx, p, cursor, v); err != nil {
		return Outcome{}, err
	}
	agreed := w.agreedLevels(ctx, p, cursor, v)
	step := market.Step{Safe: max(cursor.Safe, agreed.Safe), Finalized: max(cursor.Finalized, agreed.Finalized)}
	next, head := cursor.Block.Number+1, v.Latest
	switch {
	case next > head:
		w.checkStalled(p, v)
		return w.raiseLevels(ctx, p, cursor, step, v)
	case next < min(step.Finalized, head) && w.rangeSize > 1:
		return w.followRange(ctx, p, cursor, step, v)
	}
	return w.followBlock(ctx, p, cursor, step, v)
}

// checkStalled marks a provider as failed if its head has not risen within StallTimeout, so that
// the next step uses another one.
func (w *Watcher) checkStalled(p *rpc.Provider, v rpc.View) {
	now := time.Now()
	switch {
	case v.Latest > w.head:
		w.head, w.headSince = v.Latest, now
	case now.Sub(w.headSince) > w.options.StallTimeout:
		w.headSince = now
		w.fail(p, nil)
	}
}

// raiseLevels commits levels that have risen without a new block.
func (w *Watcher) raiseLevels(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step, v rpc.View) (Outcome, error) {
	outcome := Outcome{Progress: CaughtUp, Head: v.Latest, Block: cursor.Block}
	step = limitLevels(cursor, step)
	if step.Safe == cursor.Safe && step.Finalized == cursor.Finalized {
		return outcome, nil
	}
	if err := w.commit(ctx, p, cursor, step); err != nil {
		return Outcome{}, fmt.Errorf("raise the safe block to %d and the finalized block to %d: %w", step.Safe, step.Finalized, err)
	}
	return outcome, nil
}

// followBlock follows the one block after the cursor.
func (w *Watcher) followBlock(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step, v rpc.View) (Outcome, error) {
	w.prefetched.drop()
	if err := w.checkParent(p, cursor, v.Next); err != nil {
		return Outcome{}, err
	}
	logs, err := p.LogsOf(ctx, v.Next, w.addresses)
	if err != nil {
		return Outcome{}, err
	}
	if w.rangeSize < w.options.Range {
		w.rangeSize++
	}
	step.Blocks = []market.Block{rpc.BlockOf(v.Next)}
	if step.Logs, err = w.read(logs, step.Blocks); err != nil {
		return Outcome{}, err
	}
	if err := setCallers(ctx, p, step.Logs); err != nil {
		return Outcome{}, err
	}
	return w.advance(ctx, p, cursor, step, v)
}

// followRange follows finalized blocks. The number of blocks per request is halved after an error
// and adjusted after a success (see resize). The next ranges are read while this one is committed.
func (w *Watcher) followRange(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step, v rpc.View) (Outcome, error) {
	if err := w.checkParent(p, cursor, v.Next); err != nil {
		return Outcome{}, err
	}
	next, end := cursor.Block.Number+1, min(step.Finalized, v.Latest)
	for w.rangeSize > 1 {
		fetched := w.prefetched.first(p, next)
		if fetched == nil {
			fetched = w.open(ctx, p, next, end)
		}
		err := fetched.wait(ctx)
		if err == nil {
			w.prefetched.pop()
			if fetched.end < fetched.to { // the prefetched ranges start too late
				w.prefetched.drop()
			}
			w.resize(fetched)
			w.readAhead(ctx, p, fetched.end+1, end)
			return w.followPrefetch(ctx, p, cursor, step, fetched, v)
		}
		w.prefetched.drop()
		if ctx.Err() != nil || errors.Is(err, rpc.ErrContradiction) {
			return Outcome{}, err
		}
		w.rangeSize, w.cautious = w.rangeSize/2, true
		w.log.DebugContext(ctx, "halving the range after an error", slog.Any("err", err), slog.Uint64("blocks", w.rangeSize))
	}
	return w.followBlock(ctx, p, cursor, step, v)
}

func (w *Watcher) followPrefetch(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step, fetched *prefetch, v rpc.View) (Outcome, error) {
	if started := cursor.Block.Hash != (common.Hash{}); started && fetched.parent != cursor.Block.Hash {
		return Outcome{}, p.Contradictionf("block %d does not build on block %d", fetched.from, cursor.Block.Number)
	}
	if fetched.unknown != nil {
		return Outcome{}, fetched.unknown
	}
	step.Blocks, step.Logs = fetched.blocks, fetched.logs
	if err := w.checkCounts(ctx, p, cursor, step); err != nil {
		return Outcome{}, err
	}
	return w.advance(ctx, p, cursor, step, v)
}

// checkParent rejects a next block that does not build on the cursor's block: the provider is
// inconsistent, or a reorg happened mid-request.
func (w *Watcher) checkParent(p *rpc.Provider, cursor market.Cursor, next *types.Header) error {
	started := cursor.Block.Hash != common.Hash{}
	if started && next.ParentHash != cursor.Block.Hash {
		return p.Errorf("block %s does not build on block %d", next.Number, cursor.Block.Number)
	}
	return nil
}

func (w *Watcher) advance(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step, v rpc.View) (Outcome, error) {
	last := step.Blocks[len(step.Blocks)-1]
	if err := w.commit(ctx, p, cursor, limitLevels(cursor, step)); err != nil {
		return Outcome{}, fmt.Errorf("advance from block %d to %d: %w", cursor.Block.Number, last.Number, err)
	}
	return Outcome{Progress: Advanced, Head: v.Latest, Block: last, Logs: len(step.Logs)}, nil
}

// limitLevels lowers a step's levels to its last block, but not below the cursor's. A stored level
// never falls, so a false level above the followed blocks would make blocks final before they are
// read.
func limitLevels(cursor market.Cursor, step market.Step) market.Step {
	last := cursor.Block.Number
	if n := len(step.Blocks); n > 0 {
		last = step.Blocks[n-1].Number
	}
	step.Safe = max(cursor.Safe, min(step.Safe, last))
	step.Finalized = max(cursor.Finalized, min(step.Finalized, last))
	return step
}

// commit stores a step. The journal can reject data that passed all checks of the provider's answers,
// for example a false transaction hash. The provider is then marked as failed, so that the next
// attempt uses another one.
func (w *Watcher) commit(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step) error {
	err := w.journal.Advance(ctx, cursor, step)
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, market.ErrNotLeader), market.KindOf(err) == market.KindUnavailable:
	default:
		w.fail(p, err)
	}
	return err //nolint:wrapcheck // wrapped by the callers
}

// read decodes logs and sets their blocks.
func (w *Watcher) read(logs []types.Log, blocks []market.Block) ([]market.Log, error) {
	byHash := make(map[common.Hash]market.Block, len(blocks))
	for _, b := range blocks {
		byHash[b.Hash] = b
	}
	read := make([]market.Log, 0, len(logs))
	for _, log := range logs {
		event, err := w.contracts.Decode(log)
		if err != nil {
			return nil, &undecodedError{block: byHash[log.BlockHash], err: fmt.Errorf("read log %d of block %d: %w", log.Index, log.BlockNumber, err)}
		}
		read = append(read, market.Log{
			ChainID: w.contracts.Deployment().ChainID, Address: log.Address, Block: byHash[log.BlockHash],
			TxHash: log.TxHash, TxIndex: log.TxIndex, Index: log.Index, Topics: log.Topics, Data: log.Data, Event: event,
		})
	}
	return read, nil
}
