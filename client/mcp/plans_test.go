package mcp

import (
	"math/big"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
	"taskmarket/market"
)

// clock is a fake clock.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)} }

func wantError(t *testing.T, err error, words string) {
	t.Helper()
	if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
		t.Errorf("error = %v, want %q", err, words)
	}
}

func TestPlanExpiresAndIsUsedOnce(t *testing.T) {
	t.Parallel()
	at := newClock()
	b := newBook(at.now)
	made := func() string {
		a := &agreement{spends: big.NewInt(7)}
		if err := b.add(a); err != nil {
			t.Fatal(err)
		}
		return a.id
	}
	take := func(id, spends, words string) {
		t.Helper()
		_, err := b.take(id, spends)
		wantError(t, err, words)
	}
	first, late := made(), made()
	take(first, "8", "this plan spends 7 wei, not 8")
	take(first, "07", "not 07")
	take(first, "7", "")
	take(first, "7", "already been used")
	take("", "7", "unknown plan_id")
	take(strings.ToLower(late), "7", "unknown plan_id")
	at.at = at.at.Add(planLife - time.Second)
	take(made(), "7", "")
	at.at = at.at.Add(time.Second)
	take(late, "7", "expired at 2030-01-01T12:10:00.000Z")
	at.at = at.at.Add(planTrace + time.Second)
	made()
	take(late, "7", "unknown plan_id")
}

// If a plan is executed many times concurrently, only one execution succeeds.
func TestPlanIsExecutedOnce(t *testing.T) {
	t.Parallel()
	b := newBook(time.Now)
	a := &agreement{spends: new(big.Int)}
	if err := b.add(a); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	taken := make(chan bool, 50)
	for range cap(taken) {
		group.Go(func() {
			_, err := b.take(a.id, "0")
			taken <- err == nil
		})
	}
	group.Wait()
	close(taken)
	count := 0
	for ok := range taken {
		if ok {
			count++
		}
	}
	if count != 1 {
		t.Errorf("the plan was executed %d times", count)
	}
}

func TestPlansAreBounded(t *testing.T) {
	t.Parallel()
	b := newBook(time.Now)
	for range maxPlans {
		wantError(t, b.add(&agreement{spends: new(big.Int)}), "")
	}
	wantError(t, b.add(&agreement{spends: new(big.Int)}), "too many plans")
}

func newLedger(t *testing.T, at *clock, perPlan, perDay *big.Int) *ledger {
	t.Helper()
	dir := t.TempDir()
	return &ledger{Spending{perPlan, perDay, filepath.Join(dir, "wallet", "spending.json")}, client.FileFlows(filepath.Join(dir, "flows")), at.now}
}

func TestSpendingIsCapped(t *testing.T) {
	t.Parallel()
	at := newClock()
	l := newLedger(t, at, big.NewInt(10), big.NewInt(25))
	spend := func(wei int64, words string) {
		t.Helper()
		wantError(t, l.check(charge{wei: big.NewInt(wei)}), words)
		wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(wei)}), words)
	}
	spend(11, "above the cap of 10 wei for one plan")
	spend(10, "")
	at.at = at.at.Add(time.Hour)
	spend(10, "")
	spend(6, "above the 5 wei left")
	spend(5, "")
	spend(1, "above the 0 wei left")
	spend(0, "")
	again := *l // simulates a restart of the program
	l = &again
	spend(1, "above the 0 wei left")
	at.at = at.at.Add(23*time.Hour - time.Second)
	spend(1, "above the 0 wei left")
	at.at = at.at.Add(time.Second) // the first expense is now 24 hours old and no longer counts
	spend(10, "")
	spend(1, "above the 0 wei left")
}

