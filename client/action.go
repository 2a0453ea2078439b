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
	"taskmarket/chain/rpc"
	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
	"taskmarket/client/internal/tx"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrMovedOn is returned when an action was signed earlier, but the task has changed since and the
// contract no longer accepts it. This call sent nothing. The saved action stays in the journal
// while its transaction can still be mined and is removed after that.
var ErrMovedOn = errors.New("the task has changed and no longer allows this action")

// awaitAPI limits the wait for the API to show a mined action, and the wait for our node to show an
// action that the API reports as done.
const awaitAPI = 30 * time.Second

// errNotShown means that the API does not show the mined action yet.
var errNotShown = errors.New("the API does not show it yet")

// flowKey returns the journal key of the request's flow. A task can be accepted only once, but each of its
// applications can be rejected, so only a rejection's key includes the application.
func (o ActionRequest) flowKey(wallet common.Address, chainID uint64) string {
	key := fmt.Sprintf("%s %s by %s on chain %d", o.Action, o.TaskID, wallet, chainID)
	if act, _ := market.ActNamed(string(o.Action)); act.Money == market.MoneyForfeited {
		key += fmt.Sprintf(", application %s", o.Application)
	}
	return key
}

// action is the execution of an ActionRequest that is a call about a task.
type action struct {
	session
	kind
	act      market.Act
	request  ActionRequest
	record   Task
	escrowID uint64       // the task's ID in the escrow contract
	applied  *Application // the application to accept or reject
	stake    *uint64      // the application's ID in the staking contract; nil if it has no stake
	staked   contracts.IApplicationStakingStakeView
	txHash   *common.Hash
}

// newAction reads the task and the application of the request and verifies them on the chain.
func (c *Client) newAction(ctx context.Context, w session, o ActionRequest) (*action, error) {
	k, ok := kindOf(o.Action)
	if !ok {
		return nil, fmt.Errorf("the agent's client cannot perform the action %q", o.Action)
	}
	a := &action{session: w, kind: k, act: market.ActOf(o.Action), request: o}
	var err error
	if a.record, err = c.Task(ctx, o.TaskID); err != nil {
		return nil, err
	}
	if a.escrowID, err = a.escrowTask(ctx, a.record); err != nil || !a.act.OnApplication() {
		return a, err
	}
	application, err := c.application(ctx, o.TaskID, o.Application)
	if err != nil {
		return nil, err
	}
	a.applied = &application
	if application.OnchainApplicationID == nil {
		if a.act.Money == market.MoneyForfeited {
			return a, nil // there is nothing to forfeit, so the API rejects it without a call
		}
		return nil, fmt.Errorf("application %s is %s and has no stake; only a pending application with a locked stake can be accepted", application.ID, application.Status)
	}
	return a, a.readStake(ctx, application)
}

// planAction returns the plan for the request.
func (c *Client) planAction(ctx context.Context, o ActionRequest) (Plan, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return Plan{}, err
	}
	a, err := c.newAction(ctx, w, o)
	if err != nil {
		return Plan{}, err
	}
	if a.flow, err = a.flows.Load(ctx, a.key()); err != nil {
		return Plan{}, err
	}
	return a.plan(ctx)
}

// executeAction executes the plan, or continues what its key has in the journal.
func (c *Client) executeAction(ctx context.Context, plan Plan) (Outcome, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return Outcome{}, err
	}
	unlock, err := w.flows.Lock(ctx, plan.Request.flowKey(w.signer.Address(), w.deployment.ChainID))
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	w.agreed = plan
	a, err := c.newAction(ctx, w, plan.Request)
	if err != nil {
		return Outcome{}, err
	}
	if err := a.load(ctx); err != nil {
		return Outcome{}, err
	}
	if err := a.run(ctx); err != nil {
		return Outcome{}, err
	}
	if err := a.remove(ctx); err != nil {
		return Outcome{}, err
	}
	after, err := c.Task(ctx, a.request.TaskID)
	return Outcome{Task: after, Application: a.applied, TxHash: a.txHash}, err
}

