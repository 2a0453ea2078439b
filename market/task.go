package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// Task is what an agent offers and where it stands. What people wrote is fixed
// at creation; Escrow, Human… and Status follow the chain.
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
	Place          string // the location as it is compared: without case and accents; not read back
	Remote         bool
	Amount         *big.Int
	FeeBasisPoints uint16
	Deadline       *time.Time
	TermsHash      common.Hash
	ChainID        uint64
	EscrowAddress  common.Address

	Status        Status
	Escrow        *EscrowTask // nil while nothing is linked
	HumanID       *uuid.UUID  // the assigned human, when their wallet has signed in
	HumanUsername string

	Applications int
	Submission   *Submission // the one on the chain; nil when none or unknown
	Finality     Finality
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Finality says how deep a task's last change lies in the chain.
type Finality string

// The levels of finality.
const (
	FinalitySeen  Finality = "seen"
	FinalitySafe  Finality = "safe"
	FinalityFinal Finality = "final"
)

// Terms returns what the task's terms hash covers.
func (t *Task) Terms() Terms {
	return Terms{
		TaskID: t.ID, Agent: t.AgentWallet, Amount: t.Amount, FeeBasisPoints: t.FeeBasisPoints,
		Deadline: t.Deadline, Title: t.Title, Description: t.Description,
	}
}

// StatusAt returns what a task with the given escrow record and deadline is at
// now, which is chain time: the timestamp of the last block followed. A nil
// record means that nothing is linked.
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

// TurnsAt returns the instant at which time alone changes (or changed) the
// task's status: the deadline while the escrow waits for work, the end of the
// dispute window after a submission; nil when time changes nothing.
func (t *Task) TurnsAt() *time.Time {
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

// Matches refuses an escrow record that does not carry out the task: another
// escrow, agent, amount, fee or, when the posting names terms, other terms. Its
// error is KindTxMismatch and says which.
func (t *Task) Matches(e *EscrowTask) error {
	switch {
	case e.ChainID != t.ChainID || e.Escrow != t.EscrowAddress:
		return Errorf(KindTxMismatch, "the transaction funded another escrow contract, not %s", t.EscrowAddress)
	case e.Agent != t.AgentWallet:
		return Errorf(KindTxMismatch, "the escrow was funded by %s, but the task belongs to %s", e.Agent, t.AgentWallet)
	case e.Amount.Cmp(t.Amount) != 0:
		return Errorf(KindTxMismatch, "the transaction locked %s wei, but the task's escrow_amount is %s", e.Amount, t.Amount)
	case e.FeeBasisPoints != t.FeeBasisPoints:
		return Errorf(KindTxMismatch, "the transaction fixed a fee of %s %%, but the task's is %s %%",
			FeePercent(e.FeeBasisPoints), FeePercent(t.FeeBasisPoints))
	case e.TermsHash != (common.Hash{}) && e.TermsHash != t.TermsHash:
		return Errorf(KindTxMismatch, "the transaction funded other terms: %s, but the task's terms_hash is %s", e.TermsHash, t.TermsHash)
	}
	return nil
}

// Follow makes the task what the chain says: linked to e (nil: to nothing) at
// chain time now. It refuses an e that does not match the task, with the error of
// Matches, and leaves the task as it was.
func (t *Task) Follow(e *EscrowTask, now time.Time) error {
	if e != nil {
		if err := t.Matches(e); err != nil {
			return err
		}
	}
	t.Escrow = e
	t.Status = StatusAt(e, t.Deadline, now)
	return nil
}

// Role is what a principal is to one task.
type Role string

// The roles. RoleApplicant and RoleValidator are told by the caller, who knows
// the applications and the panel; the others follow from the task alone.
const (
	RoleAgent     Role = "agent"
	RoleHuman     Role = "human" // assigned
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

// ReadableBy refuses roles that may not see the task, with KindForbidden: while
// new only its agent may, while funded everybody who is signed in, later its
// parties and applicants, and validators once work was submitted.
func (t *Task) ReadableBy(role Role) error {
	submitted := t.Escrow != nil && !t.Escrow.SubmittedAt.IsZero()
	switch {
	case role == RoleAgent, t.Status == StatusFunded:
		return nil
	case t.Status != StatusNew && (role == RoleHuman || role == RoleApplicant):
		return nil
	case role == RoleValidator && submitted:
		return nil
	}
	return Errorf(KindForbidden, "this task is not yours to read")
}
