// Package watch reads the contracts' events from the agent's own node. It needs the API only for
// the contracts' addresses.
//
// A stream reads the chain in passes. Each pass reads the last Options.Overlap blocks again,
// followed by all new blocks, in ranges of up to 2,000 blocks. For example, with an overlap of 64
// and all blocks up to 1,000 already read, a pass at head 1,010 reads the blocks 937 to 1,010. An
// event's key does not depend on its block, so a pass yields only events with a key that is not
// stored yet.
//
// At the end of each range, the stream stores a mark: the block's number and hash. If the chain has
// a different hash at the newest mark, a reorganisation has happened. The stream then removes
// marks, newest first, until one matches, and reads again from there.
package watch

import (
	"context"
	"errors"
	"iter"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	"taskmarket/market"
)

// Options select the events. The zero value yields all future events.
type Options struct {
	// Agent, when set, limits the stream to the events about this agent's tasks.
	Agent common.Address
	// From is the first block to read. If it is 0, the stream resumes at the Cursor's position or,
	// without a cursor or with a new one, starts at the next block.
	From uint64
	// Cursor, when set, stores the stream's position. If From is also set, the stream starts at
	// that block and discards the cursor's earlier state.
	Cursor *Cursor
	// Interval is the time between passes if the node does not announce blocks; 12 s by default. A
	// websocket node is also polled at this interval, in case its subscription is silently lost.
	Interval time.Duration
	// Overlap is the number of blocks that each pass reads again, to find events that a lagging
	// node has missed; 64 by default. Regardless of it, reorganisations of up to 10,000 blocks are
	// detected.
	Overlap uint64
}

const (
	watchInterval = 12 * time.Second
	watchOverlap  = 64
)

// Connect returns the node and the verified contracts.
type Connect func(context.Context) (*node.Node, market.Deployment, error)

// errStopped is returned when the caller has left the loop.
var errStopped = errors.New("the loop was stopped")

// Events yields the contracts' events, each once. They are in the chain's order, except after a
// reorganisation or on a lagging node. An event is the effect of a transaction on a task or an
// application. If a reorganisation drops it, it is not revoked; if it is mined again, in any block,
// it is not repeated. With a ws or wss node, new events arrive with each block, otherwise at each
// interval.
//
// A yielded error means that a pass has failed. If the caller continues the loop, the stream
// retries and loses nothing. Only client.ErrOtherContracts, ErrOtherCursor and ErrCursorLost end
// the stream. It also ends when ctx ends.
func Events(ctx context.Context, connect Connect, options Options) iter.Seq2[Event, error] {
	if options.Interval <= 0 {
		options.Interval = watchInterval
	}
	if options.Overlap == 0 {
		options.Overlap = watchOverlap
	}
	return func(yield func(Event, error) bool) {
		w := &watcher{connect: connect, options: options, cursor: options.Cursor, width: node.MaxRange}
		if w.cursor == nil {
			w.cursor = &Cursor{}
		}
		defer w.unsubscribe()
		for failures := 0; ctx.Err() == nil; w.wait(ctx, failures) {
			err := w.step(ctx, yield)
			if err == nil {
				failures = 0
				continue
			}
			if errors.Is(err, errStopped) || ctx.Err() != nil || !yield(Event{}, err) || ends(err) {
				return
			}
			failures++
		}
	}
}

// ends reports whether the error ends the stream.
func ends(err error) bool {
	return errors.Is(err, node.ErrOtherContracts) || errors.Is(err, ErrOtherCursor) || errors.Is(err, ErrCursorLost)
}

// watcher is the state of one stream.
type watcher struct {
	connect    Connect
	options    Options
	cursor     *Cursor
	deployment *market.Deployment
	contracts  *chain.Contracts
	node       *node.Node

	heads        chan *types.Header
	subscription ethereum.Subscription

	started   bool
	skipUntil uint64 // events up to this block happened before the stream began; 0 once those blocks were read
	reading   bool   // a pass is under way
	pass      uint64 // number of the current pass
	at        uint64 // number of the next block to read in the pass
	width     uint64 // number of blocks in the next range
}

// step reads one range and yields its new events. The range counts as read once all of them are
// delivered.
func (w *watcher) step(ctx context.Context, yield func(Event, error) bool) error {
	silent, err := w.attach(ctx)
	if err != nil {
		return err
	}
	part, err := w.nextPart(ctx)
	if err != nil || part == nil {
		return errors.Join(err, silent)
	}
	for _, event := range part.events {
		if err := w.deliver(event, yield); err != nil {
			return err
		}
	}
	return errors.Join(w.finish(part), silent)
}

// deliver yields the event unless it was already delivered or happened before the stream began. It
// records the event as delivered, with its current block.
func (w *watcher) deliver(event Event, yield func(Event, error) bool) error {
	block, delivered := w.cursor.state.delivered[event.key()]
	if delivered && block == event.block {
		return nil
	}
	if !delivered && w.skipUntil == 0 && !yield(event, nil) {
		return errStopped
	}
	return w.cursor.record(entry{Delivered: &deliveredEvent{event.key(), event.block}})
}

// finish records that a range was read. After the last range, it ends the pass.
func (w *watcher) finish(p *part) error {
	w.at, w.reading = p.end.Number+1, p.end.Number < p.head
	if w.cursor.state.extends(p.end) {
		if err := w.cursor.record(entry{Read: &p.end}); err != nil {
			return err
		}
	}
	if w.skipUntil == 0 || p.end.Number < w.skipUntil {
		return nil
	}
	w.skipUntil, w.reading = 0, true // all later events are new
	return w.cursor.flush()
}
