package rescue

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Request describes an exit to prepare.
type Request struct {
	Exit       string
	ID         uint64         // ID of the task or the application; unused for ExitWithdrawCredit
	Wallet     common.Address // the wallet that sends the transaction
	WorkHash   common.Hash    // hash of the work to submit; only if the exit needs it
	Signatures [][]byte       // signatures for a verdict, as returned by Rescue.Signatures
	// Replace means that the exit replaces the wallet's oldest pending transaction. Without it, a
	// pending transaction with too low a fee would block every exit.
	Replace bool

	contract common.Address // the contract in which the wallet has the credit
}

// Plan describes what an exit will send and its consequence. Making a plan signs nothing and sends
// nothing.
type Plan struct {
	client.Plan
	Receives *big.Int // amount that the wallet receives at once, in wei of the token
	// Replaces is the nonce of the pending transaction that this one replaces; nil if it replaces
	// none. If set, Transaction.MaxFee is the highest fee that a replacement offers.
	Replaces *uint64
}

// MarshalJSON encodes the plan with the additional fields of an exit.
func (p Plan) MarshalJSON() ([]byte, error) {
	raw, err := json.Marshal(p.Plan)
	if err != nil {
		return nil, err
	}
	members := make(map[string]json.RawMessage)
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	add := func(name, value string) { members[name] = json.RawMessage(strconv.Quote(value)) }
	add("receives", p.Receives.String())
	if p.Replaces != nil {
		add("replaces_nonce", strconv.FormatUint(*p.Replaces, 10))
	}
	for _, name := range []string{"plan_id", "key"} { // an exit is requested by its name, and has no journal
		delete(members, name)
	}
	return json.Marshal(members)
}

// Plan makes a plan for the exit and simulates it on the node. The error is market.KindInvalid if
// the exit is unknown or lacks an input, market.KindNotFound if there is no such record,
// market.KindForbidden if the wallet's role does not allow the exit, market.KindWrongStatus if the exit
// is not open now or Replace is set without a pending transaction, market.KindChainUnavailable if the
// node is unavailable, client.ErrNoGas, or the contract's own error, a *rpc.RevertError.
func (r *Rescue) Plan(ctx context.Context, o Request) (Plan, error) {
	exit, err := exitNamed(o.Exit)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Receives: new(big.Int)}
	p.Action, p.ChainID, p.Wallet = market.Action(o.Exit), r.deployment.ChainID, o.Wallet
	if exit.Act.Action != "" {
		p.Action = exit.Act.Action
	}
	var closed error // reason why the exit is not open under the rules; nil if it is open
	switch exit.Subject {
	case SubjectTask:
		closed, err = r.planTask(ctx, &p, exit, o)
	case SubjectApplication:
		closed, err = r.planStake(ctx, &p, exit, o)
	case SubjectWallet:
		err = r.planCredit(ctx, &p, exit, &o)
	}
	if err != nil {
		return Plan{}, err
	}
	call := exit.call(r.contracts, r.deployment, o)
	// The contract decides whether the exit is open, because the simulation uses a later block time
	// than the check of the rules.
	err = try(ctx, func(ctx context.Context) error { return r.reader.Simulate(ctx, o.Wallet, call) })
	if err != nil {
		if closed != nil && market.KindOf(err) == market.KindWouldRevert {
			return Plan{}, closed
		}
		return Plan{}, err
	}
	p.Simulated = true
	if o.Replace {
		if p.Replaces, err = r.oldestWaiting(ctx, o.Wallet); err != nil {
			return Plan{}, err
		}
	}
	return p, r.price(ctx, &p, call)
}

