package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// follow decides, on one provider's view, what comes next.
func (w *Watcher) follow(ctx context.Context, p *provider, cursor market.Cursor) (Outcome, error) {
	v, err := p.look(ctx, cursor.Block.Number)
	if err != nil {
		return Outcome{}, err
	}
	begun := cursor.Block.Hash != common.Hash{}
	if begun && (v.cursor == nil || v.cursor.Hash() != cursor.Block.Hash) {
		w.ahead.drop()
		return w.diverged(ctx, p, cursor, v)
	}
	w.belowSince, w.forkSince = zeroTime, zeroTime
	step := market.Step{Safe: max(cursor.Safe, v.safe), Finalized: max(cursor.Finalized, v.finalized)}
	next, head := cursor.Block.Number+1, v.latest-min(v.latest, w.options.Depth)
	switch {
	case next > head:
		w.doubt(p, v)
		return w.rest(ctx, cursor, step, v)
	case next < min(step.Finalized, head) && w.span > 1:
		return w.followRange(ctx, p, cursor, step, v)
	}
	return w.followBlock(ctx, p, cursor, step, v)
}

// doubt leaves a provider whose head stands still, for one that knows more.
func (w *Watcher) doubt(p *provider, v view) {
	now := time.Now()
	switch {
	case v.latest > w.head:
		w.head, w.headSince = v.latest, now
	case now.Sub(w.headSince) > w.options.Patience:
		w.headSince = now
		p.failed(now)
	}
}

// rest commits levels that have risen while no block came.
func (w *Watcher) rest(ctx context.Context, cursor market.Cursor, step market.Step, v view) (Outcome, error) {
	outcome := Outcome{Progress: CaughtUp, Head: v.latest, Block: cursor.Block}
	if step.Safe == cursor.Safe && step.Finalized == cursor.Finalized {
		return outcome, nil
	}
	if err := w.journal.Advance(ctx, cursor, step); err != nil {
		return Outcome{}, fmt.Errorf("raise the levels to %d and %d: %w", step.Safe, step.Finalized, err)
	}
	return outcome, nil
}

// followBlock follows the one block after the cursor.
func (w *Watcher) followBlock(ctx context.Context, p *provider, cursor market.Cursor, step market.Step, v view) (Outcome, error) {
	w.ahead.drop()
	if err := w.checkParent(p, cursor, v.next); err != nil {
		return Outcome{}, err
	}
	logs, err := p.logsOf(ctx, v.next, w.addresses)
	if err != nil {
		return Outcome{}, err
	}
	if w.span < w.options.Range {
		w.span++
	}
	step.Blocks = []market.Block{blockOf(v.next)}
	if step.Logs, err = w.read(logs, step.Blocks); err != nil {
		return Outcome{}, err
	}
	if err := p.nameCallers(ctx, step.Logs); err != nil {
		return Outcome{}, err
	}
	return w.advance(ctx, cursor, step, v)
}

// followRange follows blocks behind finality, as many at once as the provider
// bears: half as many after any error, a quarter more after each success. What
// comes after them is read while they are committed.
func (w *Watcher) followRange(ctx context.Context, p *provider, cursor market.Cursor, step market.Step, v view) (Outcome, error) {
	if err := w.checkParent(p, cursor, v.next); err != nil {
		return Outcome{}, err
	}
	next, end := cursor.Block.Number+1, min(step.Finalized, v.latest)
	for w.span > 1 {
		page := w.ahead.first(p, next)
		if page == nil {
			page = w.open(ctx, p, next, end)
		}
		err := page.wait(ctx)
		if err == nil {
			w.ahead.pop()
			if page.end < page.to { // what is in line comes too late
				w.ahead.drop()
			}
			w.resize(page)
			w.readAhead(ctx, p, page.end+1, end)
			return w.followPage(ctx, p, cursor, step, page, v)
		}
		w.ahead.drop()
		if ctx.Err() != nil || errors.Is(err, errContradiction) {
			return Outcome{}, err
		}
		w.span /= 2
		w.log.DebugContext(ctx, "asking for fewer blocks", slog.Any("err", err), slog.Uint64("blocks", w.span))
	}
	return w.followBlock(ctx, p, cursor, step, v)
}

func (w *Watcher) followPage(ctx context.Context, p *provider, cursor market.Cursor, step market.Step, page *prefetch, v view) (Outcome, error) {
	if begun := cursor.Block.Hash != (common.Hash{}); begun && page.parent != cursor.Block.Hash {
		return Outcome{}, p.contradicts("block %d does not build on block %d", page.from, cursor.Block.Number)
	}
	if page.unknown != nil {
		return Outcome{}, page.unknown
	}
	step.Blocks, step.Logs = page.blocks, page.logs
	if err := w.checkCounts(ctx, p, cursor, step); err != nil {
		return Outcome{}, err
	}
	return w.advance(ctx, cursor, step, v)
}

// checkParent refuses a next block that does not build on the cursor's: the
// provider speaks with two tongues, or the chain turned while we asked.
func (w *Watcher) checkParent(p *provider, cursor market.Cursor, next *types.Header) error {
	begun := cursor.Block.Hash != common.Hash{}
	if begun && next.ParentHash != cursor.Block.Hash {
		return p.errorf("block %s does not build on block %d", next.Number, cursor.Block.Number)
	}
	return nil
}

func (w *Watcher) advance(ctx context.Context, cursor market.Cursor, step market.Step, v view) (Outcome, error) {
	last := step.Blocks[len(step.Blocks)-1]
	if err := w.journal.Advance(ctx, cursor, step); err != nil {
		return Outcome{}, fmt.Errorf("advance from block %d to %d: %w", cursor.Block.Number, last.Number, err)
	}
	return Outcome{Progress: Advanced, Head: v.latest, Block: last, Logs: len(step.Logs)}, nil
}

// read decodes logs and places them in their blocks.
func (w *Watcher) read(logs []types.Log, blocks []market.Block) ([]market.Log, error) {
	byHash := make(map[common.Hash]market.Block, len(blocks))
	for _, b := range blocks {
		byHash[b.Hash] = b
	}
	read := make([]market.Log, 0, len(logs))
	for _, log := range logs {
		event, err := w.contracts.Decode(log)
		if err != nil {
			return nil, fmt.Errorf("read log %d of block %d: %w", log.Index, log.BlockNumber, err)
		}
		read = append(read, market.Log{
			ChainID: w.contracts.deployment.ChainID, Address: log.Address, Block: byHash[log.BlockHash],
			TxHash: log.TxHash, TxIndex: log.TxIndex, Index: log.Index, Topics: log.Topics, Data: log.Data, Event: event,
		})
	}
	return read, nil
}
