// Package watch reads the events of the contracts from the agent's own node. It needs the API only
// for the contracts' addresses.
//
// A stream reads the chain in passes. Each pass reads the last Options.Overlap blocks again and all
// new ones, in ranges of up to 2,000 blocks. With an overlap of 64 and everything up to block 1,000
// read, a pass at head 1,010 reads the blocks 937 to 1,010. An event has a key that does not depend
// on its block, so a pass yields only events with an unknown key. At each range's end the stream
// stores a mark, the block's number and hash. If the chain has another hash at the newest mark, a
// reorganisation has happened: the stream removes marks from the newest back until one matches, and
// reads again from there.
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

// Options select the events. The zero value yields all events from now on.
type Options struct {
	// Agent, when set, excludes the events of other agents' tasks.
	Agent common.Address
	// From is the first block to read. 0 resumes at the Cursor's position; without a cursor, or
	// with a new one, the stream starts at the next block.
	From uint64
	// Cursor, when set, stores the position of the stream. With From the stream starts there, and
	// the cursor's earlier state is discarded.
	Cursor *Cursor
	// Interval is the time between passes on a node that does not announce blocks; 12 s by default.
	// A websocket node is polled at the same interval, in case its subscription is silently lost.
	Interval time.Duration
	// Overlap is how many blocks each pass reads again, to find events that a lagging node has
	// missed; 64 by default. Reorganisations are found at any depth down to 10,000 blocks.
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

// Events yields the events of the contracts, each once. They are in the chain's order, except after
// a reorganisation or on a lagging node. An event is what a transaction does to a task or an
// application. If a reorganisation drops it, it is not revoked; if it is mined again, in any block,
// it is not repeated. With a ws or wss node events come with each block, otherwise at each
// interval.
//
// A yielded error is a failed pass. If the caller continues the loop, the stream retries and loses
// nothing. Only client.ErrOtherContracts, ErrOtherCursor and ErrCursorLost end it. The stream also
// ends with ctx.
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

	begun     bool
	skipUntil uint64 // events up to this block happened before the stream began; 0 once they are read
	reading   bool   // a pass is under way
	pass      uint64 // the number of the pass
	at        uint64 // the next block of the pass
	width     uint64 // width of the next range, in blocks
}

// step reads one range and yields its new events. A range counts as read once all its events are
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

// deliver yields the event unless it was delivered before, and records it.
func (w *watcher) deliver(event Event, yield func(Event, error) bool) error {
	known, told := w.cursor.state.delivered[event.key()]
	if told && known == event.block {
		return nil
	}
	if !told && w.skipUntil == 0 && !yield(event, nil) {
		return errStopped
	}
	return w.cursor.record(entry{Delivered: &deliveredEvent{event.key(), event.block}})
}

// finish records that a range was read. The last one ends the pass.
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
	w.skipUntil, w.reading = 0, true // later events are new
	return w.cursor.flush()
}
