package fold

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
)

// words is what an event says to one party.
type words struct {
	kind               market.ActivityType
	title, description string
}

// eventWords returns what an event means to the task's agent and to the human
// who is assigned or applied; no title means nothing. An event that always comes
// with another of the same transaction leaves the word to that one.
func eventWords(event market.Event) (agent, human words) {
	const task, application, payout = market.ActivityTask, market.ActivityApplication, market.ActivityPayout
	switch event.Kind {
	case market.EventTaskPosted:
		agent = words{task, "Task funded", "The escrow holds the amount; humans can apply."}
	case market.EventTaskCreated:
		agent = words{task, "Human assigned", "The accepted human works on your task."}
	case market.EventTaskSubmitted:
		agent = words{task, "Work submitted", "Approve it, or dispute it within 24 hours; otherwise validators review it."}
		human = words{task, "Work submitted", "The agent has 24 hours to respond; then validators review it. If they reject it, you are not paid and lose your stake."}
	case market.EventTaskDisputed:
		return disputeWords(event)
	case market.EventAgentApproved:
		agent = words{task, "Work approved by the agent", "Validators release the payment, or it is paid 72 hours later."}
		human = agent
	case market.EventTaskReleased:
		agent = words{payout, "Payment released", "The escrow paid the human and the platform's fee."}
		human = words{payout, "Payment received", "The escrow paid your wallet."}
	case market.EventTaskRefunded:
		agent = words{payout, "Escrow refunded", "Validators rejected the work; the amount is back in your wallet."}
		human = words{task, "Work rejected", "Validators rejected your work. The payment was refunded to the agent, and you lost your stake."}
	case market.EventTaskCancelled:
		return cancelWords(event)
	case market.EventStakeLocked:
		agent = words{application, "Application staked", "An application to your task can be accepted now."}
		human = words{application, "Stake locked", "Your application waits for the agent's decision."}
	case market.EventStakeActivated:
		human = words{application, "Application accepted", "The task is yours. Your stake stays locked; you lose it if validators reject your work."}
	case market.EventStakeReturned:
		human = words{application, "Stake returned", "Your stake is back in your wallet."}
	case market.EventStakeForfeited:
		human = words{application, "Stake forfeited", "You lost your stake. It went to the treasury."}
	case market.EventApplicationRejected:
		agent = words{application, "Application rejected", "You rejected an application to your task."}
		human = words{application, "Application rejected", "The agent rejected your application. You lose its stake."}
	case market.EventApplicationWithdrawn:
		agent = words{application, "Application withdrawn", "A human took back an application to your task."}
		human = words{application, "Application withdrawn", "Your stake is back in your wallet."}
	default:
	}
	return agent, human
}

// disputeWords tells the party that filed a dispute from the other.
func disputeWords(event market.Event) (agent, human words) {
	const (
		opened = "You opened a dispute"
		answer = "Answer it so that validators read your side."
		risk   = " If they reject your work, you are not paid and lose your stake."
	)
	if event.Caller == event.Agent {
		paid := "Validators decide it. If they approve the work or do not decide in time, the human is paid."
		return words{market.ActivityDispute, opened, paid}, words{market.ActivityDispute, "The agent opened a dispute", answer + risk}
	}
	return words{market.ActivityDispute, "The human opened a dispute", answer},
		words{market.ActivityDispute, opened, "Validators decide it." + risk}
}

// cancelWords tells the party that cancelled from the other, where the chain
// shows which one it was.
func cancelWords(event market.Event) (agent, human words) {
	const title, back, stake = "Task cancelled", "The amount is back in your wallet.", " Your stake was returned."
	agent, human = words{market.ActivityPayout, title, ""}, words{market.ActivityTask, title, ""}
	switch event.Caller {
	case common.Address{}:
		agent.description, human.description = back, "The task ended before work was submitted."+stake
	case event.Agent:
		agent.description = "You cancelled the task. " + back
		human.description = "The agent cancelled the task before work was submitted." + stake
	case event.Human:
		agent.description = "The human gave the task back. " + back
		human.description = "You gave the task back." + stake
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
	agent, human := eventWords(log.Event)
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
		w := words{market.ActivityTask, "Work in review", "The work was not disputed within 24 hours; validators decide."}
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
		human: words{market.ActivityApplication, "Application expired", "The agent did not decide in time. You can withdraw your stake."},
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
