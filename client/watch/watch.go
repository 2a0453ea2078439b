// Package watch is the stream of events of the contracts.
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

// Options say what to watch. The zero value watches everything that
// happens from now on.
type Options struct {
	// Agent, when set, leaves out events of other agents' tasks.
	Agent common.Address
	// From is the first block to read. 0 goes on where Cursor is; without one,
	// or with a new one, it begins with the next block.
	From uint64
	// Cursor, when set, remembers the stream's place. With From it begins anew
	// there, and forgets what was told before.
	Cursor *Cursor
	// Interval between looks at a node that does not announce blocks; 12 s by
	// default. A websocket node is asked as often, in case it went silent.
	Interval time.Duration
	// Overlap is how many blocks are read again at each look, so that what a
	// lagging node brings late is found; 64 by default. Reorganisations are
	// found at any depth down to 10,000 blocks.
	Overlap uint64
}

const (
	watchInterval = 12 * time.Second
	watchOverlap  = 64
)

// Connect returns the node and the contracts to watch, once they are verified.
type Connect func(context.Context) (*node.Node, market.Deployment, error)

// errStopped says that the loop over the stream was left.
var errStopped = errors.New("the loop was left")

// Watch yields what happens in the contracts, each event once, in the chain's
// order but for what a reorganisation or a lagging node brings late. An event is what a transaction does to a task or an application: one
// that a reorganisation drops is not taken back, and one that is mined again is
// not repeated, in whatever block. With a ws or wss node events come as blocks
// do, otherwise at each interval.
//
// An error is a look that failed. The stream goes on when the loop goes on;
// nothing is lost in between. Only node.ErrOtherContracts, ErrOtherCursor and
// ErrCursorLost end it. The stream also ends with ctx.
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

// ends reports whether going on would do harm.
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

	begun   bool
	quiet   uint64 // up to here events happened before the stream began; 0 when they were read
	reading bool   // a look is under way
	number  uint64 // counts it
	at      uint64 // where it has come to
	width   uint64 // of one request, in blocks
}

// step reads one part and tells what is new in it. A part counts as read only
// once all its events are told.
func (w *watcher) step(ctx context.Context, yield func(Event, error) bool) error {
	silent, err := w.attach(ctx)
	if err != nil {
		return err
	}
	part, err := w.look(ctx)
	if err != nil || part == nil {
		return errors.Join(err, silent)
	}
	for _, event := range part.events {
		if err := w.tell(event, yield); err != nil {
			return err
		}
	}
	return errors.Join(w.finish(part), silent)
}

// tell yields the event unless it was told before, and remembers it then.
func (w *watcher) tell(event Event, yield func(Event, error) bool) error {
	known, told := w.cursor.state.told[event.sighting()]
	if told && known == event.block {
		return nil
	}
	if !told && w.quiet == 0 && !yield(event, nil) {
		return errStopped
	}
	return w.cursor.record(entry{Told: &telling{event.sighting(), event.block}})
}

// finish remembers that a part was read, and ends the look with the last one.
func (w *watcher) finish(p *part) error {
	w.at, w.reading = p.end.Number+1, p.end.Number < p.head
	if w.cursor.state.isNews(p.end) {
		if err := w.cursor.record(entry{Read: &p.end}); err != nil {
			return err
		}
	}
	if w.quiet == 0 || p.end.Number < w.quiet {
		return nil
	}
	w.quiet, w.reading = 0, true // what came since is not quiet
	return w.cursor.release()
}
