// Package market defines the rules of the marketplace: its records, their statuses and transitions,
// limits, error kinds, and the hashes that tie a record to the chain.
//
// The package does no I/O and does not read the clock. Every rule that depends on time takes the
// current time as a parameter. The contracts' logs are folded into EscrowTask (a task in the
// escrow), Stake (an application in the staking contract) and Parameters (the escrow's settings). A
// Task combines the agent's texts with the EscrowTask that it is linked to. Its status is a
// function of both and of chain time.
//
// Amounts are *big.Int in wei (18 decimals), times are UTC, and addresses are compared as bytes.
package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// Task is a task posted by an agent. The texts are fixed at creation. Escrow, the human and Status
// are derived from the chain.
type Task struct {
	ID             uuid.UUID
	AgentID        uuid.UUID
	AgentName      string
	AgentUsername  string
	AgentWallet    common.Address
	AgentVerified  bool
	Title          string
	Description    string
	Skills         []string
	Location       string
	Place          string // the location without case and accents, for searches; only written to the database, never read
	Remote         bool
	Amount         *big.Int
	FeeBasisPoints uint16
	Deadline       *time.Time
	TermsHash      common.Hash
	ChainID        uint64
	EscrowAddress  common.Address

	Visibility Visibility // set by moderation; empty means shown
	Hold       *Hold      // nil unless Visibility is VisibilityHeld

	Status        Status
	Escrow        *EscrowTask // the linked escrow record; nil if no posting is linked
	HumanID       *uuid.UUID  // the assigned human; nil if none is assigned or the assigned wallet has never signed in
	HumanUsername string

	Applications int
	Submission   *Submission // the on-chain submission; nil if there is none or its text is not in the database
	Finality     Finality
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Shown reports whether moderation allows other users to see the task.
func (t *Task) Shown() bool { return t.Visibility == "" || t.Visibility == VisibilityShown }

// Fundable reports whether the agent should fund the task: it is new and shown, and its fee is the
// current fee. The contracts accept a posting for any task, so a task can become funded even if
// Fundable reports false.
func (t *Task) Fundable(currentFee uint16) bool {
	return t.Status == StatusNew && t.FeeBasisPoints == currentFee && t.Shown()
}

// Finality is the finality of a block, such as the one that last changed a task.
type Finality string

// The levels of finality, lowest first: the watcher has followed the block, the chain reports it as
// safe, or the chain reports it as finalized.
const (
	FinalitySeen  Finality = "seen"
	FinalitySafe  Finality = "safe"
	FinalityFinal Finality = "final"
)

// Terms returns the task's terms, from which the terms hash is computed.
func (t *Task) Terms() Terms {
	return Terms{
		TaskID: t.ID, Agent: t.AgentWallet, Amount: t.Amount, FeeBasisPoints: t.FeeBasisPoints,
		Deadline: t.Deadline, Title: t.Title, Description: t.Description,
	}
}

// StatusAt returns the status of a task with the given escrow record and deadline at chain time
// now, which is the timestamp of the last followed block. A nil record means that no posting is
// linked.
func StatusAt(e *EscrowTask, deadline *time.Time, now time.Time) Status {
	if e == nil {
		return StatusNew
	}
	late := deadline != nil && !now.Before(*deadline)
	switch e.Status {
	case ChainPosted:
		if late {
			return StatusExpired
		}
		return StatusFunded
	case ChainActive:
		if late {
			return StatusExpired
		}
		return StatusActive
	case ChainSubmitted:
		if e.AgentApproved || !now.Before(e.DisputeDeadline()) {
			return StatusValidating
		}
		return StatusSubmitted
	case ChainDisputed:
		return StatusDisputed
	case ChainReleased:
		return StatusApproved
	case ChainRefunded:
		return StatusRejected
	case ChainCancelled:
		return StatusCancelled
	case ChainNone:
		return StatusNew
	}
	return StatusNew
}

// TransitionAt returns the time at which the task's status changes, or has changed, without an
// action. Before a submission, this is the task's deadline. After a submission that is neither approved
// nor disputed, it is the end of the dispute window. Otherwise TransitionAt returns nil.
func (t *Task) TransitionAt() *time.Time {
	if t.Escrow == nil {
		return nil
	}
	switch t.Escrow.Status {
	case ChainPosted, ChainActive:
		return t.Deadline
	case ChainSubmitted:
		if t.Escrow.AgentApproved {
			return nil
		}
		end := t.Escrow.DisputeDeadline()
		return &end
	case ChainNone, ChainDisputed, ChainReleased, ChainRefunded, ChainCancelled:
	}
	return nil
}

// Matches returns KindTxMismatch if the escrow record does not fund the task because its chain,
// escrow, agent, amount, fee or terms hash differs. A posting without a terms hash matches any terms. The
// error message describes the difference.
func (t *Task) Matches(e *EscrowTask) error {
	switch {
	case e.ChainID != t.ChainID || e.Escrow != t.EscrowAddress:
		return Errorf(KindTxMismatch, "the transaction funded another escrow contract, not %s", t.EscrowAddress)
	case e.Agent != t.AgentWallet:
		return Errorf(KindTxMismatch, "the transaction posted a task of %s, but this task belongs to %s", e.Agent, t.AgentWallet)
	case e.Amount.Cmp(t.Amount) != 0:
		return Errorf(KindTxMismatch, "the transaction locked %s wei, but the task's escrow_amount is %s", e.Amount, t.Amount)
	case e.FeeBasisPoints != t.FeeBasisPoints:
		return Errorf(KindTxMismatch, "the transaction set a fee of %s%%, but the task's fee is %s%%",
			FeePercent(e.FeeBasisPoints), FeePercent(t.FeeBasisPoints))
	case e.TermsHash != (common.Hash{}) && e.TermsHash != t.TermsHash:
		return Errorf(KindTxMismatch, "the transaction has the terms hash %s, but the task's terms_hash is %s", e.TermsHash, t.TermsHash)
	}
	return nil
}

// LinkEscrow links the task to e, or unlinks it if e is nil, and sets its status at chain time now.
// If e does not match the task, it returns the error from Matches and does not change the task.
func (t *Task) LinkEscrow(e *EscrowTask, now time.Time) error {
	if e != nil {
		if err := t.Matches(e); err != nil {
			return err
		}
	}
	t.Escrow = e
	t.Status = StatusAt(e, t.Deadline, now)
	return nil
}

// Role is a principal's role in one task.
type Role string

// The roles in a task. RoleOf determines RoleAgent, RoleHuman and RoleOther from the task. The
// caller determines RoleApplicant and RoleValidator from the applications and the panel.
const (
	RoleAgent     Role = "agent"
	RoleHuman     Role = "human" // the assigned human
	RoleApplicant Role = "applicant"
	RoleValidator Role = "validator"
	RoleOther     Role = "other"
)

// RoleOf returns RoleAgent, RoleHuman or RoleOther.
func (t *Task) RoleOf(p Principal) Role {
	switch {
	case p.Kind == PrincipalAgent && p.ID == t.AgentID:
		return RoleAgent
	case p.Kind == PrincipalHuman && t.HumanID != nil && p.ID == *t.HumanID:
		return RoleHuman
	case p.Kind == PrincipalHuman && t.Escrow != nil && t.Escrow.Human != (common.Address{}) && p.Wallet == t.Escrow.Human:
		return RoleHuman
	}
	return RoleOther
}

// ReadableBy returns KindForbidden if the role cannot read the task. The agent can always read it.
// While the task is funded and shown, every signed-in user can read it. Otherwise, unless it is new,
// the assigned human and the applicants who did not withdraw can read it, and validators once work
// has been submitted. TextsWithheldFrom restricts what they read of a removed task.
func (t *Task) ReadableBy(role Role) error {
	submitted := t.Escrow != nil && !t.Escrow.SubmittedAt.IsZero()
	switch {
	case role == RoleAgent, t.Status == StatusFunded && t.Visibility.Shown():
		return nil
	case t.Status != StatusNew && (role == RoleHuman || role == RoleApplicant):
		return nil
	case role == RoleValidator && submitted:
		return nil
	}
	return Errorf(KindForbidden, "you do not have access to this task")
}

// TextsWithheldFrom reports whether the task's texts are withheld from the role, because moderators removed
// them. Applicants can still read the task's status, which they need to withdraw their stakes.
func (t *Task) TextsWithheldFrom(role Role) bool {
	return t.Visibility == VisibilityRemoved && (role == RoleApplicant || role == RoleOther)
}
