package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Posting is the position on the chain of the log that created a task in the escrow. Ordinal
// numbers the postings in a transaction from 0. Unlike Index, the log's index in the block, it does
// not change if a reorganisation includes the same transaction in another block.
type Posting struct {
	TxHash  common.Hash
	Ordinal int
	Block   uint64
	Index   uint
}

// EscrowTask is a task in the escrow contract, computed by folding the contract's logs for one id.
type EscrowTask struct {
	ChainID uint64
	Escrow  common.Address
	ID      uint64

	Status         ChainStatus
	Agent          common.Address
	Human          common.Address // zero until a human is accepted
	Amount         *big.Int       // the posted amount
	FeeBasisPoints uint16
	TermsHash      common.Hash // zero if posted without a terms hash
	WorkHash       common.Hash
	ApplicationID  uint64
	Panel          uint64 // number of the validator panel in force at acceptance
	AgentApproved  bool
	DisputedBy     common.Address
	CancelledBy    common.Address // zero until cancelled, or if the transaction does not show the caller

	PostedAt       time.Time
	AcceptedAt     time.Time
	SubmittedAt    time.Time
	DisputedAt     time.Time
	ApprovedAt     time.Time
	LastActivityAt time.Time // time of the last submission, dispute or approval
	EndedAt        time.Time

	Verdict *bool    // the decision of the validators; nil if there is none
	Paid    *big.Int // wei paid to the human; nil unless released
	Fee     *big.Int // wei paid to the treasury; nil unless released
	Refund  *big.Int // wei returned to the agent; nil unless refunded or cancelled

	Posted   Posting
	AcceptTx common.Hash
	SubmitTx common.Hash
	EndTx    common.Hash
}

// Locked returns the amount in wei that is still locked in the escrow for the task.
func (e *EscrowTask) Locked() *big.Int {
	if e.Status == ChainNone || e.Status.Ended() {
		return new(big.Int)
	}
	return new(big.Int).Set(e.Amount)
}

// DisputeDeadline returns the end of the dispute window, or zero before a submission.
func (e *EscrowTask) DisputeDeadline() time.Time {
	if e.SubmittedAt.IsZero() {
		return time.Time{}
	}
	return e.SubmittedAt.Add(DisputeWindow)
}

// FoldEscrowTask folds the logs for one task, in chain order, into a record. It returns nil if
// there are no logs. panelAt returns the panel in force just before a log; it can be nil if SetsPanel
// is false for every event. An error means that the contract cannot have emitted these logs. The
// caller sets Posted.Ordinal, because it depends on other logs in the transaction.
func FoldEscrowTask(logs []Log, panelAt func(Log) uint64) (*EscrowTask, error) {
	if len(logs) == 0 {
		return nil, nil
	}
	e := &EscrowTask{ChainID: logs[0].ChainID, Escrow: logs[0].Address, ID: logs[0].Event.TaskID}
	for _, log := range logs {
		if err := e.Apply(log); err != nil {
			return nil, err
		}
		if log.Event.SetsPanel() {
			e.Panel = panelAt(log)
		}
	}
	return e, nil
}

// Apply folds one log. It rejects a log that the contract cannot emit in the task's state.
func (e *EscrowTask) Apply(log Log) error {
	if log.Event.TaskID != e.ID {
		return Errorf(KindInvalid, "log of task %d applied to task %d", log.Event.TaskID, e.ID)
	}
	ev, at := log.Event, log.Block.Time
	switch ev.Kind {
	case EventTaskPosted:
		return e.post(log)
	case EventTaskTerms:
		return e.enter(ev.Kind, func() { e.TermsHash = ev.Hash }, ChainPosted)
	case EventTaskCreated:
		return e.enter(ev.Kind, func() {
			e.Status, e.Human, e.AcceptedAt, e.AcceptTx = ChainActive, ev.Human, at, log.TxHash
		}, ChainPosted)
	case EventTaskCreatedWithApplication:
		return e.enter(ev.Kind, func() { e.ApplicationID = ev.ApplicationID }, ChainActive)
	case EventTaskSubmitted:
		return e.enter(ev.Kind, func() {
			e.Status, e.SubmittedAt, e.LastActivityAt, e.SubmitTx = ChainSubmitted, at, at, log.TxHash
		}, ChainActive)
	case EventWorkCommitted:
		return e.enter(ev.Kind, func() { e.WorkHash = ev.Hash }, ChainSubmitted)
	case EventTaskDisputed:
		return e.dispute(ev.Caller, at)
	case EventAgentApproved:
		return e.approve(at)
	case EventSubmissionApproved, EventSubmissionRejected:
		return e.decide(ev.Kind, at)
	case EventTaskReleased:
		return e.release(log)
	case EventTaskRefunded:
		return e.refund(log)
	case EventTaskCancelled:
		return e.cancel(log)
	default:
		return Errorf(KindInvalid, "event %s does not belong to a task", ev.Kind)
	}
}

