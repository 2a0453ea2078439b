package journal_test

import (
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// A process that is suspended at any point of a step, even in the middle of a message to PostgreSQL, does
// not keep the cursor locked: PostgreSQL ends its transaction, and the next leader commits the same step.
func TestSuspendedLeaderReleasesTheCursor(t *testing.T) {
	t.Parallel()
	const parts, blocks = 16, 40
	mined := func() (storetest.World, market.Step) {
		w := storetest.NewWorld(t)
		w.Chain.Store = nil
		w.Chain.Mine(t, storetest.Post(t, w.Task, false))
		for range blocks - 1 {
			w.Chain.Mine(t, storetest.Stake(t, storetest.Of(w.Task), storetest.Human(t, w.Store).Wallet))
		}
		return w, w.Chain.Step(blocks)
	}
	w, step := mined()
	s, g := storetest.BehindGate(t, w.Store)
	from, err := s.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size := -g.Sent()
	if err := s.Journal.Advance(t.Context(), from, step); err != nil {
		t.Fatal(err)
	}
	size = (size + g.Sent()) * 7 / 8 // the rest prepares statements after the commit

	var successors []func() error
	var gates []*gate.Gate
	ended := make(chan struct{}, parts)
	for part := range parts {
		w, step := mined()
		s, g := storetest.BehindGate(t, w.Store)
		from, err := s.Journal.Cursor(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		limit := g.Sent() + size*part/parts
		g.Suspend(limit - g.Sent())
		go func() {
			if err := s.Journal.Advance(t.Context(), from, step); err == nil {
				t.Errorf("Advance() after %d of %d parts succeeded", part, parts)
			}
			ended <- struct{}{}
		}()
		for end := time.Now().Add(time.Minute); g.Sent() < limit; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("timed out waiting for %d of %d parts", part, parts)
			}
		}
		gates = append(gates, g)
		successors = append(successors, func() error { return w.Store.Journal.Advance(t.Context(), from, step) })
	}
	deadline := time.Now().Add(pg.ServiceTimeouts.Idle + 2*storetest.Recovery)
	for part, advance := range successors {
		err := advance()
		for market.KindOf(err) == market.KindUnavailable && time.Now().Before(deadline) {
			err = advance()
		}
		if err != nil {
			t.Errorf("Advance() of the next leader, the first suspended after %d of %d parts: %v", part, parts, err)
		}
	}
	for _, g := range gates {
		g.Shut()
		<-ended
	}
}
