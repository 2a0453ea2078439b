package contracts_test

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

const mostValidators = 32

func (w *world) setFee(by common.Address, fee uint16) *outcome {
	o := w.asOwner(by)
	if fee > market.MaxFeeBasisPoints {
		o.refuse(escrowABI, "FeeTooHigh", fee, uint16(market.MaxFeeBasisPoints))
	}
	o.emit(w.d.Escrow, escrowABI, "FeeChanged", fee)
	return o
}

func (w *world) pause(by common.Address, paused bool) *outcome {
	o := &outcome{}
	if by != w.owner && by != w.guardian {
		o.refuse(escrowABI, "NotOwnerOrGuardian", by)
	}
	said, against := "Unpaused", "ExpectedPause"
	if paused {
		said, against = "Paused", "EnforcedPause"
	}
	if w.parameters.Paused == paused {
		o.refuse(escrowABI, against)
	}
	o.emit(w.d.Escrow, escrowABI, said, by)
	return o
}

// changePanel requires that the next panel differs from the current one, adds no current or former
// member, has at most mostValidators members, and decides by a majority.
func (w *world) changePanel(by common.Address, added, removed []common.Address, quorum uint8) *outcome {
	o, panel := w.asOwner(by), w.parameters.Panel
	before := w.parameters.QuorumOf(panel)
	if len(added) == 0 && len(removed) == 0 && quorum == before {
		o.refuse(escrowABI, "PanelUnchanged")
	}
	for i, account := range removed {
		if !w.isValidator(account) || slices.Contains(removed[:i], account) {
			o.refuse(escrowABI, "ValidatorUnknown", account)
		}
		o.emit(w.d.Escrow, escrowABI, "ValidatorRemoved", account, panel+1)
	}
	for i, account := range added {
		switch {
		case account == common.Address{}:
			o.refuse(escrowABI, "ValidatorZero")
		case w.everValidator(account) || slices.Contains(added[:i], account):
			o.refuse(escrowABI, "ValidatorKnown", account)
		}
		o.emit(w.d.Escrow, escrowABI, "ValidatorAdded", account, panel+1)
	}
	validators := len(w.panel(panel)) + len(added) - len(removed)
	if validators > mostValidators {
		o.refuse(escrowABI, "TooManyValidators", validators, mostValidators)
	}
	if int(quorum)*2 <= validators || int(quorum) > validators {
		o.refuse(escrowABI, "InvalidQuorum", int(quorum), validators)
	}
	if quorum != before {
		o.emit(w.d.Escrow, escrowABI, "QuorumChanged", quorum, panel+1)
	}
	return o
}

func (w *world) renounce(by common.Address) *outcome {
	return w.asOwner(by).refuse(escrowABI, "OwnershipNotRenounceable")
}

// moveStake models a call that only the escrow is permitted to make.
func (w *world) moveStake(by common.Address) *outcome {
	return new(outcome).refuse(stakingABI, "NotTheEscrow", by)
}

func (w *world) asOwner(by common.Address) *outcome {
	o := &outcome{}
	if by != w.owner {
		o.refuse(escrowABI, "OwnableUnauthorizedAccount", by)
	}
	return o
}

// panel returns the validators of the panel.
func (w *world) panel(number uint64) []common.Address {
	var panel []common.Address
	for _, v := range w.parameters.Validators {
		if v.In(number) {
			panel = append(panel, v.Wallet)
		}
	}
	return panel
}

func (w *world) everValidator(account common.Address) bool {
	return slices.ContainsFunc(w.parameters.Validators, func(v market.Validator) bool { return v.Wallet == account })
}