// enter runs effect if the task is in one of the states in which the contract can emit the event.
// Otherwise it returns an error.
func (e *EscrowTask) enter(kind EventKind, effect func(), from ...ChainStatus) error {
	for _, status := range from {
		if e.Status == status {
			effect()
			return nil
		}
	}
	return Errorf(KindWrongStatus, "event %s is invalid: task %d is %s", kind, e.ID, e.Status)
}

func (e *EscrowTask) post(log Log) error {
	ev := log.Event
	return e.enter(ev.Kind, func() {
		e.Status, e.Agent, e.Amount, e.FeeBasisPoints = ChainPosted, ev.Agent, ev.Amount, ev.FeeBasisPoints
		e.PostedAt = log.Block.Time
		e.Posted = Posting{TxHash: log.TxHash, Block: log.Block.Number, Index: log.Index}
	}, ChainNone)
}

// dispute records a dispute. It returns an error after the dispute window or the agent's approval,
// because the validators can release the funds from then on.
func (e *EscrowTask) dispute(by common.Address, at time.Time) error {
	if e.Status == ChainSubmitted && (e.AgentApproved || !at.Before(e.DisputeDeadline())) {
		return Errorf(KindWrongStatus, "task %d cannot be disputed at %s", e.ID, FormatTime(at))
	}
	return e.enter(EventTaskDisputed, func() {
		e.Status, e.DisputedBy, e.DisputedAt, e.LastActivityAt = ChainDisputed, by, at, at
	}, ChainSubmitted)
}

func (e *EscrowTask) approve(at time.Time) error {
	if e.AgentApproved {
		return Errorf(KindWrongStatus, "task %d is already approved", e.ID)
	}
	return e.enter(EventAgentApproved, func() {
		e.AgentApproved, e.ApprovedAt, e.LastActivityAt = true, at, at
	}, ChainSubmitted, ChainDisputed)
}

// decide records the validators' verdict. It rejects a verdict outside its round, and a rejection
// of work that the agent approved.
func (e *EscrowTask) decide(kind EventKind, at time.Time) error {
	approved := kind == EventSubmissionApproved
	if !e.Round().Open(at) || !approved && e.AgentApproved {
		return Errorf(KindWrongStatus, "event %s is invalid at %s: task %d is %s", kind, FormatTime(at), e.ID, e.Status)
	}
	e.Verdict = &approved
	return nil
}

// release ends the task in favour of the human, by verdict or by timeout.
func (e *EscrowTask) release(log Log) error {
	at := log.Block.Time
	byVerdict := e.Verdict != nil && *e.Verdict
	byTime := !e.Due().IsZero() && (!at.Before(e.SettleAt()) || !at.Before(e.EmergencyAt()))
	if !byVerdict && !byTime {
		return Errorf(KindWrongStatus, "task %d cannot be released at %s: it is %s", e.ID, FormatTime(at), e.Status)
	}
	return e.enter(log.Event.Kind, func() {
		e.Status, e.Paid, e.Fee, e.EndedAt, e.EndTx = ChainReleased, log.Event.Amount, log.Event.Fee, at, log.TxHash
	}, ChainSubmitted, ChainDisputed)
}