// If a clock was ahead for some time and is then corrected, earlier expenses still count.
func TestSpendingWithJumpingClock(t *testing.T) {
	t.Parallel()
	at := newClock()
	l := newLedger(t, at, big.NewInt(10), big.NewInt(10))
	wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(9)}), "")
	at.at = at.at.Add(3 * day)
	wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(1)}), "")
	at.at = at.at.Add(-3 * day)
	wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(1)}), "above the 0 wei left")
	at.at = at.at.Add(memory + day)
	wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(10)}), "")
	kept, _, err := l.read()
	if err != nil || len(kept) != 2 {
		t.Errorf("the file contains %v, error %v", kept, err)
	}
}

func TestSpendingNeedsCaps(t *testing.T) {
	t.Parallel()
	l := newLedger(t, newClock(), nil, nil)
	wantError(t, l.spend(t.Context(), charge{wei: big.NewInt(1)}), "not allowed to lock, release or forfeit tokens")
	wantError(t, l.spend(t.Context(), charge{wei: new(big.Int)}), "")
}

// Concurrent spending by two processes stays within the cap in total.
func TestSpendingCountsAll(t *testing.T) {
	t.Parallel()
	l := newLedger(t, newClock(), big.NewInt(1), big.NewInt(20))
	var group sync.WaitGroup
	passed := make(chan bool, 40)
	for range cap(passed) {
		other := *l
		group.Go(func() { passed <- other.spend(t.Context(), charge{wei: big.NewInt(1)}) == nil })
	}
	group.Wait()
	close(passed)
	count := 0
	for ok := range passed {
		if ok {
			count++
		}
	}
	if count != 20 {
		t.Errorf("%d wei were spent of 20", count)
	}
}

// newLimited returns an Agent that has only limits.
func newLimited(t *testing.T, perPlan, perDay int64, final bool) *Agent {
	t.Helper()
	return &Agent{spending: newLedger(t, newClock(), big.NewInt(perPlan), big.NewInt(perDay)), final: final}
}

// release returns a plan for the action. It releases an escrow of 10 wei or a stake of 3 wei.
func release(action market.Action, id uint64) client.Plan {
	p := client.Plan{ID: string(action), Action: action, ChainID: 1, EscrowTaskID: &id, TermsHash: &common.Hash{1}}
	switch action { //nolint:exhaustive // all other actions release nothing
	case market.ActionAccept, market.ActionApprove:
		p.Releases = big.NewInt(10)
	case market.ActionReject:
		p.StakeID, p.Releases = &id, big.NewInt(3)
	}
	return p
}

var finalActions = []market.Action{
	market.ActionAccept, market.ActionReject, market.ActionApprove, market.ActionDispute, market.ActionCancel,
}

// Released amounts count against the caps: an approval above the cap is rejected when it is planned
// and again when it is executed.
func TestReleasedValueIsCapped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		perPlan, perDay int64
		action          market.Action
		words           string
	}{
		"approve within the caps":            {10, 10, market.ActionApprove, ""},
		"approve above the cap for one plan": {9, 100, market.ActionApprove, "above the cap of 9 wei for one plan"},
		"approve above the daily cap":        {10, 9, market.ActionApprove, "above the 9 wei left"},
		"accept above the cap for one plan":  {9, 100, market.ActionAccept, "above the cap of 9 wei for one plan"},
		"reject a stake above the cap":       {2, 100, market.ActionReject, "above the cap of 2 wei for one plan"},
		"reject a stake within the caps":     {3, 3, market.ActionReject, ""},
		"dispute does not count":             {1, 1, market.ActionDispute, ""},
		"cancel does not count":              {1, 1, market.ActionCancel, ""},
		"approve with a cap of zero":         {0, 0, market.ActionApprove, "above the cap of 0 wei"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := release(c.action, 1)
			a := newLimited(t, c.perPlan, c.perDay, true)
			wantError(t, a.spending.check(chargeOf(p)), c.words)
			wantError(t, a.allow(t.Context(), p), c.words)
			resumed := newLimited(t, c.perPlan, c.perDay, true)
			wantError(t, resumed.allow(t.Context(), p), c.words)
		})
	}
}