// key returns the key of the action's flow.
func (a *action) key() string { return a.request.flowKey(a.signer.Address(), a.deployment.ChainID) }

// load loads the plan's flow from the journal. If there is none, it returns ErrEnded if there was one when the plan
// was made; otherwise it creates a flow without saving it. It also replaces a flow without signed
// transactions. ErrUnderWay means that another application for the task is already being accepted.
func (a *action) load(ctx context.Context) (err error) {
	if a.flow, err = a.flows.Load(ctx, a.key()); err != nil {
		return err
	}
	if a.flow == nil && a.agreed.saved {
		return ErrEnded
	}
	if a.flow != nil && a.flow.signed() {
		if was := a.flow.ApplicationID; was != nil && *was != a.request.Application {
			return fmt.Errorf("%w: the acceptance of application %s is signed but not finished", ErrUnderWay, was)
		}
		return nil
	}
	a.flow = &Flow{
		Key: a.key(), Action: a.act.Action, ChainID: a.deployment.ChainID, Wallet: a.signer.Address(),
		TaskID: &a.request.TaskID, ApplicationID: a.application(), Reason: a.request.Reason,
	}
	return nil
}

// application returns the ID of the application that the action is about; nil if it is about the task.
func (a *action) application() *uuid.UUID {
	if !a.act.OnApplication() {
		return nil
	}
	return &a.request.Application
}

