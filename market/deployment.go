package market

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// Deployment identifies one set of contracts on one chain. Every record that depends on the chain
// stores the escrow's address, so that a later deployment does not affect earlier tasks.
type Deployment struct {
	ChainID     uint64
	Token       common.Address
	Escrow      common.Address
	Staking     common.Address
	Treasury    common.Address
	Distributor common.Address
	StartBlock  uint64 // the first block that can contain logs from these contracts
}

// Contracts returns the addresses of the contracts whose logs the watcher reads.
func (d Deployment) Contracts() []common.Address {
	return []common.Address{d.Escrow, d.Staking, d.Treasury, d.Distributor}
}

// Call is a contract call that is ready to be signed and sent. It transfers no ether.
type Call struct {
	To   common.Address
	Data []byte
}

// Token is the metadata from a token contract.
type Token struct {
	Name     string
	Symbol   string
	Decimals uint8
	Version  string // version in the token's EIP-712 domain, used to sign permits
}

// Permit is an ERC-2612 permit. With it, the owner of tokens authorises a spender to transfer them.
type Permit struct {
	TokenName string
	Version   string // version in the token's EIP-712 domain; "1" for the TASK token
	ChainID   uint64
	Token     common.Address
	Owner     common.Address
	Spender   common.Address
	Value     *big.Int
	Nonce     *big.Int
	Deadline  *big.Int // Unix seconds
}

// Proof describes how a transaction funded a task, according to its receipt.
type Proof struct {
	EscrowTaskID uint64 // id that the posting assigned; a reorganisation can change it
	Posting      Posting
	Block        uint64
	HasTerms     bool // whether the posting contains the task's terms hash and therefore links to the task without a confirmation by the agent
	// Alternatives are the transaction's other postings that match the task and have no terms hash, in
	// case Posting is already linked to another task. The list is nil if HasTerms is true.
	Alternatives []Posting
}

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
