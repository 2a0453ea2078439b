package contracts_test

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/market"
)

const mostSignatures = 32

// verdict relays signatures to end a task.
func (w *world) verdict(taskID uint64, approved bool, signatures [][]byte) *outcome {
	e := w.escrow(taskID)
	o := w.review(e, approved)
	if o.refusal != "" {
		return o
	}
	w.count(o, e, approved, signatures)
	if !approved {
		o.emit(w.d.Escrow, escrowABI, "SubmissionRejected", taskID, e.Agent, e.Human)
		return w.refund(o, e)
	}
	o.emit(w.d.Escrow, escrowABI, "SubmissionApproved", taskID, e.Agent, e.Human)
	return w.release(o, e)
}

// review rejects a verdict if the work is not under review or the review window is not open, and a
// rejection of work that the agent has approved.
func (w *world) review(e *market.EscrowTask, approved bool) *outcome {
	o := &outcome{}
	switch round := e.Round(); {
	case !delivered(e):
		o.wrongStatus(e)
	case !approved && e.AgentApproved:
		o.refuse(escrowABI, "AgentHasApproved", e.ID)
	case w.now.Before(round.Opens):
		o.refuse(escrowABI, "ReviewNotOpen", e.ID, round.Opens)
	case !w.now.Before(round.Closes):
		o.refuse(escrowABI, "ReviewClosed", e.ID, round.Closes)
	}
	return o
}

// count rejects the signatures unless they are a quorum of the task's panel, ordered by address.
func (w *world) count(o *outcome, e *market.EscrowTask, approved bool, signatures [][]byte) {
	quorum := int(w.parameters.QuorumOf(e.Panel))
	switch n := len(signatures); {
	case n > mostSignatures:
		o.refuse(escrowABI, "TooManySignatures", n, mostSignatures)
	case n < quorum:
		o.refuse(escrowABI, "QuorumNotReached", n, quorum)
	}
	digest, err := w.contracts.VerdictDigest(e, approved)
	if err != nil {
		panic(err) // cannot fail, because this program created the typed data
	}
	var previous common.Address
	for i, signature := range signatures {
		signer := w.signerOf(digest, signature)
		switch {
		case signer == common.Address{}:
			o.refuse(escrowABI, "InvalidSignature", i)
		case bytes.Compare(signer[:], previous[:]) <= 0:
			o.refuse(escrowABI, "SignersNotAscending", i)
		case !w.parameters.ValidatorIn(signer, e.Panel):
			o.refuse(escrowABI, "NotAValidatorOfTask", e.ID, signer)
		}
		previous = signer
	}
}

// signerOf returns the account that signed; zero if the signature is invalid. It distinguishes
// signatures only by their length: 65 bytes are a key's signature, and longer ones consist of a
// wallet's address and a signature for that wallet.
func (w *world) signerOf(digest common.Hash, signature []byte) common.Address {
	switch {
	case len(signature) < crypto.SignatureLength:
		return common.Address{}
	case len(signature) > crypto.SignatureLength && common.BytesToAddress(signature[:20]) == w.wallet:
		return w.wallet
	case len(signature) > crypto.SignatureLength:
		return common.Address{}
	}
	r, s, v := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:64]), signature[64]-27
	if !crypto.ValidateSignatureValues(v, r, s, true) {
		return common.Address{}
	}
	key, err := crypto.SigToPub(digest[:], append(bytes.Clone(signature[:64]), v))
	if err != nil {
		return common.Address{}
	}
	return crypto.PubkeyToAddress(*key)
}
