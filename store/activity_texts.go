package store

import (
	"fmt"
	"math/big"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
)

// words is what an event says to one party.
type words struct {
	kind               market.ActivityType
	title, description string
}

// eventWords returns what an event says to the task's agent and to the human
// who is assigned or applied; no title means nothing. An event that always comes
// with another of the same transaction leaves the word to that one.
func eventWords(kind market.EventKind) (agent, human words) {
	const task, application, payout, dispute = market.ActivityTask, market.ActivityApplication, market.ActivityPayout, market.ActivityDispute
	switch kind {
	case market.EventTaskPosted:
		agent = words{task, "Task funded", "The escrow holds the amount; humans can apply."}
	case market.EventTaskCreated:
		agent = words{task, "Human assigned", "The accepted human works on your task."}
	case market.EventTaskSubmitted:
		agent = words{task, "Work submitted", "Approve it, or dispute it within 24 hours; otherwise validators review it."}
		human = words{task, "Work submitted", "The agent has 24 hours to dispute it; then validators review it."}
	case market.EventTaskDisputed:
		agent = words{dispute, "Task disputed", "Validators decide; answer the dispute to be heard."}
		human = agent
	case market.EventAgentApproved:
		agent = words{task, "Work approved by the agent", "Validators release the payment, or it is paid 72 hours later."}
		human = agent
	case market.EventTaskReleased:
		agent = words{payout, "Payment released", "The escrow paid the human and the platform's fee."}
		human = words{payout, "Payment received", "The escrow paid your wallet."}
	case market.EventTaskRefunded:
		agent = words{payout, "Escrow refunded", "Validators rejected the work; the amount is back in your wallet."}
		human = words{task, "Work rejected", "Validators rejected the work; the escrow was refunded."}
	case market.EventTaskCancelled:
		agent = words{payout, "Task cancelled", "The amount is back in your wallet."}
		human = words{task, "Task cancelled", "The task ended before work was submitted."}
	case market.EventStakeLocked:
		agent = words{application, "Application staked", "An application to your task can be accepted now."}
		human = words{application, "Stake locked", "Your application waits for the agent's decision."}
	case market.EventStakeActivated:
		human = words{application, "Application accepted", "The task is yours; your stake stays locked until its end."}
	case market.EventStakeReturned:
		human = words{application, "Stake returned", "Your stake is back in your wallet."}
	case market.EventStakeForfeited:
		human = words{application, "Stake forfeited", "Your stake went to the treasury."}
	case market.EventApplicationRejected:
		agent = words{application, "Application rejected", "You rejected an application to your task."}
		human = words{application, "Application rejected", "The agent rejected your application."}
	case market.EventApplicationWithdrawn:
		agent = words{application, "Application withdrawn", "A human took back an application to your task."}
		human = words{application, "Application withdrawn", "Your stake is back in your wallet."}
	default:
	}
	return agent, human
}

// logActivities returns the items that one log of a task's life makes: one for
// each party that it says something to.
func logActivities(log market.Log, row partiesLog, task market.Task, status market.ActivityStatus) []chainActivity {
	related := task.ID
	if row.ApplicationID != nil {
		related = *row.ApplicationID
	}
	key := fmt.Sprintf("%d:%s:%d:%s", log.ChainID, log.Block.Hash, log.Index, log.Event.Kind)
	item := func(audience market.PrincipalKind, id uuid.UUID, w words) chainActivity {
		return chainActivity{
			ID: derivedID(log.Block.Time, append(id[:], key...)), AudienceID: id, AudienceKind: audience,
			Type: w.kind, Title: w.title, Description: w.description, Amount: amountOf(log.Event),
			TxHash: log.TxHash[:], RelatedID: related, Status: status,
			ChainID: &log.ChainID, BlockHash: log.Block.Hash[:], BlockNumber: &log.Block.Number,
			DedupeKey: key, CreatedAt: log.Block.Time,
		}
	}
	var items []chainActivity
	agent, human := eventWords(log.Event.Kind)
	if agent.title != "" {
		items = append(items, item(market.PrincipalAgent, task.AgentID, agent))
	}
	if human.title != "" && row.HumanID != nil {
		items = append(items, item(market.PrincipalHuman, *row.HumanID, human))
	}
	return items
}

// amountOf returns what an event moved, nil for nothing.
func amountOf(ev market.Event) *big.Int {
	if ev.Kind == market.EventTaskCreated || ev.Amount == nil || ev.Amount.Sign() == 0 {
		return nil
	}
	return ev.Amount
}

// moment is an instant at which time alone changed a record.
type moment struct {
	kind         string // what happened to the related record: with at, the cause
	at           time.Time
	related      uuid.UUID
	agent, human words
}

// taskMoments returns the instants of a task's life that have no log, up to now.
func taskMoments(t market.Task, now time.Time) []moment {
	e := t.Escrow
	if e == nil {
		return nil
	}
	var moments []moment
	past := func(at, instant time.Time) bool { return at.IsZero() || !at.Before(instant) }
	if d := t.Deadline; d != nil && !now.Before(*d) && past(e.SubmittedAt, *d) && past(e.EndedAt, *d) {
		moments = append(moments, moment{
			kind: "expired", at: *d, related: t.ID,
			agent: words{market.ActivityTask, "Task expired", "The deadline passed; cancel the task to get the amount back."},
			human: words{market.ActivityTask, "Task expired", "The deadline passed; the agent may cancel until you submit."},
		})
	}
	review := e.DisputeDeadline()
	if !review.IsZero() && !now.Before(review) && past(e.ApprovedAt, review) && e.DisputedAt.IsZero() && past(e.EndedAt, review) {
		w := words{market.ActivityTask, "Work in review", "Nobody disputed it within 24 hours; validators decide."}
		moments = append(moments, moment{kind: "validating", at: review, related: t.ID, agent: w, human: w})
	}
	return moments
}

// applicationMoments is taskMoments for an application with the given stake.
func applicationMoments(id uuid.UUID, s *market.Stake, e *market.EscrowTask, now time.Time) []moment {
	decided := s == nil || e == nil || s.Accepted || s.Rejected || s.Withdrawn
	if decided || now.Before(s.ExpiresAt) {
		return nil
	}
	for _, end := range []time.Time{s.EndedAt, e.AcceptedAt, e.EndedAt} {
		if !end.IsZero() && end.Before(s.ExpiresAt) {
			return nil
		}
	}
	return []moment{{
		kind: "expired", at: s.ExpiresAt, related: id,
		human: words{market.ActivityApplication, "Application expired", "Nobody decided in time; take your stake back."},
	}}
}

// momentActivities returns the items that an instant makes. They are of no
// block, and what time has done stays done: they are confirmed at once.
func momentActivities(chainID uint64, m moment, agentID uuid.UUID, humanID *uuid.UUID) []chainActivity {
	key := fmt.Sprintf("%d:%s:%s:%d", chainID, m.related, m.kind, m.at.Unix())
	item := func(audience market.PrincipalKind, id uuid.UUID, w words) chainActivity {
		return chainActivity{
			ID: derivedID(m.at, append(id[:], key...)), AudienceID: id, AudienceKind: audience, Type: w.kind,
			Title: w.title, Description: w.description, RelatedID: m.related, Status: market.ActivityConfirmed,
			DedupeKey: key, CreatedAt: m.at,
		}
	}
	var items []chainActivity
	if m.agent.title != "" {
		items = append(items, item(market.PrincipalAgent, agentID, m.agent))
	}
	if m.human.title != "" && humanID != nil {
		items = append(items, item(market.PrincipalHuman, *humanID, m.human))
	}
	return items
}
