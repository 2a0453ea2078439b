package keeper

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// prepare returns the job's call after a successful simulation, and its gas limit.
//
// Verdicts signed with keys are used first. Wallets' verdicts are added only as far as the quorum needs
// them: a wallet can accept a signature in every simulation and reject it in a block, and one such
// validator could otherwise block the verdicts of all others. The wallets are drawn at random at
// each attempt, so such a wallet can delay a verdict but not prevent it.
//
// Example: the quorum is 3, and two keys and two wallets have signed. The first simulation has the
// two keys and returns QuorumNotReached(2, 3). The second adds one random wallet. If that one fails
// in the block, the next attempt may draw the other one.
func (k *Keeper) prepare(ctx context.Context, job market.Job) (call chain.Call, gas uint64, err error) {
	if job.Kind != market.OutboxVerdicts {
		call, err = k.simulate(ctx, job, nil)
		return call, k.gasFor(0, 0), err
	}
	keys, wallets, err := k.validVerdicts(ctx, job)
	if err != nil {
		return chain.Call{}, 0, err
	}
	draw := rand.New(rand.NewPCG(uint64(job.ID), uint64(job.Attempts))) //nolint:gosec // a predictable choice is safe
	draw.Shuffle(len(wallets), func(i, j int) { wallets[i], wallets[j] = wallets[j], wallets[i] })
	for taken := 0; ; {
		chosen := slices.Concat(keys, wallets[:taken])
		call, err := k.simulate(ctx, job, chosen)
		missing, bad := missingVerdicts(err), rejectedWallet(err, chosen, wallets[:taken])
		switch {
		case bad >= 0: // the wallet now rejects a signature that it accepted before
			wallets = slices.Delete(wallets, bad, bad+1)
			taken--
		case missing > 0 && missing <= len(wallets)-taken:
			taken += missing
		default:
			return call, k.gasFor(len(keys), taken), err
		}
	}
}

// simulate returns the job's call, with the verdicts in the contract's order.
func (k *Keeper) simulate(ctx context.Context, job market.Job, verdicts []market.Verdict) (chain.Call, error) {
	slices.SortFunc(verdicts, func(a, b market.Verdict) int { return bytes.Compare(a.Validator[:], b.Validator[:]) })
	job.Verdicts = verdicts
	call, err := k.callOf(ctx, job)
	if err != nil {
		return chain.Call{}, err
	}
	return call, k.reader.Simulate(ctx, k.sender.Address(), call)
}

// validVerdicts returns the job's verdicts that the escrow would accept now, separately for those
// signed with validators' keys and those of contract wallets. A wallet may reject a signature that
// it accepted before.
func (k *Keeper) validVerdicts(ctx context.Context, job market.Job) (keys, wallets []market.Verdict, err error) {
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

// rejectedWallet returns the index in wallets of the verdict whose signature the contract rejected. The
// contract's error contains the index in sent. It returns -1 for any other error. It also returns -1
// for an error about a key's signature: the keeper has checked it, so a node must have forged the error.
func rejectedWallet(err error, sent, wallets []market.Verdict) int {
	refusal, ok := errors.AsType[*rpc.RevertError](err)
	if !ok || refusal.Name != "InvalidSignature" {
		return -1
	}
	n, ok := refusal.Args["index"].(*big.Int)
	if !ok || n.Cmp(big.NewInt(int64(len(sent)))) >= 0 {
		return -1
	}
	validator := sent[n.Int64()].Validator
	return slices.IndexFunc(wallets, func(v market.Verdict) bool { return v.Validator == validator })
}

// missingVerdicts returns how many verdicts are missing for a quorum, according to the contract's
// error. It returns 0 for any other error.
func missingVerdicts(err error) int {
	refusal, ok := errors.AsType[*rpc.RevertError](err)
	if !ok || refusal.Name != "QuorumNotReached" {
		return 0
	}
	have, ok := refusal.Args["signatures"].(*big.Int)
	want, also := refusal.Args["quorum"].(*big.Int)
	if !ok || !also || !have.IsInt64() || !want.IsInt64() {
		return 0 // forged: a panel has few validators
	}
	return int(want.Int64() - have.Int64())
}
