package watch

import (
	"context"
	"errors"
	"fmt"

	"taskmarket/client/internal/node"
)

// part is the result of reading one block range.
type part struct {
	events []Event
	end    mark   // the range's last block
	head   uint64 // number of the chain's latest block when the range was chosen
}

// nextPart reads the next block range in a pass, which covers the overlap and the new blocks. It
// returns nil if there is nothing to read, or if the next call must read a smaller range or start
// from an earlier block.
func (w *watcher) nextPart(ctx context.Context) (*part, error) {
	head, err := w.node.Head(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.begin(ctx, head); err != nil {
		return nil, err
	}
	if err := w.dropMarksAfter(head); err != nil {
		return nil, err
	}
	if w.skipUntil > 0 {
		head = min(head, w.skipUntil)
	}
	state := &w.cursor.state
	if !w.reading || w.at > head+1 { // starts a new pass if none is under way or the chain has become shorter
		newest, _ := state.newest()
		w.at, w.reading, w.pass = max(state.floor, subtract(min(state.next, head+1), w.options.Overlap)), true, newest.Pass+1
	}
	if w.at > head {
		w.reading = false
		return nil, nil
	}
	result, err := w.read(ctx, w.at, min(head, w.at+w.width-1))
	if err != nil {
		return nil, w.reduceRange(err)
	}
	w.width = min(node.MaxRange, w.width+w.width/4+1)
	if result.reorg {
		return nil, w.rewind(ctx)
	}
	result.end.Pass = w.pass
	events, err := w.events(result.logs, w.at, result.end)
	return &part{events: events, end: result.end, head: head}, err
}

// dropMarksAfter removes the marks after the end of the chain. If the node only lags, some blocks
// are read again. If a node has reported blocks that never existed, the stream would otherwise wait
// for them. It returns an error if the chain ends more than one block before the floor, which is
// the first block to read.
func (w *watcher) dropMarksAfter(head uint64) error {
	state := &w.cursor.state
	if head < subtract(state.floor, 1) {
		return fmt.Errorf("the node is at block %d, but the watch starts at block %d; wait until the node has caught up; "+
			"if it does not, start again from an earlier block, which may repeat events", head, state.floor)
	}
	if newest, ok := state.newest(); !ok || newest.Number <= head {
		return nil
	}
	w.reading = false
	end := head + 1
	return w.cursor.record(entry{Back: &end})
}

// reduceRange halves the block range after any error, because nodes reject wide ranges with
// different errors or do not respond at all. It returns nil if the node rejected a range that could
// be halved, so that the stream continues at once, and err otherwise.
func (w *watcher) reduceRange(err error) error {
	refused := errors.Is(err, errRefused) && w.width > 1
	w.width = max(1, w.width/2)
	if refused {
		return nil
	}
	return err
}

// begin determines where the stream starts. It returns ErrOtherCursor if the cursor has another
// scope. If a new stream starts at the next block, the events in the overlap before it are
// recorded as delivered, so that they are not delivered when a reorganisation moves them.
func (w *watcher) begin(ctx context.Context, head uint64) error {
	if w.started {
		return nil
	}
	genesis, err := node.Read(ctx, w.node, "the first block", func(ctx context.Context) (*mark, error) { return readBlock(ctx, w.node, 0) })
	if err != nil {
		return err
	}
	here := scope{
		ChainID: w.deployment.ChainID, Genesis: genesis.Hash,
		Escrow: w.deployment.Escrow, Staking: w.deployment.Staking, Agent: w.options.Agent,
	}
	w.started = true
	if state := &w.cursor.state; w.options.From == 0 && state.started && !w.cursor.buffering {
		if state.scope != here {
			return fmt.Errorf("%w: it is for agent %s and escrow %s on chain %d with the genesis block %s",
				ErrOtherCursor, state.scope.Agent, state.scope.Escrow, state.scope.ChainID, state.scope.Genesis)
		}
		return nil
	}
	first := beginning{Scope: here, Floor: w.options.From, Next: w.options.From}
	if w.options.From == 0 {
		first.Floor, first.Next = subtract(head, w.options.Overlap), head+1
		w.skipUntil = head
		w.cursor.buffer()
	}
	return w.cursor.record(entry{Begin: &first})
}

// rewind goes back to the newest mark that is still on the chain and starts a pass from there.
func (w *watcher) rewind(ctx context.Context) error {
	state := &w.cursor.state
	for i := len(state.marks) - 1; i >= 0; i-- {
		ours := state.marks[i]
		theirs, err := node.Read(ctx, w.node, "a block that was read", func(ctx context.Context) (*mark, error) {
			return readBlock(ctx, w.node, ours.Number)
		})
		if err != nil {
			return err
		}
		if theirs.Hash == ours.Hash {
			break
		}
		if err := w.cursor.record(entry{Back: &ours.Number}); err != nil {
			return err
		}
	}
	w.at, w.reading = max(state.floor, subtract(state.next, w.options.Overlap)), true
	return nil
}
