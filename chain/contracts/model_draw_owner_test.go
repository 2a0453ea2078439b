package contracts_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/market"
)

func (d *draw) mostlyOwner() common.Address {
	if d.oneIn(8) {
		return d.anyone()
	}
	return d.w.owner
}

func (d *draw) setFee() action {
	by, fee := d.mostlyOwner(), pick(d, uint16(0), 1, 333, 500, market.MaxFeeBasisPoints, market.MaxFeeBasisPoints+1)
	return action{"set fee", by, fmt.Sprint(fee), callOf(d.d.Escrow, escrowCalls.PackSetPlatformFee(fee)), d.w.setFee(by, fee)}
}

func (d *draw) pause() action {
	by := pick(d, d.mostlyOwner(), d.w.guardian)
	return action{"pause", by, "", callOf(d.d.Escrow, escrowCalls.PackPause()), d.w.pause(by, true)}
}

func (d *draw) unpause() action {
	by := pick(d, d.mostlyOwner(), d.w.guardian)
	return action{"unpause", by, "", callOf(d.d.Escrow, escrowCalls.PackUnpause()), d.w.pause(by, false)}
}

func (d *draw) renounce() action {
	by := d.mostlyOwner()
	return action{"renounce ownership", by, "", callOf(d.d.Escrow, escrowCalls.PackRenounceOwnership()), d.w.renounce(by)}
}

func (d *draw) changePanel() action {
	by, panel := d.mostlyOwner(), d.w.panel(d.w.parameters.Panel)
	var added, removed []common.Address
	for range d.IntN(3) {
		added = append(added, d.newcomer())
	}
	for range d.IntN(3) {
		removed = append(removed, d.leaver(panel))
	}
	if d.oneIn(12) { // above the maximum
		for i := range uint64(mostValidators) {
			added = append(added, common.BigToAddress(number(1_000_000+i)))
		}
	}
	n := max(0, len(panel)+len(added)-len(removed))
	quorum := n/2 + 1
	if d.oneIn(3) {
		quorum = d.IntN(n + 2)
	}
	return action{
		"change panel", by, fmt.Sprintf("+%s −%s, quorum %d", added, removed, quorum),
		callOf(d.d.Escrow, escrowCalls.PackChangePanel(added, removed, uint8(quorum))), d.w.changePanel(by, added, removed, uint8(quorum)),
	}
}

// newcomer draws a new validator. It seldom draws a party, because a validator cannot be one.
func (d *draw) newcomer() common.Address {
	if d.oneIn(12) {
		return pick(d, common.Address{}, d.party())
	}
	fresh := slices.DeleteFunc(slices.Clone(d.bench), d.w.everValidator)
	if len(fresh) == 0 {
		return pick(d, d.bench...)
	}
	return pick(d, fresh...)
}

func (d *draw) leaver(panel []common.Address) common.Address {
	if d.oneIn(8) {
		return pick(d, d.bench...)
	}
	return pick(d, panel...)
}

// signatures draws signatures by a quorum of the task's panel, or an invalid set of signatures.
func (d *draw) signatures(e *market.EscrowTask, approved bool) (signatures [][]byte, manner string) {
	panel, quorum := d.w.panel(e.Panel), int(d.w.parameters.QuorumOf(e.Panel))
	d.Shuffle(len(panel), func(i, j int) { panel[i], panel[j] = panel[j], panel[i] })
	signers := panel[:min(len(panel), quorum+d.IntN(2))]
	v := market.Verdict{Round: e.Round().Number, Approved: approved, WorkHash: e.WorkHash}
	taskID := e.ID
	if !d.oneIn(3) {
		return d.signAll(ascending(signers), taskID, v), "good signatures"
	}
	manner = pick(d, "too few", "descending", "one twice", "other round", "other verdict", "other work", "other task", "outsider", "panel in force", "malformed", "high s", "too many", "no wallet")
	switch manner {
	case "too few":
		signers = signers[:d.IntN(len(signers)+1)/2]
	case "descending":
		return reversed(d.signAll(ascending(signers), taskID, v)), manner
	case "one twice":
		signers = append(signers, signers[:min(1, len(signers))]...)
	case "other round":
		v.Round ^= 1
	case "other verdict":
		v.Approved = !v.Approved
	case "other work":
		v.WorkHash[0] ^= 1
	case "other task":
		taskID++
	case "outsider":
		signers = append(signers, pick(d, d.bench...))
	case "panel in force":
		signers = d.w.panel(d.w.parameters.Panel)
	}
	signatures = d.signAll(ascending(signers), taskID, v)
	if len(signatures) == 0 {
		return signatures, manner
	}
	switch last := len(signatures) - 1; manner {
	case "malformed":
		signatures[last] = signatures[last][:crypto.SignatureLength-1]
	case "high s":
		signatures[last] = twin(signatures[last])
	case "too many":
		signatures = slices.Repeat(signatures, mostSignatures)
	case "no wallet":
		signatures[last] = append(d.net.Validators[0].Address().Bytes(), signatures[last]...)
	}
	return signatures, manner
}

func ascending(signers []common.Address) []common.Address {
	return slices.SortedFunc(slices.Values(signers), func(a, b common.Address) int { return bytes.Compare(a[:], b[:]) })
}

func reversed(signatures [][]byte) [][]byte {
	slices.Reverse(signatures)
	return signatures
}

// twin returns the second form of a signature, by the same key for the same digest but with a high
// s. It returns other signatures unchanged if they do not have 65 bytes.
func twin(signature []byte) []byte {
	if len(signature) != crypto.SignatureLength {
		return signature
	}
	s := number(0).SetBytes(signature[32:64])
	s.Sub(crypto.S256().Params().N, s)
	other := bytes.Clone(signature)
	s.FillBytes(other[32:64])
	other[64] ^= 27 ^ 28
	return other
}

// signAll returns a signature by each signer. The contract wallet accepts any signature.
func (d *draw) signAll(signers []common.Address, taskID uint64, v market.Verdict) [][]byte {
	data := chain.VerdictTypedData(d.d.Escrow, d.d.ChainID, taskID, v.WorkHash, v.Round, v.Approved)
	var signatures [][]byte
	for _, account := range signers {
		signer, known := d.keys[account]
		if !known {
			signer = d.net.Rewarder
		}
		signature, err := signer.SignTypedData(context.Background(), data)
		if err != nil {
			panic(err)
		}
		if account == d.wallet {
			signature = append(account.Bytes(), signature...)
		}
		signatures = append(signatures, signature)
	}
	return signatures
}
