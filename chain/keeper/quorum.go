package keeper

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"taskmarket/chain"
	"taskmarket/market"
)

// try returns the call that does the job, after it has succeeded in a call that
// is not mined, and how much gas it may have.
//
// Of verdicts those that keys signed come first, and wallets' only as far as
// they are needed for a quorum: a wallet can say yes to every call that is not
// mined and no in a block, so that one validator could have all its fellows'
// verdicts refused. Which wallets is drawn anew at each attempt, so that those
// who veto can put a verdict off, but not stop it while enough others stand.
func (k *Keeper) try(ctx context.Context, job market.Job) (call chain.Call, gas uint64, err error) {
	if job.Kind != market.OutboxVerdicts {
		call, err = k.simulate(ctx, job, nil)
		return call, k.gasFor(0, 0), err
	}
	keys, wallets, err := k.standing(ctx, job)
	if err != nil {
		return chain.Call{}, 0, err
	}
	draw := rand.New(rand.NewPCG(uint64(job.ID), uint64(job.Attempts))) //nolint:gosec // a choice that anyone may guess
	draw.Shuffle(len(wallets), func(i, j int) { wallets[i], wallets[j] = wallets[j], wallets[i] })
	for taken := 0; ; {
		chosen := slices.Concat(keys, wallets[:taken])
		call, err := k.simulate(ctx, job, chosen)
		missing, bad := missingOf(err), badOf(err, chosen)
		switch {
		case bad != nil: // what it said before, it denies to the escrow
			wallets = slices.DeleteFunc(wallets, func(v market.Verdict) bool { return v.Validator == bad.Validator })
			taken--
		case missing > 0 && taken+missing <= len(wallets):
			taken += missing
		default:
			return call, k.gasFor(len(keys), taken), err
		}
	}
}

// simulate returns the job's call with the verdicts in the contract's order.
func (k *Keeper) simulate(ctx context.Context, job market.Job, verdicts []market.Verdict) (chain.Call, error) {
	slices.SortFunc(verdicts, func(a, b market.Verdict) int { return bytes.Compare(a.Validator[:], b.Validator[:]) })
	job.Verdicts = verdicts
	call, err := k.callOf(ctx, job)
	if err != nil {
		return chain.Call{}, err
	}
	return call, k.reader.Simulate(ctx, k.sender.Address(), call)
}

// standing returns the job's verdicts whose signatures the escrow would take
// now, by what made them: validators' keys or their contract wallets, which may
// change their mind after they voted.
func (k *Keeper) standing(ctx context.Context, job market.Job) (keys, wallets []market.Verdict, err error) {
	d := k.contracts.Deployment()
	for _, v := range job.Verdicts {
		digest, err := chain.Digest(chain.VerdictTypedData(d.Escrow, d.ChainID, job.TaskID, v.WorkHash, v.Round, v.Approved))
		if err != nil {
			return nil, nil, err
		}
		if signer, ok := chain.RecoverSigner(digest, v.Signature); ok && signer == v.Validator {
			keys = append(keys, v)
			continue
		}
		err = k.verifier.VerifyOnChain(ctx, v.Validator, digest, v.Signature)
		if err != nil && market.KindOf(err) != market.KindSignatureInvalid {
			return nil, nil, err
		}
		if err == nil {
			wallets = append(wallets, v)
		}
	}
	return keys, wallets, nil
}

// badOf returns the wallet's verdict that the contract's refusal is about.
func badOf(err error, verdicts []market.Verdict) *market.Verdict {
	refusal, ok := errors.AsType[*chain.RevertError](err)
	if !ok || refusal.Name != "InvalidSignature" {
		return nil
	}
	n, ok := refusal.Args["index"].(*big.Int)
	if !ok || n.Cmp(big.NewInt(int64(len(verdicts)))) >= 0 {
		return nil
	}
	return &verdicts[n.Int64()]
}

// missingOf returns how many more verdicts the contract's refusal asks for, 0
// when it is about something else.
func missingOf(err error) int {
	refusal, ok := errors.AsType[*chain.RevertError](err)
	if !ok || refusal.Name != "QuorumNotReached" {
		return 0
	}
	have, ok := refusal.Args["signatures"].(*big.Int)
	want, also := refusal.Args["quorum"].(*big.Int)
	if !ok || !also || !have.IsInt64() || !want.IsInt64() {
		return 0
	}
	return int(want.Int64() - have.Int64())
}
