package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
	"taskmarket/client/internal/tx"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrMovedOn is returned when an action was signed earlier and the task, which
// somebody else has moved on, does not allow it any more. Nothing was sent by
// this call. The action is kept as long as what was signed can still be mined,
// and forgotten then.
var ErrMovedOn = errors.New("the task has moved on and does not allow it any more")

// Outcome is what an action came to.
type Outcome struct {
	Task Task // as the API shows it now; it may lag behind the chain a little
	// TxHash is of the transaction that was sent and mined; nil when none was
	// needed, because the chain shows the action already.
	TxHash *common.Hash
}

// awaitAPI is how long a mined action is waited for at the API.
const awaitAPI = 30 * time.Second

// errNotShown: the API does not show yet what the chain has.
var errNotShown = errors.New("the API does not show it yet")

// order is an action as it was asked for.
type order struct {
	kind
	task        uuid.UUID
	application *uuid.UUID
	reason      string
}

// key names the order's flow: a task has one acceptance, but any number of
// rejections.
func (o order) key(wallet common.Address, chainID uint64) string {
	key := fmt.Sprintf("%s %s by %s on chain %d", o.name, o.task, wallet, chainID)
	if o.name == market.ActionReject {
		key += fmt.Sprintf(", application %s", o.application)
	}
	return key
}

// action is one run of an order.
type action struct {
	session
	order
	record   Task
	escrowID uint64       // the task's number in the escrow
	applied  *Application // the application that it is about
	stake    *uint64      // that application's number; nil when it has no stake
	staked   contracts.IApplicationStakingStakeView
	txHash   *common.Hash
}

// newAction reads what the order is about and holds it to the chain.
func (c *Client) newAction(ctx context.Context, w session, o order) (*action, error) {
	a := &action{session: w, order: o}
	var err error
	if a.record, err = c.Task(ctx, o.task); err != nil {
		return nil, err
	}
	if a.escrowID, err = a.own(ctx, a.record); err != nil || o.application == nil {
		return a, err
	}
	application, err := c.application(ctx, o.task, *o.application)
	if err != nil {
		return nil, err
	}
	a.applied = &application
	if application.OnchainApplicationID == nil {
		if o.name == market.ActionReject {
			return a, nil
		}
		return nil, fmt.Errorf("application %s has no stake yet", application.ID)
	}
	return a, a.readStake(ctx, application)
}

// planOf makes the order's plan.
func (c *Client) planOf(ctx context.Context, o order) (Plan, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return Plan{}, err
	}
	a, err := c.newAction(ctx, w, o)
	if err != nil {
		return Plan{}, err
	}
	if a.flow, err = a.flows.Load(ctx, o.key(a.signer.Address(), a.deployment.ChainID)); err != nil {
		return Plan{}, err
	}
	return a.plan(ctx)
}

// perform carries the order out, or on; resumed is for one that must be under way.
func (c *Client) perform(ctx context.Context, o order, resumed bool) (*action, Outcome, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return nil, Outcome{}, err
	}
	key := o.key(w.signer.Address(), w.deployment.ChainID)
	unlock, err := w.flows.Lock(ctx, key)
	if err != nil {
		return nil, Outcome{}, err
	}
	defer unlock()
	a, err := c.newAction(ctx, w, o)
	if err != nil {
		return nil, Outcome{}, err
	}
	if err := a.load(ctx, key, resumed); err != nil {
		return nil, Outcome{}, err
	}
	if err := a.run(ctx); err != nil {
		return nil, Outcome{}, err
	}
	if err := a.forget(ctx); err != nil {
		return nil, Outcome{}, err
	}
	after, err := c.Task(ctx, o.task)
	return a, Outcome{Task: after, TxHash: a.txHash}, err
}

// load takes up the order's flow, or, where none must be there, begins one that is
// not saved yet.
func (a *action) load(ctx context.Context, key string, must bool) (err error) {
	if a.flow, err = a.flows.Load(ctx, key); err != nil {
		return err
	}
	if a.flow == nil && must {
		return ErrEnded
	}
	if a.flow != nil && a.signed() {
		if was := a.flow.ApplicationID; was != nil && *was != *a.application {
			return fmt.Errorf("%w: application %s", ErrUnderWay, was)
		}
		return nil
	}
	a.flow = &Flow{
		Key: key, Action: a.name, ChainID: a.deployment.ChainID, Wallet: a.signer.Address(),
		TaskID: &a.task, ApplicationID: a.application, Reason: a.reason,
	}
	return nil
}

// run takes the steps that are left.
func (a *action) run(ctx context.Context) error {
	if a.signed() {
		if err := a.client.resume(ctx, a.outline); err != nil {
			return err
		}
		if done, err := a.movedOn(ctx); done || err != nil {
			return err
		}
		return a.finish(ctx)
	}
	plan, err := a.plan(ctx)
	if err != nil {
		return err
	}
	if plan.Done {
		return a.await(ctx)
	}
	if err := a.client.review(ctx, plan); err != nil {
		return err
	}
	a.agreed = plan.Transaction
	if done, err := a.announce(ctx); done || err != nil {
		return err
	}
	if err := a.send(ctx, func() (chain.Call, error) { return a.call(a), nil }); err != nil {
		return err
	}
	return a.finish(ctx)
}

