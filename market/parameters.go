package market

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// Validator is a wallet's membership in the validator panels. It belongs to panel p if AddedIn <= p
// and p < RemovedIn. A RemovedIn of 0 means that it was not removed.
type Validator struct {
	Wallet    common.Address
	AddedIn   uint64
	RemovedIn uint64
}

// In reports whether the validator belongs to the panel.
func (v Validator) In(panel uint64) bool {
	return v.AddedIn <= panel && (v.RemovedIn == 0 || panel < v.RemovedIn)
}

// Quorum is the number of equal verdicts that decide a task. It applies to the panels from
// FromPanel up to the next Quorum.
type Quorum struct {
	FromPanel uint64
	Size      uint8
}

// Parameters are the settings that the escrow's owner can change, computed from the escrow's
// administration logs.
type Parameters struct {
	FeeBasisPoints uint16
	Panel          uint64
	Paused         bool
	Validators     []Validator
	Quorums        []Quorum // in ascending order of the panel number
}

// FoldParameters computes the parameters from administration logs in chain order.
func FoldParameters(logs []Log) Parameters {
	var p Parameters
	for _, log := range logs {
		p.apply(log.Event)
	}
	return p
}

func (p *Parameters) apply(ev Event) {
	p.Panel = max(p.Panel, ev.Panel)
	switch ev.Kind {
	case EventFeeChanged:
		p.FeeBasisPoints = ev.FeeBasisPoints
	case EventPaused:
		p.Paused = true
	case EventUnpaused:
		p.Paused = false
	case EventValidatorAdded:
		p.Validators = append(p.Validators, Validator{Wallet: ev.Caller, AddedIn: ev.Panel})
	case EventValidatorRemoved:
		for i, v := range p.Validators {
			if v.Wallet == ev.Caller {
				p.Validators[i].RemovedIn = ev.Panel
			}
		}
	case EventQuorumChanged:
		p.Quorums = append(p.Quorums, Quorum{FromPanel: ev.Panel, Size: ev.Quorum})
	default:
	}
}

// ValidatorIn reports whether the wallet is a validator on the panel.
func (p Parameters) ValidatorIn(wallet common.Address, panel uint64) bool {
	return slices.ContainsFunc(p.Validators, func(v Validator) bool { return v.Wallet == wallet && v.In(panel) })
}

// PanelSize returns the number of validators on the panel.
func (p Parameters) PanelSize(panel uint64) int {
	size := 0
	for _, v := range p.Validators {
		if v.In(panel) {
			size++
		}
	}
	return size
}

// QuorumOf returns the number of equal verdicts that decide a task of the panel, or 0 if no quorum
// was set.
func (p Parameters) QuorumOf(panel uint64) uint8 {
	var size uint8
	for _, q := range p.Quorums {
		if q.FromPanel <= panel {
			size = q.Size
		}
	}
	return size
}
