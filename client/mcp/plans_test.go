package mcp

import (
	"context"
	"math/big"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"taskmarket/client"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)} }

func wantError(t *testing.T, err error, words string) {
	t.Helper()
	if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
		t.Errorf("error = %v, want %q", err, words)
	}
}

func TestAPlanIsTakenOnceAndInTime(t *testing.T) {
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
	take(first, "7", "executed already")
	take("", "7", "no such plan")
	take(strings.ToLower(late), "7", "no such plan")
	at.at = at.at.Add(planLife - time.Second)
	take(made(), "7", "")
	at.at = at.at.Add(time.Second)
	take(late, "7", "expired at 2030-01-01T12:10:00Z")
	at.at = at.at.Add(planTrace + time.Second)
	made()
	take(late, "7", "no such plan")
}

// Of many that execute a plan at once, one does.
func TestAPlanIsTakenByOne(t *testing.T) {
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
		t.Errorf("the plan was taken %d times", count)
	}
}

func TestPlansAreBounded(t *testing.T) {
	t.Parallel()
	b := newBook(time.Now)
	for range mostPlans {
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
		wantError(t, l.check(big.NewInt(wei)), words)
		wantError(t, l.spend(t.Context(), big.NewInt(wei)), words)
	}
	spend(11, "above the cap of 10 wei for one plan")
	spend(10, "")
	at.at = at.at.Add(time.Hour)
	spend(10, "")
	spend(6, "above the 5 wei that are left")
	spend(5, "")
	spend(1, "above the 0 wei that are left")
	spend(0, "")
	again := *l // as a program that was started anew
	l = &again
	spend(1, "above the 0 wei that are left")
	at.at = at.at.Add(23*time.Hour - time.Second)
	spend(1, "above the 0 wei that are left")
	at.at = at.at.Add(time.Second) // the first is a day old
	spend(10, "")
	spend(1, "above the 0 wei that are left")
}

// A clock that is ahead for a while, and then right again, gives nothing back.
func TestSpendingOutlivesAClockThatJumps(t *testing.T) {
	t.Parallel()
	at := newClock()
	l := newLedger(t, at, big.NewInt(10), big.NewInt(10))
	wantError(t, l.spend(t.Context(), big.NewInt(9)), "")
	at.at = at.at.Add(3 * day)
	wantError(t, l.spend(t.Context(), big.NewInt(1)), "")
	at.at = at.at.Add(-3 * day)
	wantError(t, l.spend(t.Context(), big.NewInt(1)), "above the 0 wei that are left")
	at.at = at.at.Add(memory + day)
	wantError(t, l.spend(t.Context(), big.NewInt(10)), "")
	kept, _, err := l.read()
	if err != nil || len(kept) != 2 {
		t.Errorf("the file keeps %v, error %v", kept, err)
	}
}

func TestSpendingNeedsCaps(t *testing.T) {
	t.Parallel()
	l := newLedger(t, newClock(), nil, nil)
	wantError(t, l.spend(t.Context(), big.NewInt(1)), "no spending is allowed")
	wantError(t, l.spend(t.Context(), new(big.Int)), "")
}

// Many that spend at once, in two processes, stay below the cap together.
func TestSpendingCountsAll(t *testing.T) {
	t.Parallel()
	l := newLedger(t, newClock(), big.NewInt(1), big.NewInt(20))
	var group sync.WaitGroup
	passed := make(chan bool, 40)
	for range cap(passed) {
		other := *l
		group.Go(func() { passed <- other.spend(t.Context(), big.NewInt(1)) == nil })
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

// What is signed is what was agreed to, for about the same gas.
func TestReviewHoldsToTheAgreement(t *testing.T) {
	t.Parallel()
	plan := client.Plan{ID: "a", Spends: big.NewInt(5), GasCost: big.NewInt(100)}
	for name, c := range map[string]struct {
		agreed *agreement
		fresh  client.Plan
		words  string
	}{
		"the same":       {&agreement{plan: plan}, plan, ""},
		"dearer gas":     {&agreement{plan: plan}, client.Plan{ID: "a", Spends: plan.Spends, GasCost: big.NewInt(200)}, ""},
		"much dearer":    {&agreement{plan: plan}, client.Plan{ID: "a", Spends: plan.Spends, GasCost: big.NewInt(201)}, "more than twice"},
		"another":        {&agreement{plan: plan}, client.Plan{ID: "b", Spends: plan.Spends, GasCost: plan.GasCost}, "has changed in the meantime"},
		"nothing signed": {&agreement{}, client.Plan{Spends: plan.Spends, GasCost: plan.GasCost}, "has changed in the meantime"},
		"resumed only":   {&agreement{plan: client.Plan{ID: "a", Resumes: true}}, plan, "nothing new was to be signed"},
		"no agreement":   {nil, plan, "nothing was agreed to"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &Agent{spending: newLedger(t, newClock(), big.NewInt(5), big.NewInt(5))}
			ctx := t.Context()
			if c.agreed != nil {
				ctx = context.WithValue(ctx, agreementKey{}, c.agreed)
			}
			wantError(t, a.review(ctx, c.fresh), c.words)
			want := "above the 0 wei" // it was counted
			if c.words != "" {
				want = ""
			}
			wantError(t, a.spending.check(big.NewInt(1)), want)
		})
	}
}