// announce has the API keep what it must know before the call is sent. It
// reports whether that was all: there is no call to send, or the chain shows it.
func (a *action) announce(ctx context.Context) (done bool, err error) {
	if !a.keeps {
		return false, nil // the plan holds the proposal already
	}
	if err := a.save(ctx); err != nil {
		return false, err
	}
	proposed, err := a.proposed(ctx)
	if _, refused := errors.AsType[*APIError](err); refused {
		return false, errors.Join(err, a.forget(ctx))
	}
	if err != nil || proposed.nothing {
		return proposed.nothing, err
	}
	return proposed.done, a.believe(ctx, proposed)
}

// believe waits for the chain to show what the API says is done already. The
// node may lag behind the API's; an action that the chain never shows is none.
func (a *action) believe(ctx context.Context, proposed proposal) error {
	if !proposed.done {
		return nil
	}
	deadline := time.Now().Add(min(awaitAPI, a.wallet.Patience))
	for wait := poll.First; ; wait = poll.Next(wait) {
		done, err := a.onChain(ctx)
		switch {
		case done || err != nil && !node.Unavailable(err):
			return err
		case time.Now().After(deadline):
			return errors.Join(fmt.Errorf("%w: it says that this is done already, which the chain does not show", ErrOtherCall), err)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// proposed returns the API's proposal once it is exactly the call that we want.
func (a *action) proposed(ctx context.Context) (proposal, error) {
	p, err := a.propose(ctx, a)
	if err != nil {
		return p, err
	}
	if p.nothing {
		if a.stake != nil {
			return p, fmt.Errorf("%w: it has none, although application %s has a stake", ErrOtherCall, a.application)
		}
		return p, nil
	}
	if a.application != nil && a.stake == nil {
		return p, fmt.Errorf("application %s has a stake only now; ask again", a.application)
	}
	return p, p.check(a.call(a), a.deployment.ChainID)
}

// outline is the part of a plan that the records say, without asking the chain.
func (a *action) outline() (Plan, error) {
	fee, err := basisPoints(a.record.FeeBasisPoints)
	if err != nil {
		return Plan{}, err
	}
	terms, err := a.terms(a.record)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{
		Action: a.name, TaskID: &a.task, ApplicationID: a.application, EscrowTaskID: &a.escrowID, ChainID: a.deployment.ChainID,
		Wallet: a.signer.Address(), TermsHash: new(terms.Hash()), FeeBasisPoints: fee,
		Fee: market.Fee(terms.Amount, fee), Payout: market.Payout(terms.Amount, fee), Consequence: a.consequence,
	}
	if a.stake != nil {
		p.Human, p.StakeID, p.Stake = &a.staked.Human, a.stake, a.staked.Amount
	}
	switch a.name { //nolint:exhaustive // the others give nothing up
	case market.ActionAccept, market.ActionApprove:
		p.Releases = terms.Amount
	case market.ActionReject:
		p.Releases = p.Stake
	}
	return p, nil
}

// plan makes the plan of the order as things are now.
func (a *action) plan(ctx context.Context) (Plan, error) {
	p, err := a.outline()
	if err != nil {
		return Plan{}, err
	}
	bare := a.application != nil && a.stake == nil
	if bare {
		p.Consequence = "The application, which has no stake, is turned down at once; nothing is sent to the chain."
	}
	if err := a.subject(ctx, &p); err != nil {
		return Plan{}, err
	}
	p.ID, err = planID(p.Action, a.deployment.Deployment, p.Wallet, a.task, a.application, *p.TermsHash, a.reason,
		p.Human, p.StakeID, decimal(p.Stake), p.WorkHash)
	if err != nil {
		return Plan{}, err
	}
	if p.Resumes = a.flow != nil && a.signed(); p.Resumes || bare {
		return p, nil
	}
	if p.Done, err = a.isDone(ctx); err != nil || p.Done {
		return p, err
	}
	if p.WorkHash != nil {
		terms, err := a.terms(a.record)
		if err != nil {
			return p, err
		}
		if _, err := a.shownWork(ctx, terms, *p.Human, *p.WorkHash); err != nil {
			return p, err
		}
	}
	return p, a.try(ctx, &p)
}

// subject puts the work that an approval is about into the plan, as the chain has it.
func (a *action) subject(ctx context.Context, p *Plan) error {
	if a.name != market.ActionApprove {
		return nil
	}
	human, work, err := a.workOnChain(ctx)
	if err != nil || work == (common.Hash{}) {
		return err // without work the contract refuses, in its own words
	}
	p.Human, p.WorkHash = &human, &work
	return nil
}

// isDone asks the chain whether it shows the action already. Where asking leaves
// nothing behind the API is asked as well: it may have seen more of the chain.
func (a *action) isDone(ctx context.Context) (bool, error) {
	done, err := a.onChain(ctx)
	if done || err != nil || a.keeps {
		return done, err
	}
	proposed, err := a.proposed(ctx)
	if err != nil {
		return false, err
	}
	return proposed.done, a.believe(ctx, proposed)
}

// onChain reports whether the chain shows the action.
func (a *action) onChain(ctx context.Context) (bool, error) {
	held, err := a.heldTask(ctx)
	if err != nil {
		return false, err
	}
	return a.done(ctx, a, held)
}

func (a *action) heldTask(ctx context.Context) (contracts.IEscrowTaskView, error) {
	escrow := contracts.NewEscrow()
	return node.View(ctx, a.node, "the task in the escrow", a.deployment.Escrow, escrow.PackGetTask(bigID(a.escrowID)), escrow.UnpackGetTask)
}

// try prices the call, which the node measures by running it.
func (a *action) try(ctx context.Context, p *Plan) error {
	call := a.call(a)
	gas, err := a.wallet.Sender.Estimate(ctx, call)
	if err != nil {
		return err
	}
	p.Simulated = true
	return a.price(ctx, p, call, gas)
}

// movedOn looks at the world before a signed call goes on. It reports
// whether somebody else has brought the task where the call would. Where the call
// has become impossible it goes on no further, and the flow ends once another
// transaction has its nonce for good: before, the node may not tell the truth, or
// a reorganisation may bring the task back.
func (a *action) movedOn(ctx context.Context) (done bool, err error) {
	txs, err := a.flow.transactions()
	if err != nil {
		return false, err
	}
	if receipt, err := a.wallet.Receipt(ctx, txs); receipt != nil || err != nil {
		return false, notAway(err)
	}
	reader := chain.NewReader(a.node.Chain, a.deployment.calls)
	impossible := reader.Simulate(ctx, a.signer.Address(), a.call(a))
	if _, refused := errors.AsType[*chain.RevertError](impossible); !refused {
		return false, notAway(impossible)
	}
	if receipt, err := a.wallet.Receipt(ctx, txs); receipt != nil || err != nil {
		return false, notAway(err) // it was mined in between, and that is why
	}
	if done, err = a.onChain(ctx); done {
		return true, nil
	}
	moved := fmt.Errorf("%w: %w", ErrMovedOn, errors.Join(impossible, err))
	if errors.Is(a.wallet.Replaced(ctx, txs), tx.ErrReplaced) {
		return false, errors.Join(moved, a.forget(ctx))
	}
	return false, moved
}

// notAway drops the error of a node that could not be asked: whoever waits for
// the transaction waits for the node as well.
func notAway(err error) error {
	if node.Unavailable(err) {
		return nil
	}
	return err
}

// finish waits until the call is mined and the API shows it. A reorganisation
// between the two brings it back to the same transaction.
func (a *action) finish(ctx context.Context) error {
	deadline := time.Now().Add(a.wallet.Patience)
	for looks := 1; ; looks++ {
		receipt, err := a.mined(ctx)
		if errors.Is(err, tx.ErrReplaced) {
			return errors.Join(fmt.Errorf("%w; ask again to send another", err), a.forget(ctx))
		}
		if err != nil {
			return err
		}
		if receipt.Status != types.ReceiptStatusSuccessful {
			return errors.Join(fmt.Errorf("%w: %s", ErrFailed, receipt.TxHash), a.forget(ctx))
		}
		a.txHash = &receipt.TxHash
		err = a.show(ctx)
		switch {
		case errors.Is(err, errNotShown) && looks > 1:
			return nil // the chain has it, so an API that lags is no failure
		case errors.Is(err, errNotShown):
		case err == nil || !later(err) || time.Now().After(deadline):
			return err
		}
		if err := poll.Pause(ctx, poll.Longest/2); err != nil {
			return err
		}
	}
}

// show points the API at the transaction, or waits until it has found it.
func (a *action) show(ctx context.Context) error {
	if a.name != market.ActionAccept {
		return a.awaitShown(ctx)
	}
	_, err := a.client.ConfirmAcceptance(ctx, a.task, *a.txHash)
	return err
}

// await gives the API a while to show what the chain has.
func (a *action) await(ctx context.Context) error {
	if err := a.awaitShown(ctx); !errors.Is(err, errNotShown) {
		return err
	}
	return nil
}

func (a *action) awaitShown(ctx context.Context) error {
	deadline := time.Now().Add(awaitAPI)
	for wait := poll.First; time.Now().Before(deadline); wait = poll.Next(wait) {
		yes, err := a.shows(ctx, a)
		if yes || err != nil {
			return err
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
	return errNotShown
}
