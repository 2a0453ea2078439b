package mcp

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"sync"
	"time"

	"taskmarket/client"
	"taskmarket/market"
)

const (
	planLife  = 10 * time.Minute // how long a plan can be executed
	planTrace = time.Hour        // how long an expired or used plan is stored, for its error message
	mostPlans = 1000             // maximum number of stored plans
)

// agreement is a plan that was returned and can be executed once.
type agreement struct {
	id      string
	plan    client.Plan // what will be signed; its ID is empty if nothing will be
	spends  *big.Int    // wei of the token
	expires time.Time
	used    bool
	do      func(context.Context) (any, error)
}

// book stores the agreements of one agent, in memory.
type book struct {
	now func() time.Time

	mu    sync.Mutex
	plans map[string]*agreement
}

func newBook(now func() time.Time) *book { return &book{now: now, plans: map[string]*agreement{}} }

// add gives the agreement a random id and an expiry.
func (b *book) add(a *agreement) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, old := range b.plans {
		if b.now().After(old.expires.Add(planTrace)) {
			delete(b.plans, id)
		}
	}
	if len(b.plans) >= mostPlans {
		return ownErrorf("too many plans within an hour; execute one or wait")
	}
	a.id, a.expires = rand.Text(), b.now().Add(planLife).UTC().Truncate(time.Second)
	b.plans[a.id] = a
	return nil
}

// take returns the agreement with the id and marks it as used. The caller repeats the amount, which
// proves that it has read the plan.
func (b *book) take(id, spends string) (*agreement, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, known := b.plans[id]
	switch {
	case !known:
		return nil, ownErrorf("there is no such plan here: make one with a plan_ tool; plans are lost when this program ends")
	case a.used:
		return nil, ownErrorf("this plan was executed already; read the task for the result, and make a new plan if needed")
	case !b.now().Before(a.expires):
		return nil, ownErrorf("this plan expired at %s; make a new one", market.FormatTime(a.expires))
	case spends != a.spends.String():
		return nil, ownErrorf("this plan spends %s wei, not %s; nothing was done", a.spends, spends)
	}
	a.used = true
	return a, nil
}

type agreementKey struct{}

// review is client.Options.Review: it accepts only what was agreed to, and counts it before
// anything is signed.
func (a *Agent) review(ctx context.Context, fresh client.Plan) error {
	agreed, ok := ctx.Value(agreementKey{}).(*agreement)
	if !ok {
		return ownErrorf("nothing was agreed to, so nothing is signed")
	}
	if err := agreed.plan.Covers(fresh); err != nil {
		return ownErrorf("%w: make a new plan", err)
	}
	return a.allow(ctx, fresh)
}

// resume is client.Options.Resume: a transaction that was signed earlier, possibly by another
// program, is sent again only within the same limits.
func (a *Agent) resume(ctx context.Context, signed client.Plan) error {
	if _, ok := ctx.Value(agreementKey{}).(*agreement); !ok {
		return ownErrorf("nothing was agreed to, so nothing is sent")
	}
	return a.allow(ctx, signed)
}

// allow rejects a plan above the limits, and counts what it moves.
func (a *Agent) allow(ctx context.Context, p client.Plan) error {
	if p.Action != market.ActionFund && !a.final {
		return ownErrorf("these tools may not %s: the person who runs them can allow it with --allow-final", p.Action)
	}
	return a.spending.spend(ctx, chargeOf(p))
}

// chargeOf returns how a plan is counted. A new posting counts each time, because it is paid each
// time. Everything else counts once: a signed transaction is mined at most once, and an escrow or a
// stake is given up once. The name contains the chain's number and the terms hash, which the API
// cannot choose freely.
func chargeOf(p client.Plan) charge {
	switch {
	case p.Action == market.ActionFund:
		return charge{name: "post " + p.ID, wei: orZero(p.Spends), once: p.Resumes}
	case p.StakeID != nil && p.Action == market.ActionReject:
		return charge{name: fmt.Sprintf("stake %d %d %s", p.ChainID, *p.StakeID, p.TermsHash), wei: orZero(p.Releases), once: true}
	case p.EscrowTaskID != nil:
		return charge{name: fmt.Sprintf("escrow %d %d %s", p.ChainID, *p.EscrowTaskID, p.TermsHash), wei: orZero(p.Releases), once: true}
	}
	return charge{wei: orZero(p.Releases)}
}