// planTask completes the plan for a task exit. closed is the reason why the exit is not open now.
func (r *Rescue) planTask(ctx context.Context, p *Plan, exit ExitType, o Request) (closed, err error) {
	if exit.Needs == NeedSignatures && len(o.Signatures) == 0 {
		return nil, market.Errorf(market.KindInvalid, "%s requires the validators' signatures", o.Exit)
	}
	if exit.Needs == NeedWorkHash && o.WorkHash == (common.Hash{}) {
		return nil, market.Errorf(market.KindInvalid, "%s requires a work hash that is not zero", o.Exit)
	}
	e, err := r.Task(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	head, err := ask(ctx, r.reader.Head)
	if err != nil {
		return nil, err
	}
	role := roleOf(e, o.Wallet)
	closed = recordOf(e, head.Time).Allow(exit.Act.Action, exit.roleFor(role), head.Time)
	if market.KindOf(closed) == market.KindForbidden {
		return nil, closed
	}
	p.EscrowTaskID, p.FeeBasisPoints = &o.ID, e.FeeBasisPoints
	p.Consequence = exit.effectFor(role)
	if exit.moves != nil {
		exit.moves(p, e, role)
	}
	return closed, nil
}

// planStake completes the plan for an application exit.
func (r *Rescue) planStake(ctx context.Context, p *Plan, exit ExitType, o Request) (closed, err error) {
	stakes, err := r.stakes(ctx, []uint64{o.ID})
	if err != nil {
		return nil, err
	}
	s, role, owner := stakes[o.ID], market.RoleApplicant, stakes[o.ID].Human
	if slices.Contains(exit.Act.Parties, market.RoleAgent) {
		role, owner = market.RoleAgent, s.Agent
	}
	switch {
	case s.TaskID == 0:
		return nil, market.Errorf(market.KindNotFound, "there is no application %d in the staking contract", o.ID)
	case owner != o.Wallet:
		return nil, market.Errorf(market.KindForbidden, "only the task's %s can %s application %d", role, exit.Name, o.ID)
	case s.Status != market.StakeLive:
		closed = market.Errorf(market.KindWrongStatus, "application %d is no longer pending: it was accepted, or its stake was returned or forfeited", o.ID)
	}
	p.StakeID, p.Stake, p.EscrowTaskID = &o.ID, s.Amount, &s.TaskID
	p.Consequence = exit.effectFor(role)
	if exit.Act.Money == market.MoneyReturned {
		p.Receives = s.Amount
	}
	return closed, nil
}

// planCredit finds a contract in which the wallet has a credit, and completes the plan for its
// withdrawal.
func (r *Rescue) planCredit(ctx context.Context, p *Plan, exit ExitType, o *Request) error {
	c := contracts.NewEscrow() // also used for the staking contract, which has the same view
	for _, contract := range []common.Address{r.deployment.Escrow, r.deployment.Staking} {
		amount, err := view(ctx, r, contract, c.PackWithdrawable(o.Wallet), c.UnpackWithdrawable)
		if err != nil {
			return err
		}
		if amount.Sign() > 0 {
			o.contract, p.Receives, p.Consequence = contract, amount, exit.effect
			return nil
		}
	}
	return market.Errorf(market.KindWrongStatus, "wallet %s has no credit to withdraw", o.Wallet)
}

// Task reads the current state of a task from the escrow. Amount is the amount that is still
// locked.
func (r *Rescue) Task(ctx context.Context, id uint64) (*market.EscrowTask, error) {
	tasks, err := r.tasks(ctx, []uint64{id})
	if err != nil {
		return nil, err
	}
	if tasks[id].Status == market.ChainNone {
		return nil, market.Errorf(market.KindNotFound, "there is no task %d in the escrow %s", id, r.deployment.Escrow)
	}
	return tasks[id], nil
}

// price adds the transaction with its gas and fees to the plan. It returns client.ErrNoGas if the
// wallet's balance is too low.
func (r *Rescue) price(ctx context.Context, p *Plan, call chain.Call) error {
	sender := r.sender(onlooker(p.Wallet))
	gas, err := ask(ctx, func(ctx context.Context) (uint64, error) { return sender.Estimate(ctx, call) })
	if err != nil {
		return err
	}
	fees, err := ask(ctx, sender.Fees)
	if err != nil {
		return err
	}
	coin, err := askOwn(ctx, r, func(ctx context.Context) (*big.Int, error) { return r.eth.BalanceAt(ctx, p.Wallet, nil) })
	if err != nil {
		return unavailable("read a balance from the node", err)
	}
	if p.Replaces != nil {
		fees = r.replacing(fees, new(big.Int).Quo(coin, number(max(gas, 1))))
	}
	p.Transaction = &client.PlannedTransaction{To: call.To, Data: call.Data, Gas: gas, Tip: fees.Tip, MaxFee: fees.Limit}
	p.GasCost = new(big.Int).Mul(fees.Limit, number(gas))
	if coin.Cmp(p.GasCost) < 0 {
		return fmt.Errorf("%w: it has %s and may need up to %s",
			client.ErrNoGas, market.FormatAmount(coin, market.ChainCoin), market.FormatAmount(p.GasCost, market.ChainCoin))
	}
	return nil
}
