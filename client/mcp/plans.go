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
	maxPlans  = 1000             // maximum number of stored plans
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
	if len(b.plans) >= maxPlans {
		return toolErrorf("too many plans; wait until earlier plans are removed, about an hour after they expire")
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
	a, ok := b.plans[id]
	switch {
	case !ok:
		return nil, toolErrorf("unknown plan_id: create a plan with one of the plan_ tools; plans do not survive a restart")
	case a.used:
		return nil, toolErrorf("this plan has already been used; read the task to see whether the action was carried out, and make a new plan if it was not")
	case !b.now().Before(a.expires):
		return nil, toolErrorf("this plan expired at %s; make a new one", market.FormatTime(a.expires))
	case spends != a.spends.String():
		return nil, toolErrorf("this plan spends %s wei, not %s; nothing was done", a.spends, spends)
	}
	return a, nil
}

// allow implements client.Options.Allow: it counts the plan's amount before anything is signed, or rejects the plan
// if it is not permitted or exceeds the caps. approve has asked for a person's confirmation of exactly this plan.
func (a *Agent) allow(ctx context.Context, p client.Plan) error {
	if err := a.mayPerform(p); err != nil {
		return err
	}
	return a.spending.spend(ctx, chargeOf(p))
}

// mayPerform returns an error for an act that needs AgentOptions.AllowFinal if it is not set.
func (a *Agent) mayPerform(p client.Plan) error {
	if market.ActOf(p.Action).Final && !a.final {
		return toolErrorf("this server is not allowed to perform the action %q: the operator can enable it with --allow-final", p.Action)
	}
	return nil
}

// allowOther implements client.Options.AllowOther. A transaction that was signed earlier for another plan, possibly
// by another program, is sent again only within the same limits, and not if a person must confirm it: that takes a
// plan of its own.
func (a *Agent) allowOther(ctx context.Context, p client.Plan) error {
	err := a.mayPerform(p)
	if err == nil && market.ActOf(p.Action).Final && !a.unconfirmed {
		err = toolErrorf("no person has confirmed it: plan and execute the action %q first", p.Action)
	}
	if err == nil {
		err = a.spending.spend(ctx, chargeOf(p))
	}
	if err != nil {
		return toolErrorf("a transaction for the action %q was signed earlier and must be sent first; it was not sent: %w", p.Action, err)
	}
	return nil
}

// chargeOf returns the amount that a plan counts against the caps. A named charge counts once: a key is paid for at
// most once, and an escrow or a stake is given up at most once. The name for an escrow or
// a stake contains the chain ID and the terms hash, which the API cannot choose freely.
func chargeOf(p client.Plan) charge {
	money := market.ActOf(p.Action).Money
	switch {
	case money == market.MoneyLocked:
		return charge{name: "post " + p.Key + " " + p.ID, wei: orZero(p.Spends)}
	case p.StakeID != nil && money == market.MoneyForfeited:
		return charge{name: fmt.Sprintf("stake %d %d %s", p.ChainID, *p.StakeID, p.TermsHash), wei: orZero(p.Releases)}
	case p.EscrowTaskID != nil:
		return charge{name: fmt.Sprintf("escrow %d %d %s", p.ChainID, *p.EscrowTaskID, p.TermsHash), wei: orZero(p.Releases)}
	}
	return charge{wei: orZero(p.Releases)}
}
