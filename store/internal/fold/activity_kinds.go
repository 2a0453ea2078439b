package fold

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
)

// eventKinds maps events to the kinds of their feed items. If two events always occur in the same
// transaction, only one of them has items.
var eventKinds = map[market.EventKind]market.ActivityKind{
	market.EventTaskPosted:           market.ActivityTaskFunded,
	market.EventTaskCreated:          market.ActivityHumanAssigned,
	market.EventTaskSubmitted:        market.ActivityWorkSubmitted,
	market.EventTaskDisputed:         market.ActivityDisputeOpened,
	market.EventAgentApproved:        market.ActivityWorkApproved,
	market.EventTaskReleased:         market.ActivityPaymentReleased,
	market.EventTaskRefunded:         market.ActivityPaymentRefunded,
	market.EventTaskCancelled:        market.ActivityTaskCancelled,
	market.EventStakeLocked:          market.ActivityStakeLocked,
	market.EventStakeActivated:       market.ActivityApplicationAccepted,
	market.EventStakeReturned:        market.ActivityStakeReturned,
	market.EventStakeForfeited:       market.ActivityStakeForfeited,
	market.EventApplicationRejected:  market.ActivityApplicationRejected,
	market.EventApplicationWithdrawn: market.ActivityApplicationWithdrawn,
}

// actorOf returns the party that disputed or cancelled. It returns "" if the event does not
// identify the party, and for other events.
func actorOf(event market.Event) market.PrincipalKind {
	disputed := event.Kind == market.EventTaskDisputed
	switch {
	case !disputed && event.Kind != market.EventTaskCancelled, event.Caller == common.Address{}:
		return ""
	case event.Caller == event.Agent:
		return market.PrincipalAgent
	case event.Caller == event.Human, disputed: // a dispute event does not contain the human
		return market.PrincipalHuman
	}
	return ""
}

// forParties returns a copy of the item for each party that must be notified of its content.
// humanID is nil if the human is unknown.
func (item chainActivity) forParties(agentID uuid.UUID, humanID *uuid.UUID) []chainActivity {
	var items []chainActivity
	add := func(kind market.PrincipalKind, id uuid.UUID) {
		if text, notified := item.TextFor(kind); notified {
			item.ID = derivedID(item.CreatedAt, append(id[:], item.DedupeKey...))
			item.AudienceID, item.AudienceKind, item.Type = id, kind, text.Type
			items = append(items, item)
		}
	}
	add(market.PrincipalAgent, agentID)
	if humanID != nil {
		add(market.PrincipalHuman, *humanID)
	}
	return items
}

// logActivities returns the items for one log of a task, at most one for each party.
func logActivities(log market.Log, row partiesLog, task market.Task, status market.ActivityStatus) []chainActivity {
	related := task.ID
	if row.ApplicationID != nil {
		related = *row.ApplicationID
	}
	item := chainActivity{
		ActivityContent: market.ActivityContent{Kind: eventKinds[log.Event.Kind], Actor: actorOf(log.Event)},
		Amount:          amountOf(log.Event), TxHash: log.TxHash[:], RelatedID: related, Status: status,
		ChainID: &log.ChainID, BlockHash: log.Block.Hash[:], BlockNumber: &log.Block.Number,
		DedupeKey: fmt.Sprintf("%d:%s:%d:%s", log.ChainID, log.Block.Hash, log.Index, log.Event.Kind), CreatedAt: log.Block.Time,
	}
	return item.forParties(task.AgentID, row.HumanID)
}

// unlinkedActivity returns the item for a posting that contains the task's terms hash and does not fund the
// task. Its key differs from that of the item for a posting that does.
func unlinkedActivity(log market.Log, task market.Task, status market.ActivityStatus) []chainActivity {
	return chainActivity{
		ActivityContent: market.ActivityContent{Kind: market.ActivityPostingUnlinked},
		Amount:          amountOf(log.Event), TxHash: log.TxHash[:], RelatedID: task.ID, Status: status,
		ChainID: &log.ChainID, BlockHash: log.Block.Hash[:], BlockNumber: &log.Block.Number,
		DedupeKey: fmt.Sprintf("%d:%s:%d:unlinked", log.ChainID, log.Block.Hash, log.Index), CreatedAt: log.Block.Time,
	}.forParties(task.AgentID, nil)
}

// amountOf returns the amount of money that an event transferred or locked, or nil.
func amountOf(ev market.Event) *big.Int {
	if ev.Kind == market.EventTaskCreated || ev.Amount == nil || ev.Amount.Sign() == 0 {
		return nil
	}
	return ev.Amount
}

// transition is a change to a record that is caused only by the passing of time.
type transition struct {
	name    string // unique together with related and at
	at      time.Time
	related uuid.UUID
	kind    market.ActivityKind
}

// taskTransitions returns the task's transitions up to now that are not caused by a log.
func taskTransitions(t market.Task, now time.Time) []transition {
	e := t.Escrow
	if e == nil {
		return nil
	}
	var transitions []transition
	past := func(at, instant time.Time) bool { return at.IsZero() || !at.Before(instant) }
	if d := t.Deadline; d != nil && !now.Before(*d) && past(e.SubmittedAt, *d) && past(e.EndedAt, *d) {
		transitions = append(transitions, transition{"expired", *d, t.ID, market.ActivityTaskExpired})
	}
	review := e.DisputeDeadline()
	if !review.IsZero() && !now.Before(review) && past(e.ApprovedAt, review) && e.DisputedAt.IsZero() && past(e.EndedAt, review) {
		transitions = append(transitions, transition{"validating", review, t.ID, market.ActivityReviewStarted})
	}
	return transitions
}

// applicationTransitions returns the transitions of an application with the given stake.
func applicationTransitions(id uuid.UUID, s *market.Stake, e *market.EscrowTask, now time.Time) []transition {
	decided := s == nil || e == nil || s.Accepted || s.Rejected || s.Withdrawn
	if decided || now.Before(s.ExpiresAt) {
		return nil
	}
	for _, end := range []time.Time{s.EndedAt, e.AcceptedAt, e.EndedAt} {
		if !end.IsZero() && end.Before(s.ExpiresAt) {
			return nil
		}
	}
	return []transition{{"expired", s.ExpiresAt, id, market.ActivityApplicationExpired}}
}

// transitionActivities returns the feed items for a transition. They are confirmed immediately,
// because they do not depend on a block.
func transitionActivities(chainID uint64, m transition, agentID uuid.UUID, humanID *uuid.UUID) []chainActivity {
	item := chainActivity{
		ActivityContent: market.ActivityContent{Kind: m.kind}, RelatedID: m.related, Status: market.ActivityConfirmed,
		DedupeKey: fmt.Sprintf("%d:%s:%s:%d", chainID, m.related, m.name, m.at.Unix()), CreatedAt: m.at,
	}
	return item.forParties(agentID, humanID)
}