// The acceptance and the approval for the same escrow count as one charge, even after a restart.
// Another escrow counts separately.
func TestEscrowCountsOnce(t *testing.T) {
	t.Parallel()
	a := newLimited(t, 10, 15, true)
	do := func(p client.Plan, words string) {
		t.Helper()
		wantError(t, a.allow(t.Context(), p), words)
	}
	do(release(market.ActionAccept, 1), "")
	do(release(market.ActionAccept, 2), "above the 5 wei left")
	restarted := *a.spending
	a = &Agent{spending: &restarted, final: true}
	do(release(market.ActionApprove, 1), "")
	do(release(market.ActionApprove, 2), "above the 5 wei left")
	elsewhere := release(market.ActionApprove, 1)
	elsewhere.TermsHash = &common.Hash{2}
	do(elsewhere, "above the 5 wei left")
	do(release(market.ActionReject, 1), "") // the stake of 3 wei counts separately from the escrow with the same ID
	restarted.PerPlan = big.NewInt(9)
	do(release(market.ActionApprove, 1), "above the cap of 9 wei for one plan")
}

// A posting counts once for its key, also if it is sent again, and if another program signed it. Another key counts
// separately.
func TestPostingsCountOnce(t *testing.T) {
	t.Parallel()
	p := client.Plan{Key: "task a", ID: "a", Action: market.ActionFund, Spends: big.NewInt(10)}
	a := newLimited(t, 9, 100, false)
	wantError(t, a.allowOther(t.Context(), p), "above the cap of 9 wei")
	a = newLimited(t, 10, 20, false)
	wantError(t, a.allow(t.Context(), p), "")
	resumed := p
	resumed.Resumes = true
	wantError(t, a.allow(t.Context(), resumed), "")
	wantError(t, a.allowOther(t.Context(), resumed), "")
	wantError(t, a.spending.check(charge{wei: big.NewInt(10)}), "")
	second := p
	second.Key = "task b"
	wantError(t, a.allow(t.Context(), second), "")
	wantError(t, a.spending.check(charge{wei: big.NewInt(1)}), "above the 0 wei")
}

// Without AllowFinal, no final decision is signed or sent again, regardless of the caps.
func TestFinalActionsAreRefusedAtExecution(t *testing.T) {
	t.Parallel()
	a := newLimited(t, 100, 100, false)
	for _, action := range finalActions {
		p := release(action, 1)
		wantError(t, a.allow(t.Context(), p), "--allow-final")
		wantError(t, a.allowOther(t.Context(), p), "--allow-final")
	}
	wantError(t, a.spending.check(charge{wei: big.NewInt(100)}), "") // succeeds only if no rejected action was counted
}

// No final decision that was signed earlier is sent while another plan is executed, because no person has confirmed it.
func TestFinalActionsNeedTheirOwnConfirmation(t *testing.T) {
	t.Parallel()
	a := newLimited(t, 100, 100, true)
	for _, action := range finalActions {
		wantError(t, a.allowOther(t.Context(), release(action, 1)), "plan and execute the action")
		wantError(t, a.spending.check(charge{wei: big.NewInt(100)}), "") // nothing was counted
	}
	a.unconfirmed = true
	wantError(t, a.allowOther(t.Context(), release(market.ActionDispute, 1)), "")
}

// Concurrent approvals by two processes stay within the cap in total.
func TestReleasesAtOnceStayBelowTheCap(t *testing.T) {
	t.Parallel()
	a := newLimited(t, 10, 50, true)
	var group sync.WaitGroup
	passed := make(chan bool, 20)
	for id := range cap(passed) {
		ledger := *a.spending
		group.Go(func() {
			other, p := &Agent{spending: &ledger, final: true}, release(market.ActionApprove, uint64(id))
			passed <- other.allow(t.Context(), p) == nil
		})
	}
	group.Wait()
	close(passed)
	count := 0
	for ok := range passed {
		if ok {
			count++
		}
	}
	if count != 5 {
		t.Errorf("%d escrows of 10 wei were released below a cap of 50", count)
	}
}
