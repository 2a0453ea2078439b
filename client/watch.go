package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
)

// WatchOptions say what to watch. The zero value watches everything that
// happens from now on.
type WatchOptions struct {
	// Agent, when set, leaves out events of other agents' tasks.
	Agent common.Address
	// From is the first block to read; 0 begins with the next one.
	From uint64
	// Interval between looks at a node that does not announce blocks; 12 s by
	// default. A websocket node is asked as often, in case it went silent.
	Interval time.Duration
	// Overlap is how many blocks are read again at each look, so that what a
	// reorganisation or a lagging node brings late is found; 64 by default.
	Overlap uint64
}

const (
	watchInterval = 12 * time.Second
	watchOverlap  = 64
	widestRange   = 2000
)

// Watch yields what happens in the contracts, in the chain's order, each event
// once: a reorganisation that only moves an event to another block does not
// repeat it. With a ws or wss node events come as blocks do, otherwise at each
// interval.
//
// An error is a look that failed. The stream goes on when the loop goes on, but
// for ErrOtherContracts, which ends it; nothing is lost in between. The
// stream also ends with ctx.
func (c *Client) Watch(ctx context.Context, options WatchOptions) iter.Seq2[Event, error] {
	if options.Interval <= 0 {
		options.Interval = watchInterval
	}
	if options.Overlap == 0 {
		options.Overlap = watchOverlap
	}
	return func(yield func(Event, error) bool) {
		w := &watcher{client: c, options: options, seen: map[sighting]uint64{}, width: widestRange}
		defer w.unsubscribe()
		for failures := 0; ctx.Err() == nil; {
			events, err := w.look(ctx)
			for _, event := range events {
				if !yield(event, nil) {
					return
				}
			}
			failures++
			if err == nil {
				failures = 0
			} else if ctx.Err() == nil && (!yield(Event{}, err) || errors.Is(err, ErrOtherContracts)) {
				return
			}
			w.wait(ctx, failures)
		}
	}
}

// sighting tells an event from every other: the same transaction does the same
// thing at the same place in it, in whatever block it ends up.
type sighting struct {
	tx    common.Hash
	place int // among our contracts' logs of the transaction
	event Event
}

// watcher is the state of one stream.
type watcher struct {
	client     *Client
	options    WatchOptions
	deployment *deployment
	node       *node

	heads        chan *types.Header
	subscription ethereum.Subscription

	started bool
	floor   uint64              // nothing before it is read
	next    uint64              // everything before it was read
	reading bool                // a look is under way
	at      uint64              // where it has come to
	width   uint64              // of one request, in blocks
	seen    map[sighting]uint64 // by block
}

// look reads a range of blocks: the overlap and what is new. It reads a part
// when the range is wide, so that events are yielded early.
func (w *watcher) look(ctx context.Context) ([]Event, error) {
	if err := w.attach(ctx); err != nil {
		return nil, err
	}
	head, err := ask(ctx, "the latest block's number", w.node.BlockNumber)
	if err != nil {
		return nil, err
	}
	if err := w.start(ctx, head); err != nil {
		return nil, err
	}
	if !w.reading || w.at > head+1 { // a new look, or the chain got shorter
		w.at, w.reading = max(w.floor, back(min(w.next, head+1), w.options.Overlap)), true
	}
	if w.at > head {
		w.reading = false
		return nil, nil
	}
	to := min(head, w.at+w.width-1)
	events, err := w.read(ctx, w.at, to)
	if err != nil {
		return nil, w.narrow(err)
	}
	w.width = min(widestRange, w.width+w.width/8+1)
	w.next, w.at = max(w.next, to+1), to+1
	if to == head {
		w.next, w.reading = head+1, false
		w.forget()
	}
	return events, nil
}

// narrow makes the ranges smaller, because nodes refuse wide ones in words of
// their own. Only when no smaller range is left, or the node did not answer at
// all, it is a failure.
func (w *watcher) narrow(err error) error {
	_, answered := errors.AsType[rpc.Error](err)
	if !answered || w.width == 1 {
		return err
	}
	w.width /= 2
	return nil
}

func back(block, by uint64) uint64 { return block - min(block, by) }

// start marks, once, what happened before the stream began as seen.
func (w *watcher) start(ctx context.Context, head uint64) error {
	if w.started {
		return nil
	}
	w.floor, w.next = w.options.From, w.options.From
	if w.options.From == 0 {
		w.floor, w.next = back(head, w.options.Overlap), head+1
		if _, err := w.read(ctx, w.floor, head); err != nil {
			return err
		}
	}
	w.started = true
	return nil
}

// read returns the events of a range that were not seen yet.
func (w *watcher) read(ctx context.Context, from, to uint64) ([]Event, error) {
	what := fmt.Sprintf("the logs of blocks %d to %d", from, to)
	logs, err := ask(ctx, what, func(ctx context.Context) ([]types.Log, error) {
		return w.node.FilterLogs(ctx, ethereum.FilterQuery{
			FromBlock: new(big.Int).SetUint64(from), ToBlock: new(big.Int).SetUint64(to),
			Addresses: []common.Address{w.deployment.Escrow, w.deployment.Staking},
		})
	})
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, s := range w.sightings(logs) {
		if w.see(s) {
			events = append(events, s.event)
		}
	}
	return events, nil
}

// sightings decodes the logs of a range, all the contracts' logs of each
// transaction in it, and keeps those of the stream. A log that this program
// does not know belongs to no line of the stream.
func (w *watcher) sightings(logs []types.Log) []sighting {
	places, agents := map[common.Hash]int{}, map[uint64]common.Address{}
	var found []sighting
	for _, log := range logs {
		place := places[log.TxHash]
		places[log.TxHash]++
		decoded, err := w.deployment.calls.Decode(log)
		if err != nil || log.Removed {
			continue
		}
		// TaskTerms and WorkCommitted name no agent, but follow an event of the
		// same transaction and task that does.
		if decoded.Agent == (common.Address{}) {
			decoded.Agent = agents[decoded.TaskID]
		} else if decoded.OfTask() {
			agents[decoded.TaskID] = decoded.Agent
		}
		event, ok := eventOf(log, decoded)
		if ok && (w.options.Agent == (common.Address{}) || w.options.Agent == decoded.Agent) {
			found = append(found, sighting{tx: log.TxHash, place: place, event: event})
		}
	}
	return found
}

// see remembers the sighting and reports whether it is new.
func (w *watcher) see(s sighting) bool {
	block, err := parseID(s.event.BlockNumber)
	if err != nil {
		return false
	}
	s.event.BlockNumber = "" // a reorganisation may change it
	_, old := w.seen[s]
	w.seen[s] = block
	return !old
}

// forget drops sightings that no look will come back to.
func (w *watcher) forget() {
	oldest := back(w.next, 2*w.options.Overlap)
	for s, block := range w.seen {
		if block < oldest {
			delete(w.seen, s)
		}
	}
}
