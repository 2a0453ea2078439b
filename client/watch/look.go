package watch

import (
	"context"
	"errors"
	"fmt"

	"taskmarket/client/internal/node"
)

// part is a range of blocks that was read.
type part struct {
	events []Event
	end    mark   // its last block
	head   uint64 // of the chain, when the range was chosen
}

// look reads the next part of a look: of the overlap and what is new. It
// returns nil where there is nothing to read.
func (w *watcher) look(ctx context.Context) (*part, error) {
	head, err := node.Read(ctx, w.node, "the latest block's number", w.node.BlockNumber)
	if err != nil {
		return nil, err
	}
	if err := w.begin(ctx, head); err != nil {
		return nil, err
	}
	if err := w.shrink(head); err != nil {
		return nil, err
	}
	if w.quiet > 0 {
		head = min(head, w.quiet)
	}
	state := &w.cursor.state
	if !w.reading || w.at > head+1 { // a new look, or the chain got shorter
		newest, _ := state.newest()
		w.at, w.reading, w.number = max(state.floor, back(min(state.next, head+1), w.options.Overlap)), true, newest.Look+1
	}
	if w.at > head {
		w.reading = false
		return nil, nil
	}
	answer, err := w.read(ctx, w.at, min(head, w.at+w.width-1))
	if err != nil {
		return nil, w.narrow(err)
	}
	w.width = min(node.MaxRange, w.width+w.width/4+1)
	if answer.turned {
		return nil, w.goBack(ctx)
	}
	answer.end.Look = w.number
	events, err := w.events(answer.logs, w.at, answer.end)
	return &part{events: events, end: answer.end, head: head}, err
}

// shrink forgets the marks behind the chain's end. A node that lags takes them
// back for a while, which costs reading them again; one that claimed blocks that
// never were would otherwise have the stream wait for them. Where the stream
// knows nothing any more of what it told, it does not go.
func (w *watcher) shrink(head uint64) error {
	state := &w.cursor.state
	if head < back(state.floor, 1) {
		return fmt.Errorf("the node's chain ends at block %d, and the events are watched from block %d on; if it stays so, "+
			"a node has made up blocks: begin anew with --since (Options.From), which may repeat events", head, state.floor)
	}
	if newest, ok := state.newest(); !ok || newest.Number <= head {
		return nil
	}
	w.reading = false
	end := head + 1
	return w.cursor.record(entry{Back: &end})
}

// narrow makes the ranges smaller: nodes refuse wide ones in words of their own,
// or do not answer at all. Only a refusal of a range that can be made smaller is
// no failure.
func (w *watcher) narrow(err error) error {
	refused := errors.Is(err, errRefused) && w.width > 1
	w.width = max(1, w.width/2)
	if refused {
		return nil
	}
	return err
}

// begin finds, once, where the stream begins. What happened before is marked as
// told, so that a reorganisation that only moves it does not bring it.
func (w *watcher) begin(ctx context.Context, head uint64) error {
	if w.begun {
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
	w.begun = true
	if state := &w.cursor.state; w.options.From == 0 && state.begun && !w.cursor.held {
		if state.scope != here {
			return fmt.Errorf("%w: it is of agent %s, escrow %s on chain %d", ErrOtherCursor, state.scope.Agent, state.scope.Escrow, state.scope.ChainID)
		}
		return nil
	}
	first := beginning{Scope: here, Floor: w.options.From, Next: w.options.From}
	if w.options.From == 0 {
		first.Floor, first.Next = back(head, w.options.Overlap), head+1
		w.quiet = head
		w.cursor.hold()
	}
	return w.cursor.record(entry{Begin: &first})
}

// goBack finds the last mark that the chain still has and begins a look there.
func (w *watcher) goBack(ctx context.Context) error {
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
	w.at, w.reading = max(state.floor, back(state.next, w.options.Overlap)), true
	return nil
}