// cancel ends the task before a submission. The caller must be a party to the task, or zero if the
// transaction does not show it.
func (e *EscrowTask) cancel(log Log) error {
	ev := log.Event
	if ev.Caller != (common.Address{}) && ev.Caller != e.Agent && ev.Caller != e.Human {
		return Errorf(KindInvalid, "%s cancelled task %d but is not a party to it", ev.Caller, e.ID)
	}
	return e.enter(ev.Kind, func() {
		e.Status, e.Refund, e.EndedAt, e.EndTx = ChainCancelled, ev.Amount, log.Block.Time, log.TxHash
		e.CancelledBy = ev.Caller
	}, ChainPosted, ChainActive)
}

// refund ends the task in favour of the agent, which requires a verdict that rejects the work.
func (e *EscrowTask) refund(log Log) error {
	if e.Verdict == nil || *e.Verdict {
		return Errorf(KindWrongStatus, "task %d cannot be refunded without a verdict: it is %s", e.ID, e.Status)
	}
	return e.enter(log.Event.Kind, func() {
		e.Status, e.Refund, e.EndedAt, e.EndTx = ChainRefunded, log.Event.Amount, log.Block.Time, log.TxHash
	}, ChainSubmitted, ChainDisputed)
}

// disputedByAgent reports whether the agent opened the dispute. A dispute by the human does not
// shorten the agent's time to respond.
func (e *EscrowTask) disputedByAgent() bool {
	return e.Status == ChainDisputed && e.DisputedBy == e.Agent
}

// Due returns the time until which verdicts are accepted, or the zero time if no work is under
// review. The review lasts ApprovedReview from an approval, DisputedReview from the agent's
// dispute, and otherwise EmergencyDelay from the last activity.
func (e *EscrowTask) Due() time.Time {
	switch {
	case e.Status != ChainSubmitted && e.Status != ChainDisputed:
		return time.Time{}
	case e.AgentApproved:
		return e.LastActivityAt.Add(ApprovedReview)
	case e.disputedByAgent():
		return e.DisputedAt.Add(DisputedReview)
	default:
		return e.LastActivityAt.Add(EmergencyDelay)
	}
}

// SettleAt returns the time from which anyone can release the payment without a verdict, or the
// zero time if no work is under review.
func (e *EscrowTask) SettleAt() time.Time {
	if due := e.Due(); due.IsZero() || e.AgentApproved || e.disputedByAgent() {
		return due
	}
	return e.LastActivityAt.Add(SettleDelay)
}

// EmergencyAt returns the time from which the human can release the payment without a verdict or
// the agent's approval, or the zero time if no work is under review.
func (e *EscrowTask) EmergencyAt() time.Time {
	if e.Status != ChainSubmitted && e.Status != ChainDisputed {
		return time.Time{}
	}
	return e.LastActivityAt.Add(EmergencyDelay)
}

// Round is a period in which validators can submit verdicts on a task.
type Round struct {
	Number uint8 // 0 for a review, 1 for a dispute
	Opens  time.Time
	Closes time.Time
}

// Open reports whether verdicts in this round are accepted at chain time now.
func (r Round) Open(now time.Time) bool {
	return !r.Opens.IsZero() && !now.Before(r.Opens) && now.Before(r.Closes)
}

// Round returns the current or next round of the task, or the zero Round if no work is under
// review.
func (e *EscrowTask) Round() Round {
	if e.Status != ChainSubmitted && e.Status != ChainDisputed {
		return Round{}
	}
	round := Round{Opens: e.DisputeDeadline(), Closes: e.Due()}
	if e.Status == ChainDisputed {
		round.Number = 1
	}
	// The agent's approval or dispute ends the agent's time to respond, so the round opens at once.
	// The human cannot shorten that time: after the human's dispute, the round opens at the end of
	// the dispute window, even if the agent approves earlier.
	if e.disputedByAgent() || e.Status == ChainSubmitted && e.AgentApproved {
		round.Opens = e.LastActivityAt
	}
	return round
}
