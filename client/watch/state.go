package watch

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

const (
	// historyBlocks is the minimum number of blocks that a stream can rewind. It is larger than the
	// depth of any reorganisation in practice.
	historyBlocks = 10_000
	// historyEvents is the minimum number of delivered events that are stored, however many blocks
	// follow them. The number of blocks alone is not a reason to remove an event, because a faulty
	// node can report any number.
	historyEvents = 10_000
	// confirmations is the number of later passes that must have continued from a mark before it
	// can cause the removal of events.
	confirmations = 64
	// compactAfter is the minimum number of entries in the file before it is compacted.
	compactAfter = 4096
)

// scope identifies a cursor's chain, contracts and agent. A block number has a different meaning in
// another scope.
type scope struct {
	ChainID uint64         `json:"chain_id"`
	Genesis common.Hash    `json:"genesis"` // needed because a development chain restarts with the same chain ID
	Escrow  common.Address `json:"escrow"`
	Staking common.Address `json:"staking"`
	Agent   common.Address `json:"agent"` // the zero address includes all agents
}

// mark is a block up to which all blocks were read. As long as it is still on the chain, no earlier
// block has changed.
type mark struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
	Pass   uint64      `json:"look,omitempty"` // number of the pass that set the mark
}

// beginning records where a stream starts.
type beginning struct {
	Scope scope  `json:"scope"`
	Floor uint64 `json:"floor"` // number of the first block to read
	Next  uint64 `json:"next"`
}

// deliveredEvent is a delivered event and its block.
type deliveredEvent struct {
	eventKey
	Block uint64 `json:"block"`
}

// promise records what the caller is about to do with an event.
type promise struct {
	deliveredEvent
	Note json.RawMessage `json:"note"`
}

// entry is a change to a stream's state, stored as a line in a cursor's file. Exactly one field is
// set.
type entry struct {
	Begin     *beginning      `json:"begin,omitempty"`
	Promise   *promise        `json:"promise,omitempty"`
	Delivered *deliveredEvent `json:"told,omitempty"`
	Read      *mark           `json:"read,omitempty"` // all blocks up to this one were read
	Back      *uint64         `json:"back,omitempty"` // the marks from this block number on are removed
}

// state is a stream's progress.
type state struct {
	started   bool
	scope     scope
	floor     uint64              // number of the first block to read
	next      uint64              // all earlier blocks were read
	marks     []mark              // in ascending block order
	delivered map[eventKey]uint64 // block number of each delivered event
	pending   *promise            // the promise that is not resolved yet; nil if there is none
}

// apply updates the state with the entry.
func (s *state) apply(e entry) {
	switch {
	case e.Begin != nil:
		*s = state{
			started: true, scope: e.Begin.Scope, floor: e.Begin.Floor, next: e.Begin.Next,
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

// extends reports whether a range that ends at the mark continues the blocks that were already
// read.
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

// confirmed returns the number of the newest block from which enough passes have continued, or 0 if
// there is none.
func (s *state) confirmed() uint64 {
	newest, _ := s.newest()
	for _, m := range slices.Backward(s.marks) {
		if m.Pass+confirmations <= newest.Pass {
			return m.Number
		}
	}
	return 0
}

// rewind removes all marks at or after the block.
func (s *state) rewind(block uint64) {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return m.Number >= block })
	s.next = s.floor
	if newest, ok := s.newest(); ok {
		s.next = newest.Number + 1
	}
}

// prune removes the oldest delivered events if there are too many, and the marks of their blocks.
// The floor is never higher than the block of a stored event. A node that reports blocks that do
// not exist therefore cannot raise the floor above the real end of the chain.
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

// entries returns the whole state as a list of entries.
func (s *state) entries() []entry {
	all := make([]entry, 0, len(s.delivered)+len(s.marks)+2)
	if s.started {
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

// thin reduces the number of marks. It keeps the newest mark. Going down to the floor, it then
// keeps each mark whose distance from the newest, in blocks or in passes, is at least twice that of
// the previously retained mark. Of the blocks 100, 99, 98, 97, 96 and 95, it keeps 100, 99, 98 and 96.
// The distance in passes preserves the marks from before a pass that read very many blocks.
func thin(marks []mark, floor uint64) []mark {
	newest := marks[len(marks)-1]
	retained, blocks, passes := []mark{}, uint64(0), uint64(0)
	for _, m := range slices.Backward(marks) {
		far, old := newest.Number-m.Number >= blocks, newest.Pass-m.Pass >= passes
		if m.Number < floor || !far && !old {
			continue
		}
		retained = append(retained, m)
		if far {
			blocks = max(1, 2*(newest.Number-m.Number))
		}
		if old {
			passes = max(1, 2*(newest.Pass-m.Pass))
		}
	}
	slices.Reverse(retained)
	return retained
}

func subtract(block, by uint64) uint64 { return block - min(block, by) }
