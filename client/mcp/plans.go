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
	planTrace = time.Hour        // how long a plan is stored after its expiry, so that the error for a used or expired plan is specific
	mostPlans = 1000             // maximum number of stored plans
)

// agreement is a plan that was returned to the model and can be executed once.
type agreement struct {
	id      string
	plan    client.Plan // what will be signed; ID is empty if the action signs nothing
	spends  *big.Int    // amount to spend, in wei of the token
	expires time.Time
	used    bool
	do      func(context.Context) (any, error)

	final    bool         // cannot be undone, so a person must confirm it
	confirms Confirmation // what that person reads
	question string       // random ID of the question to the host, which its answer must have
	approved bool         // a person has confirmed it, or no confirmation is necessary
}

// book stores one agent's agreements in memory.
type book struct {
	now func() time.Time

	mu    sync.Mutex
	plans map[string]*agreement
}

func newBook(now func() time.Time) *book { return &book{now: now, plans: map[string]*agreement{}} }

// add assigns a random ID and an expiry time to the agreement and stores it.
func (b *book) add(a *agreement) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, old := range b.plans {
		if b.now().After(old.expires.Add(planTrace)) {
			delete(b.plans, id)
		}
	}
	if len(b.plans) >= mostPlans {
		return ownErrorf("too many plans; wait until earlier plans are removed, about an hour after they expire")
	}
	a.id, a.question, a.expires = rand.Text(), rand.Text(), b.now().Add(planLife).UTC().Truncate(time.Second)
	b.plans[a.id] = a
	return nil
}

// take returns the agreement with the ID and marks it as used.
func (b *book) take(id, spends string) (*agreement, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, err := b.usable(id, spends)
	if err == nil {
		a.used = true
	}
	return a, err
}

// read returns the agreement with the ID and leaves it unused.
func (b *book) read(id, spends string) (*agreement, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.usable(id, spends)
}

// usable returns the agreement with the ID if it can be executed. The caller must repeat the amount,
// which shows that the model has read the plan.
func (b *book) usable(id, spends string) (*agreement, error) {
	a, known := b.plans[id]
	switch {
	case !known:
		return nil, ownErrorf("unknown plan_id: create a plan with one of the plan_ tools; plans do not survive a restart")
	case a.used:
		return nil, ownErrorf("this plan has already been used; read the task to see whether the action was carried out, and make a new plan if it was not")
	case !b.now().Before(a.expires):
		return nil, ownErrorf("this plan expired at %s; make a new one", market.FormatTime(a.expires))
	case spends != a.spends.String():
		return nil, ownErrorf("this plan spends %s wei, not %s; nothing was done", a.spends, spends)
	}
	return a, nil
}

type agreementKey struct{}

// review implements client.Options.Review. It accepts only the agreed plan, and counts its amount
// before anything is signed.
func (a *Agent) review(ctx context.Context, fresh client.Plan) error {
	agreed, ok := ctx.Value(agreementKey{}).(*agreement)
	if !ok {
		return ownErrorf("no plan is being executed, so nothing was signed: call execute_plan with a plan_id")
	}
	if err := agreed.plan.Covers(fresh); err != nil {
		return ownErrorf("%w; make a new plan", err)
	}
	return a.allow(ctx, agreed, fresh)
}

// resume implements client.Options.Resume. A transaction that was signed earlier, possibly by
// another program and for another action than the agreed one, is sent again only within the same
// limits.
func (a *Agent) resume(ctx context.Context, signed client.Plan) error {
	agreed, ok := ctx.Value(agreementKey{}).(*agreement)
	if !ok {
		return ownErrorf("no plan is being executed, so nothing was sent: call execute_plan with a plan_id")
	}
	if err := a.allow(ctx, agreed, signed); err != nil {
		return ownErrorf("a transaction for the action %q was signed earlier and must be sent first; it was not sent: %w", signed.Action, err)
	}
	return nil
}

// allow counts the plan's amount, or rejects the plan if it is not permitted, not confirmed, or exceeds
// the caps.
func (a *Agent) allow(ctx context.Context, agreed *agreement, p client.Plan) error {
	if market.ActOf(p.Action).Final && !a.final {
		return ownErrorf("this server is not allowed to perform the action %q: the operator can enable it with --allow-final", p.Action)
	}
	if err := a.checkApproved(agreed, p); err != nil {
		return err
	}
	return a.spending.spend(ctx, chargeOf(p))
}

// chargeOf returns the amount that a plan counts against the caps. A new posting counts each time,
// because it is paid for each time. Everything else counts once: a signed transaction is mined at
// most once, and an escrow or a stake is given up at most once. The charge's name for an escrow or
// a stake contains the chain ID and the terms hash, which the API cannot choose freely.
func chargeOf(p client.Plan) charge {
	money := market.ActOf(p.Action).Money
	switch {
	case money == market.MoneyLocked:
		return charge{name: "post " + p.ID, wei: orZero(p.Spends), once: p.Resumes}
	case p.StakeID != nil && money == market.MoneyForfeited:
		return charge{name: fmt.Sprintf("stake %d %d %s", p.ChainID, *p.StakeID, p.TermsHash), wei: orZero(p.Releases), once: true}
	case p.EscrowTaskID != nil:
		return charge{name: fmt.Sprintf("escrow %d %d %s", p.ChainID, *p.EscrowTaskID, p.TermsHash), wei: orZero(p.Releases), once: true}
	}
	return charge{wei: orZero(p.Releases)}
}
