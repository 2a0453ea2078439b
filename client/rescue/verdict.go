package rescue

import (
	"bytes"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Verdict is the data that validators sign to decide a task without the server.
type Verdict struct {
	EscrowTaskID uint64
	Approved     bool
	Round        market.Round // the review round in which the signatures are valid
	Panel        uint64       // number of the task's validator panel
	Quorum       uint8        // required number of signatures
	Data         apitypes.TypedData
}

// Verdict returns the data that the validators in the task's panel sign to approve or reject the
// work. It returns an error if the task is not under review.
func (r *Rescue) Verdict(ctx context.Context, taskID uint64, approved bool) (Verdict, error) {
	e, err := r.Task(ctx, taskID)
	if err != nil {
		return Verdict{}, err
	}
	round := e.Round()
	if round.Opens.IsZero() {
		return Verdict{}, market.Errorf(market.KindWrongStatus, "task %d is %s; there is no work under review", taskID, e.Status)
	}
	c := contracts.NewEscrow()
	quorum, err := view(ctx, r, r.deployment.Escrow, c.PackQuorumOf(number(e.Panel)), c.UnpackQuorumOf)
	if err != nil {
		return Verdict{}, err
	}
	return Verdict{
		EscrowTaskID: taskID, Approved: approved, Round: round, Panel: e.Panel, Quorum: quorum, Data: r.contracts.Verdict(e, approved),
	}, nil
}

// Signature is a validator's signature.
type Signature struct {
	// Validator is the address of the contract wallet that signed. It is zero for a signature by a
	// key, because the address is then recovered from the signature.
	Validator common.Address
	Bytes     []byte
}

// Signatures packs the validators' signatures over Verdict.Data for Request.Signatures. It returns
// an error if a key's signature covers other data, if a signer is not in the task's panel, or if a
// validator has signed twice. Only the contract checks a contract wallet's signature.
func (r *Rescue) Signatures(ctx context.Context, taskID uint64, approved bool, signatures []Signature) ([][]byte, error) {
	if len(signatures) == 0 {
		return nil, market.Errorf(market.KindInvalid, "a verdict requires the validators' signatures")
	}
	e, err := r.Task(ctx, taskID)
	if err != nil {
		return nil, err
	}
	digest, err := r.contracts.VerdictDigest(e, approved)
	if err != nil {
		return nil, err
	}
	round := e.Round().Number
	verdicts := make([]market.Verdict, len(signatures))
	for i, s := range signatures {
		validator := s.Validator
		if validator == (common.Address{}) {
			if validator, err = keyOf(digest, s.Bytes); err != nil {
				return nil, err
			}
		}
		if err := r.checkValidator(ctx, e, validator); err != nil {
			return nil, err
		}
		verdicts[i] = market.Verdict{Round: round, Validator: validator, Approved: approved, WorkHash: e.WorkHash, Signature: s.Bytes}
	}
	slices.SortFunc(verdicts, func(a, b market.Verdict) int { return bytes.Compare(a.Validator[:], b.Validator[:]) })
	for i, v := range verdicts[1:] {
		if v.Validator == verdicts[i].Validator {
			return nil, market.Errorf(market.KindInvalid, "there are two signatures by validator %s", v.Validator)
		}
	}
	return chain.SignaturesOf(e.Escrow, e.ChainID, e.ID, verdicts)
}

// keyOf returns the address of the key that signed the digest.
func keyOf(digest common.Hash, signature []byte) (common.Address, error) {
	if len(signature) != crypto.SignatureLength {
		return common.Address{}, market.Errorf(market.KindSignatureInvalid,
			"a signature has %d bytes, not %d; for the signature of a contract wallet, also state the wallet's address as \"validator\"",
			len(signature), crypto.SignatureLength)
	}
	raw := slices.Clone(signature)
	if raw[crypto.RecoveryIDOffset] >= 27 {
		raw[crypto.RecoveryIDOffset] -= 27
	}
	key, err := crypto.SigToPub(digest[:], raw)
	if err != nil {
		return common.Address{}, market.Errorf(market.KindSignatureInvalid, "a signature is invalid").WithCause(err)
	}
	return crypto.PubkeyToAddress(*key), nil
}

// checkValidator returns an error if the address is not in the task's panel.
func (r *Rescue) checkValidator(ctx context.Context, e *market.EscrowTask, validator common.Address) error {
	c := contracts.NewEscrow()
	counts, err := view(ctx, r, e.Escrow, c.PackValidatorIn(validator, number(e.Panel)), c.UnpackValidatorIn)
	if err != nil {
		return err
	}
	if !counts {
		return market.Errorf(market.KindSignatureInvalid, "a signature is by %s, which is not a validator of task %d (panel %d), or it is for other data",
			validator, e.ID, e.Panel)
	}
	return nil
}
