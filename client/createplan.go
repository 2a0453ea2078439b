package client

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client/internal/node"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// postingGas is the gas limit in the plan for a posting, which the signed transaction does not
// exceed. It is constant because a node can estimate a posting only with a signed permit. A posting
// uses about 112,000 gas, and 35,000 more if it is the wallet's first.
const postingGas = 180_000

// refusedForAllowance is the name of the token's error for a transfer without an allowance.
const refusedForAllowance = "ERC20InsufficientAllowance"

func (c *Client) planCreation(ctx context.Context, request ActionRequest) (Plan, error) {
	run, err := c.newCreation(ctx, *request.Task)
	if err != nil {
		return Plan{}, err
	}
	print, err := run.fingerprint()
	if err != nil {
		return Plan{}, err
	}
	if run.flow, err = run.flows.Load(ctx, run.key()); err != nil {
		return Plan{}, err
	}
	if err := run.checkSigned(ctx); err != nil {
		return Plan{}, err
	}
	if run.flow == nil {
		if err := run.request.valid(); err != nil {
			return Plan{}, err
		}
		return run.plan(ctx, nil)
	}
	if err := run.flow.checkRequest(print); err != nil {
		return Plan{}, err
	}
	if run.flow.TaskID == nil {
		return run.plan(ctx, nil)
	}
	task, err := c.Task(ctx, *run.flow.TaskID)
	if err != nil {
		return Plan{}, err
	}
	if err := run.check(task); err != nil {
		return Plan{}, err
	}
	if run.flow.Agreed && !run.flow.Signed() { // another program may have sent the payment
		if run.flow.Paid, err = run.paidFor(ctx, task, run.flow.since(task)); err != nil {
			return Plan{}, err
		}
	}
	return run.plan(ctx, &task)
}

// outline returns the part of a plan that needs no permit. The task is nil if it has no record yet.
func (r *creation) outline(ctx context.Context, task *Task) (Plan, error) {
	fee, err := r.feeOf(ctx, task)
	if err != nil {
		return Plan{}, err
	}
	request := Fund(r.request)
	act := market.ActOf(request.Action)
	p := Plan{
		Key: r.key(), Request: request, saved: r.flow != nil,
		Action: act.Action, ChainID: r.deployment.ChainID, Wallet: r.signer.Address(),
		Title: r.request.Title, TaskDeadline: r.request.body().Deadline.Optional(),
		Spends: r.request.Amount, FeeBasisPoints: fee, Fee: market.Fee(r.request.Amount, fee),
		Payout: market.Payout(r.request.Amount, fee), Spender: &r.deployment.Escrow,
		Consequence: act.EffectInWords(market.RoleAgent),
	}
	if task != nil {
		p.TaskID, p.TermsHash = &task.ID, new(common.HexToHash(task.TermsHash))
	}
	p.ID, err = planID(p.Action, r.deployment.Deployment, p.Wallet, r.request.body(), fee)
	return p, err
}

// plan returns the plan for a posting. The task is nil if it has no record yet.
func (r *creation) plan(ctx context.Context, task *Task) (Plan, error) {
	p, err := r.outline(ctx, task)
	if err != nil {
		return Plan{}, err
	}
	if p.Done, p.Resumes = r.progress(); p.Done || p.Resumes {
		return p, nil
	}
	if task != nil {
		if err := CheckShown(*task); err != nil {
			return Plan{}, err
		}
	}
	data, expires, err := r.permit(ctx)
	if err != nil {
		return Plan{}, err
	}
	p.Signature, p.Deadline = &data, new(time.Unix(expires.Int64(), 0).UTC())
	var terms common.Hash
	if p.TermsHash != nil {
		terms = *p.TermsHash
	}
	if err := r.tryPosting(ctx, p.FeeBasisPoints, terms); err != nil {
		return Plan{}, err
	}
	p.Simulated = true
	return p, r.price(ctx, &p, chain.Call{To: r.deployment.Escrow}, postingGas)
}

// progress reports whether the task is paid for or, if it is not, whether the flow has a signed transaction
// that can still pay.
func (r *creation) progress() (done, underWay bool) {
	if r.flow == nil {
		return false, false
	}
	done = r.flow.Done || r.flow.Paid != nil
	return done, !done && r.live()
}

// feeOf returns the fee from the task's record. Without a record it returns the current fee,
// provided that it is within the request's limit.
func (r *creation) feeOf(ctx context.Context, task *Task) (uint16, error) {
	if task != nil {
		return basisPoints(task.FeeBasisPoints)
	}
	escrow := contracts.NewEscrow()
	fee, err := node.View(ctx, r.node, "the platform's fee", r.deployment.Escrow,
		escrow.PackPlatformFeeBasisPoints(), escrow.UnpackPlatformFeeBasisPoints)
	if err != nil {
		return 0, err
	}
	return fee, r.withinLimit(fee)
}

// tryPosting simulates the posting without a permit. The simulation should fail only at the
// escrow's last step, for lack of an allowance; any other error would also occur with a permit. A
// simulated transfer then checks the balance.
func (r *creation) tryPosting(ctx context.Context, fee uint16, terms common.Hash) error {
	reader, owner := chain.NewReader(r.node.Chain, r.deployment.calls), r.signer.Address()
	err := reader.Simulate(ctx, owner, r.deployment.calls.PostTask(r.request.Amount, fee, terms))
	if refusal, ok := errors.AsType[*rpc.RevertError](err); ok && refusal.Name == refusedForAllowance {
		err = nil
	}
	if err != nil {
		return err
	}
	return reader.Simulate(ctx, owner, r.deployment.calls.TransferToken(r.deployment.Escrow, r.request.Amount))
}
