package watch

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

const (
	// remembered is how many blocks behind the newest a stream can go back to at
	// least: of these it knows what it has told. More than any chain reorganises.
	remembered = 10_000
	// rememberedEvents is how many events a stream knows that it has told at
	// least, however far back. Blocks alone make it forget nothing: a node can
	// claim as many as it likes that no chain has, and for as long as it likes.
	rememberedEvents = 10_000
	// confirmations is how many looks must have gone on from a mark before
	// anything is forgotten because of it.
	confirmations = 64
	// fewEntries and more are kept before what is not needed is forgotten.
	fewEntries = 4096
)

// scope is what a cursor is a place in. In another scope the same number of a
// block means something else.
type scope struct {
	ChainID uint64         `json:"chain_id"`
	Genesis common.Hash    `json:"genesis"` // a development chain begins anew with the same id
	Escrow  common.Address `json:"escrow"`
	Staking common.Address `json:"staking"`
	Agent   common.Address `json:"agent"` // zero: everybody's events
}

// mark is a block that was read with all before it. While the chain still has
// it, nothing before it has changed.
type mark struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
	Look   uint64      `json:"look,omitempty"` // counts the looks that read something new
}

// beginning is where a stream began.
type beginning struct {
	Scope scope  `json:"scope"`
	Floor uint64 `json:"floor"` // nothing before it is read
	Next  uint64 `json:"next"`
}

// telling is an event that was told, with its block.
type telling struct {
	sighting
	Block uint64 `json:"block"`
}

// promise is what is about to be done with an event.
type promise struct {
	telling
	Note json.RawMessage `json:"note"`
}

// entry is a change of a stream's state, and a line of a cursor's file. One
// member is set.
type entry struct {
	Begin   *beginning `json:"begin,omitempty"`
	Promise *promise   `json:"promise,omitempty"`
	Told    *telling   `json:"told,omitempty"`
	Read    *mark      `json:"read,omitempty"` // to here
	Back    *uint64    `json:"back,omitempty"` // the chain has other blocks from here on
}

// state is what a stream has read and told.
type state struct {
	begun   bool
	scope   scope
	floor   uint64              // nothing before it is read
	next    uint64              // everything before it was read
	marks   []mark              // ascending
	told    map[sighting]uint64 // by block
	pending *promise            // neither told nor taken back
}

// apply follows a change.
func (s *state) apply(e entry) {
	switch {
	case e.Begin != nil:
		*s = state{
			begun: true, scope: e.Begin.Scope, floor: e.Begin.Floor, next: e.Begin.Next,
		}
	case e.Promise != nil:
		s.pending = e.Promise
	case e.Told != nil:
		if s.told == nil {
			s.told = map[sighting]uint64{}
		}
		s.told[e.Told.sighting] = e.Told.Block
		s.pending = nil
	case e.Read != nil:
		s.next = max(s.next, e.Read.Number+1)
		s.marks = append(s.marks, *e.Read)
		s.marks = thin(s.marks, s.floor)
	case e.Back != nil:
		s.goBack(*e.Back)
	}
}

// isNews reports whether a range that was read up to the mark goes on from what
// was read before, and further.
func (s *state) isNews(end mark) bool {
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

// confirmed returns the newest block from which enough looks went on, 0 if none.
func (s *state) confirmed() uint64 {
	newest, _ := s.newest()
	for _, m := range slices.Backward(s.marks) {
		if m.Look+confirmations <= newest.Look {
			return m.Number
		}
	}
	return 0
}

// goBack forgets the marks from the block on.
func (s *state) goBack(block uint64) {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return m.Number >= block })
	s.next = s.floor
	if newest, ok := s.newest(); ok {
		s.next = newest.Number + 1
	}
}

// forget drops the oldest events that were told, where there are too many, and
// with them the way back to their blocks. So the floor is never above an event
// that is remembered, and a node that only pretends that the chain is longer
// cannot raise it above the chain's end.
func (s *state) forget() {
	surplus := len(s.told) - rememberedEvents
	if surplus <= 0 {
		return
	}
	blocks := slices.Sorted(maps.Values(s.told))
	s.floor = max(s.floor, min(blocks[surplus], back(s.confirmed(), remembered)))
	maps.DeleteFunc(s.told, func(_ sighting, block uint64) bool { return block < s.floor })
	if len(s.marks) > 0 {
		s.marks = thin(s.marks, s.floor)
	}
}

// entries say the whole state anew.
func (s *state) entries() []entry {
	all := make([]entry, 0, len(s.told)+len(s.marks)+2)
	if s.begun {
		all = append(all, entry{Begin: &beginning{Scope: s.scope, Floor: s.floor, Next: s.next}})
	}
	for i := range s.marks {
		all = append(all, entry{Read: &s.marks[i]})
	}
	for sighting, block := range s.told {
		all = append(all, entry{Told: &telling{sighting: sighting, Block: block}})
	}
	if s.pending != nil {
		all = append(all, entry{Promise: s.pending})
	}
	return all
}

// thin keeps the newest mark and of the others those that are at least twice as
// far from it as the one kept before, in blocks or in looks, down to the floor:
// at blocks 100, 99, 98, 97, 96, 95 it keeps 100, 99, 98 and 96. In looks, so
// that what was read before a look that read very much is not lost.
func thin(marks []mark, floor uint64) []mark {
	newest := marks[len(marks)-1]
	kept, blocks, looks := []mark{}, uint64(0), uint64(0)
	for _, m := range slices.Backward(marks) {
		far, old := newest.Number-m.Number >= blocks, newest.Look-m.Look >= looks
		if m.Number < floor || !far && !old {
			continue
		}
		kept = append(kept, m)
		if far {
			blocks = max(1, 2*(newest.Number-m.Number))
		}
		if old {
			looks = max(1, 2*(newest.Look-m.Look))
		}
	}
	slices.Reverse(kept)
	return kept
}

func back(block, by uint64) uint64 { return block - min(block, by) }