// run executes the remaining steps of the action.
func (a *action) run(ctx context.Context) error {
	if a.flow.signed() {
		if err := a.allowAgain(ctx); err != nil {
			return err
		}
		if done, err := a.superseded(ctx); done || err != nil {
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
	if err := a.allow(ctx, plan); err != nil {
		return err
	}
	if done, err := a.prepare(ctx); done || err != nil {
		return err
	}
	if err := a.send(ctx, func() (chain.Call, error) { return a.call(a), nil }); err != nil {
		return err
	}
	return a.finish(ctx)
}

// allowAgain calls Options.Allow before the signed call is sent again.
func (a *action) allowAgain(ctx context.Context) error {
	p, err := a.outline()
	if err != nil {
		return err
	}
	return allowAgain(ctx, a.client.options.Allow, p)
}

// prepare saves the flow and requests the call from the API, if the API must store a record before
// the call is sent. done means that the action is finished: either no call is needed, or the chain
// already shows the action.
func (a *action) prepare(ctx context.Context) (done bool, err error) {
	if !a.act.Record {
		return false, nil // isDone has already requested and checked the API's proposal
	}
	if err := a.save(ctx); err != nil {
		return false, err
	}
	proposed, err := a.proposed(ctx)
	if _, refused := errors.AsType[*APIError](err); refused {
		return false, errors.Join(err, a.remove(ctx))
	}
	if err != nil || proposed.noCall {
		return proposed.noCall, err
	}
	return proposed.done, a.awaitDone(ctx, proposed)
}

// awaitDone waits until the chain shows an action that the API reports as done, because our node
// may lag behind the API's. It returns ErrOtherCall if the action does not appear in time.
func (a *action) awaitDone(ctx context.Context, proposed proposal) error {
	if !proposed.done {
		return nil
	}
	deadline := time.Now().Add(min(awaitAPI, a.wallet.MineTimeout))
	for wait := poll.First; ; wait = poll.Next(wait) {
		done, err := a.onChain(ctx)
		switch {
		case done || err != nil && !node.Unavailable(err):
			return err
		case time.Now().After(deadline):
			return errors.Join(fmt.Errorf("%w: it reports the action as done, but the node did not show it on the chain in time", ErrOtherCall), err)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// proposed returns the API's proposal after checking that it is exactly the requested call.
func (a *action) proposed(ctx context.Context) (proposal, error) {
	p, err := a.propose(ctx, a)
	if err != nil {
		return p, err
	}
	if p.noCall {
		if a.stake != nil {
			return p, fmt.Errorf("%w: it contains no call, although application %s has a stake", ErrOtherCall, a.request.Application)
		}
		return p, nil
	}
	if a.applied != nil && a.stake == nil {
		return p, fmt.Errorf("a stake was locked for application %s in the meantime; nothing was signed; try again", a.request.Application)
	}
	return p, p.check(a.call(a), a.deployment.ChainID)
}

// outline returns the part of a plan that needs no further request to the API or the node.
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
		Key: a.key(), Request: a.request, saved: a.flow != nil,
		Action: a.act.Action, TaskID: &a.request.TaskID, ApplicationID: a.application(), EscrowTaskID: &a.escrowID, ChainID: a.deployment.ChainID,
		Wallet: a.signer.Address(), TermsHash: new(terms.Hash()), FeeBasisPoints: fee,
		Fee: market.Fee(terms.Amount, fee), Payout: market.Payout(terms.Amount, fee), Consequence: a.act.EffectInWords(market.RoleAgent),
	}
	if a.stake != nil {
		p.Human, p.StakeID, p.Stake = &a.staked.Human, a.stake, a.staked.Amount
	}
	switch a.act.Money { //nolint:exhaustive // the others release nothing
	case market.MoneyPromised:
		p.Releases = terms.Amount
	case market.MoneyForfeited:
		p.Releases = p.Stake
	}
	return p, nil
}

// plan returns the plan for the request in the current state.
func (a *action) plan(ctx context.Context) (Plan, error) {
	p, err := a.outline()
	if err != nil {
		return Plan{}, err
	}
	bare := a.applied != nil && a.stake == nil
	if bare {
		p.Consequence = "The application, which has no stake, is rejected at once; nothing is sent to the chain."
	}
	if err := a.subject(ctx, &p); err != nil {
		return Plan{}, err
	}
	p.ID, err = planID(p.Action, a.deployment.Deployment, p.Wallet, a.request.TaskID, a.application(), *p.TermsHash, a.request.Reason,
		p.Human, p.StakeID, decimal(p.Stake), p.WorkHash)
	if err != nil {
		return Plan{}, err
	}
	if p.Resumes = a.flow != nil && a.flow.signed(); p.Resumes || bare {
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
		if _, err := a.verifiedWork(ctx, terms, *p.Human, *p.WorkHash); err != nil {
			return p, err
		}
	}
	return p, a.try(ctx, &p)
}

// subject adds the submitted work, as recorded on the chain, to the plan for an approval.
func (a *action) subject(ctx context.Context, p *Plan) error {
	if !a.work {
		return nil
	}
	human, work, err := a.workOnChain(ctx)
	if err != nil || work == (common.Hash{}) {
		return err // if no work was submitted, the contract rejects the call and gives the reason
	}
	p.Human, p.WorkHash = &human, &work
	return nil
}

// isDone reports whether the chain already shows the action. For actions whose request stores
// nothing in the API, it also queries the API, which may have seen newer blocks.
func (a *action) isDone(ctx context.Context) (bool, error) {
	done, err := a.onChain(ctx)
	if done || err != nil || a.act.Record {
		return done, err
	}
	proposed, err := a.proposed(ctx)
	if err != nil {
		return false, err
	}
	return proposed.done, a.awaitDone(ctx, proposed)
}

// onChain reports whether the chain shows the action.
func (a *action) onChain(ctx context.Context) (bool, error) {
	task, err := a.taskView(ctx)
	if err != nil {
		return false, err
	}
	return a.done(ctx, a, task)
}

func (a *action) taskView(ctx context.Context) (contracts.IEscrowTaskView, error) {
	escrow := contracts.NewEscrow()
	return node.View(ctx, a.node, "the task in the escrow", a.deployment.Escrow, escrow.PackGetTask(bigID(a.escrowID)), escrow.UnpackGetTask)
}

// try estimates the gas for the call and adds its price to the plan. The node executes the call to
// estimate its gas, so a call that the contract rejects results in an error.
func (a *action) try(ctx context.Context, p *Plan) error {
	call := a.call(a)
	gas, err := a.wallet.Sender.Estimate(ctx, call)
	if err != nil {
		return err
	}
	p.Simulated = true
	return a.price(ctx, p, call, gas)
}

// superseded checks the chain before a signed call is sent again. done means that another
// transaction has already had the same effect.
//
// If the contract now rejects the call, it returns ErrMovedOn. The flow is removed only when
// another transaction has used the nonce in a finalized block. Until then, a reorganisation could
// restore the task's earlier state, or the node could be wrong.
func (a *action) superseded(ctx context.Context) (done bool, err error) {
	txs, err := a.flow.transactions()
	if err != nil {
		return false, err
	}
	if receipt, err := a.wallet.Receipt(ctx, txs); receipt != nil || err != nil {
		return false, ignoreUnavailable(err)
	}
	reader := chain.NewReader(a.node.Chain, a.deployment.calls)
	impossible := reader.Simulate(ctx, a.signer.Address(), a.call(a))
	if _, refused := errors.AsType[*rpc.RevertError](impossible); !refused {
		return false, ignoreUnavailable(impossible)
	}
	if receipt, err := a.wallet.Receipt(ctx, txs); receipt != nil || err != nil {
		return false, ignoreUnavailable(err) // the simulation failed because the call has been mined since
	}
	if done, err = a.onChain(ctx); done {
		return true, nil
	}
	moved := fmt.Errorf("%w: %w", ErrMovedOn, errors.Join(impossible, err))
	if errors.Is(a.wallet.Replaced(ctx, txs), tx.ErrReplaced) {
		return false, errors.Join(moved, a.remove(ctx))
	}
	return false, moved
}

// ignoreUnavailable drops the error from an unreachable node, because the later wait for the
// transaction retries until the node is reachable.
func ignoreUnavailable(err error) error {
	if node.Unavailable(err) {
		return nil
	}
	return err
}

// finish waits until the call is mined and the API shows it. If a reorganisation drops the
// transaction before the API shows it, finish waits for the same transaction again. If the API still does not
// show it then, finish returns no error.
func (a *action) finish(ctx context.Context) error {
	deadline := time.Now().Add(a.wallet.MineTimeout)
	for round := 1; ; round++ {
		receipt, err := a.mined(ctx)
		if errors.Is(err, tx.ErrReplaced) {
			return errors.Join(fmt.Errorf("%w; try again to send a new transaction", err), a.remove(ctx))
		}
		if err != nil {
			return err
		}
		if receipt.Status != types.ReceiptStatusSuccessful {
			return errors.Join(fmt.Errorf("%w: %s", ErrFailed, receipt.TxHash), a.remove(ctx))
		}
		a.txHash = &receipt.TxHash
		err = a.show(ctx)
		switch {
		case errors.Is(err, errNotShown) && round > 1:
			return nil // the action is mined; a lagging API is not an error
		case errors.Is(err, errNotShown):
		case err == nil || !apiLags(err) || time.Now().After(deadline):
			return err
		}
		if err := poll.Pause(ctx, poll.Longest/2); err != nil {
			return err
		}
	}
}

// show makes the API show the mined action: it sends the transaction's hash to the API, or waits until the API has
// found the transaction.
func (a *action) show(ctx context.Context) error {
	if a.confirm == nil {
		return a.awaitShown(ctx)
	}
	_, err := a.confirm(a.client, ctx, a.request.TaskID, *a.txHash)
	return err
}

// await waits up to awaitAPI until the API shows the mined action. It returns no error if the API
// does not show it in time.
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
