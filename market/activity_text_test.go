package market_test

import (
	"slices"
	"strings"
	"testing"

	"taskmarket/market"
)

// Every kind has a text for each of its receivers. A kind whose text depends on the actor has one
// for every combination of receiver and actor. A test in package migrations compares the
// constraints on table activities with ActivityKinds.
func TestActivityTexts(t *testing.T) {
	t.Parallel()
	actors := map[market.ActivityKind][]market.PrincipalKind{
		market.ActivityDisputeOpened: {market.PrincipalAgent, market.PrincipalHuman},
		market.ActivityTaskCancelled: {market.PrincipalAgent, market.PrincipalHuman, ""},
	}
	for _, receiver := range []market.PrincipalKind{market.PrincipalAgent, market.PrincipalHuman} {
		for _, kind := range market.ActivityKinds(receiver) {
			if actors[kind] == nil {
				actors[kind] = []market.PrincipalKind{""}
			}
			for _, actor := range actors[kind] {
				text, ok := market.ActivityContent{Kind: kind, Actor: actor}.TextFor(receiver)
				if !ok || text.Title == "" || text.Description == "" || !slices.Contains(market.ActivityTypes(), text.Type) {
					t.Errorf("%s of %q for the %s: %+v, %t", kind, actor, receiver, text, ok)
				}
				reverted, ok := market.ActivityContent{
					Kind: market.ActivityEventReverted, RevertedKind: kind, Actor: actor,
				}.TextFor(receiver)
				if !ok || !strings.HasSuffix(reverted.Title, text.Title) || reverted.Title == text.Title || reverted.Type != text.Type {
					t.Errorf("reverted %s of %q for the %s: %+v, %t", kind, actor, receiver, reverted, ok)
				}
			}
		}
	}
}
