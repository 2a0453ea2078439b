package watch

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

const (
	// historyBlocks is the minimum number of blocks behind the newest that a stream can rewind. It
	// is more than any chain reorganises.
	historyBlocks = 10_000
	// historyEvents is the minimum number of delivered events that are stored, at any depth. A
	// number of blocks never causes a removal by itself, because a faulty node can report any
	// number of them.
	historyEvents = 10_000
	// confirmations is how many passes must have built on a mark before events are removed because
	// of it.
	confirmations = 64
	// compactAfter is the minimum number of entries in the file before it is compacted.
	compactAfter = 4096
)

// scope identifies the chain, the contracts and the agent of a cursor. The same block number has
// another meaning in another scope.
type scope struct {
	ChainID uint64         `json:"chain_id"`
	Genesis common.Hash    `json:"genesis"` // a development chain restarts with the same id
	Escrow  common.Address `json:"escrow"`
	Staking common.Address `json:"staking"`
	Agent   common.Address `json:"agent"` // zero: the events of all agents
}

// mark is a block up to which everything was read. While the chain still has it, nothing before it
// has changed.
type mark struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
	Pass   uint64      `json:"look,omitempty"` // the number of the pass
}

// beginning is the start of a stream.
type beginning struct {
	Scope scope  `json:"scope"`
	Floor uint64 `json:"floor"` // nothing before it is read
	Next  uint64 `json:"next"`
}

// deliveredEvent is a delivered event with its block.
type deliveredEvent struct {
	eventKey
	Block uint64 `json:"block"`
}

// promise is what the caller is about to do with an event.
type promise struct {
	deliveredEvent
	Note json.RawMessage `json:"note"`
}

// entry is a change of a stream's state, and a line of a cursor's file. One field is set.
type entry struct {
	Begin     *beginning      `json:"begin,omitempty"`
	Promise   *promise        `json:"promise,omitempty"`
	Delivered *deliveredEvent `json:"told,omitempty"`
	Read      *mark           `json:"read,omitempty"` // everything up to this block was read
	Back      *uint64         `json:"back,omitempty"` // the chain has other blocks from this block on
}

// state is the progress of a stream.
type state struct {
	begun     bool
	scope     scope
	floor     uint64              // nothing before it is read
	next      uint64              // everything before it was read
	marks     []mark              // in ascending order
	delivered map[eventKey]uint64 // the block of each delivered event
	pending   *promise            // neither delivered nor withdrawn
}

// apply changes the state by the entry.
func (s *state) apply(e entry) {
	switch {
	case e.Begin != nil:
		*s = state{
			begun: true, scope: e.Begin.Scope, floor: e.Begin.Floor, next: e.Begin.Next,
		}
	case e.Promise != nil:
		s.pending = e.Promise
	case e.Delivered != nil:
		if s.delivered == nil {
			s.delivered = map[eventKey]uint64{}
		}
		s.delivered[e.Delivered.eventKey] = e.Delivered.Block
		s.pending = nil
	case e.Read != nil:
		s.next = max(s.next, e.Read.Number+1)
		s.marks = append(s.marks, *e.Read)
		s.marks = thin(s.marks, s.floor)
	case e.Back != nil:
		s.rewind(*e.Back)
	}
}

// extends reports whether a range that ends at the mark continues what was read before.
func (s *state) extends(end mark) bool {
	newest, ok := s.newest()
	return end.Number+1 >= s.next && (!ok || newest.Number < end.Number)
}

// newest returns the newest mark.
func (s *state) newest() (m mark, ok bool) {
	if len(s.marks) == 0 {
		return mark{}, false
	}
	return s.marks[len(s.marks)-1], true
}

// confirmed returns the newest block that enough passes have built on, 0 if there is none.
func (s *state) confirmed() uint64 {
	newest, _ := s.newest()
	for _, m := range slices.Backward(s.marks) {
		if m.Pass+confirmations <= newest.Pass {
			return m.Number
		}
	}
	return 0
}

// rewind removes the marks from the block on.
func (s *state) rewind(block uint64) {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return m.Number >= block })
	s.next = s.floor
	if newest, ok := s.newest(); ok {
		s.next = newest.Number + 1
	}
}

// prune removes the oldest delivered events if there are too many, and with them the marks of their
// blocks. The floor is never above an event that is stored, so a node that pretends that the chain
// is longer cannot raise the floor above the chain's end.
func (s *state) prune() {
	surplus := len(s.delivered) - historyEvents
	if surplus <= 0 {
		return
	}
	blocks := slices.Sorted(maps.Values(s.delivered))
	s.floor = max(s.floor, min(blocks[surplus], subtract(s.confirmed(), historyBlocks)))
	maps.DeleteFunc(s.delivered, func(_ eventKey, block uint64) bool { return block < s.floor })
	if len(s.marks) > 0 {
		s.marks = thin(s.marks, s.floor)
	}
}

// entries returns the whole state as entries.
func (s *state) entries() []entry {
	all := make([]entry, 0, len(s.delivered)+len(s.marks)+2)
	if s.begun {
		all = append(all, entry{Begin: &beginning{Scope: s.scope, Floor: s.floor, Next: s.next}})
	}
	for i := range s.marks {
		all = append(all, entry{Read: &s.marks[i]})
	}
	for eventKey, block := range s.delivered {
		all = append(all, entry{Delivered: &deliveredEvent{eventKey: eventKey, Block: block}})
	}
	if s.pending != nil {
		all = append(all, entry{Promise: s.pending})
	}
	return all
}

// thin keeps the newest mark and, down to the floor, those that are at least twice as far from it
// as the previously kept one, in blocks or in passes. Of the blocks 100, 99, 98, 97, 96 and 95 it
// keeps 100, 99, 98 and 96. The distance in passes keeps the marks from before a pass that read
// very many blocks.
func thin(marks []mark, floor uint64) []mark {
	newest := marks[len(marks)-1]
	kept, blocks, passes := []mark{}, uint64(0), uint64(0)
	for _, m := range slices.Backward(marks) {
		far, old := newest.Number-m.Number >= blocks, newest.Pass-m.Pass >= passes
		if m.Number < floor || !far && !old {
			continue
		}
		kept = append(kept, m)
		if far {
			blocks = max(1, 2*(newest.Number-m.Number))
		}
		if old {
			passes = max(1, 2*(newest.Pass-m.Pass))
		}
	}
	slices.Reverse(kept)
	return kept
}

func subtract(block, by uint64) uint64 { return block - min(block, by) }
