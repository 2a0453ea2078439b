package market_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
)

func TestFoldParameters(t *testing.T) {
	admin := func(ev market.Event) market.Log { return market.Log{Event: ev} }
	p := market.FoldParameters([]market.Log{
		admin(market.Event{Kind: market.EventFeeChanged, FeeBasisPoints: 500}),
		admin(market.Event{Kind: market.EventValidatorAdded, Caller: human, Panel: 1}),
		admin(market.Event{Kind: market.EventQuorumChanged, Quorum: 1, Panel: 1}),
		admin(market.Event{Kind: market.EventPaused}),
		admin(market.Event{Kind: market.EventValidatorAdded, Caller: stranger, Panel: 2}),
		admin(market.Event{Kind: market.EventQuorumChanged, Quorum: 2, Panel: 3}),
		admin(market.Event{Kind: market.EventUnpaused}),
		admin(market.Event{Kind: market.EventValidatorRemoved, Caller: human, Panel: 4}),
		admin(market.Event{Kind: market.EventOther}),
	})
	want := market.Parameters{
		FeeBasisPoints: 500, Panel: 4,
		Validators: []market.Validator{{Wallet: human, AddedIn: 1, RemovedIn: 4}, {Wallet: stranger, AddedIn: 2}},
		Quorums:    []market.Quorum{{FromPanel: 1, Size: 1}, {FromPanel: 3, Size: 2}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Fatal(diff)
	}
	for panel, want := range map[uint64][3]int{0: {0, 0, 0}, 1: {1, 0, 1}, 2: {1, 1, 1}, 3: {1, 1, 2}, 4: {0, 1, 2}} {
		got := [3]int{0, 0, int(p.QuorumOf(panel))}
		if p.ValidatorIn(human, panel) {
			got[0] = 1
		}
		if p.ValidatorIn(stranger, panel) {
			got[1] = 1
		}
		if got != want {
			t.Errorf("panel %d: %v, want %v", panel, got, want)
		}
	}
}
