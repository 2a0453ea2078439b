package fold

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
)

// wording is the text of an event for one party.
type wording struct {
	kind               market.ActivityType
	title, description string
}

// eventWording returns the text of an event for the task's agent and for its assigned human or
// applicant; an empty title means no item. Of two events that always occur in one transaction, only
// one has a text.
func eventWording(event market.Event) (agent, human wording) {
	const task, application, payout = market.ActivityTask, market.ActivityApplication, market.ActivityPayout
	switch event.Kind {
	case market.EventTaskPosted:
		agent = wording{task, "Task funded", "The escrow holds the amount; humans can apply."}
	case market.EventTaskCreated:
		agent = wording{task, "Human assigned", "The accepted human works on your task."}
	case market.EventTaskSubmitted:
		agent = wording{task, "Work submitted", "Approve it, or dispute it within 24 hours; otherwise validators review it."}
		human = wording{task, "Work submitted", "The agent has 24 hours to respond; then validators review it. If they reject it, you are not paid and lose your stake."}
	case market.EventTaskDisputed:
		return disputeWording(event)
	case market.EventAgentApproved:
		agent = wording{task, "Work approved by the agent", "Validators release the payment, or it is paid 72 hours later."}
		human = agent
	case market.EventTaskReleased:
		agent = wording{payout, "Payment released", "The escrow paid the human and the platform's fee."}
		human = wording{payout, "Payment received", "The escrow paid your wallet."}
	case market.EventTaskRefunded:
		agent = wording{payout, "Escrow refunded", "Validators rejected the work; the amount is back in your wallet."}
		human = wording{task, "Work rejected", "Validators rejected your work. The payment was refunded to the agent, and you lost your stake."}
	case market.EventTaskCancelled:
		return cancelWording(event)
	case market.EventStakeLocked:
		agent = wording{application, "Application staked", "An application to your task can be accepted now."}
		human = wording{application, "Stake locked", "Your application waits for the agent's decision."}
	case market.EventStakeActivated:
		human = wording{application, "Application accepted", "The task is yours. Your stake stays locked; you lose it if validators reject your work."}
	case market.EventStakeReturned:
		human = wording{application, "Stake returned", "Your stake is back in your wallet."}
	case market.EventStakeForfeited:
		human = wording{application, "Stake forfeited", "You lost your stake. It went to the treasury."}
	case market.EventApplicationRejected:
		agent = wording{application, "Application rejected", "You rejected an application to your task."}
		human = wording{application, "Application rejected", "The agent rejected your application. You lose its stake."}
	case market.EventApplicationWithdrawn:
		agent = wording{application, "Application withdrawn", "A human took back an application to your task."}
		human = wording{application, "Application withdrawn", "Your stake is back in your wallet."}
	default:
	}
	return agent, human
}

// disputeWording distinguishes the filer from the other party.
func disputeWording(event market.Event) (agent, human wording) {
	const (
		opened = "You opened a dispute"
		answer = "Answer it so that validators read your side."
		risk   = " If they reject your work, you are not paid and lose your stake."
	)
	if event.Caller == event.Agent {
		paid := "Validators decide it. If they approve the work or do not decide in time, the human is paid."
		return wording{market.ActivityDispute, opened, paid}, wording{market.ActivityDispute, "The agent opened a dispute", answer + risk}
	}
	return wording{market.ActivityDispute, "The human opened a dispute", answer},
		wording{market.ActivityDispute, opened, "Validators decide it." + risk}
}

// cancelWording distinguishes the party that cancelled from the other, if the chain shows it.
func cancelWording(event market.Event) (agent, human wording) {
	const title, back, stake = "Task cancelled", "The amount is back in your wallet.", " Your stake was returned."
	agent, human = wording{market.ActivityPayout, title, ""}, wording{market.ActivityTask, title, ""}
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

// logActivities returns the items of one log of a task, at most one for each party.
func logActivities(log market.Log, row partiesLog, task market.Task, status market.ActivityStatus) []chainActivity {
	related := task.ID
	if row.ApplicationID != nil {
		related = *row.ApplicationID
	}
	key := fmt.Sprintf("%d:%s:%d:%s", log.ChainID, log.Block.Hash, log.Index, log.Event.Kind)
	item := func(audience market.PrincipalKind, id uuid.UUID, w wording) chainActivity {
		return chainActivity{
			ID: derivedID(log.Block.Time, append(id[:], key...)), AudienceID: id, AudienceKind: audience,
			Type: w.kind, Title: w.title, Description: w.description, Amount: amountOf(log.Event),
			TxHash: log.TxHash[:], RelatedID: related, Status: status,
			ChainID: &log.ChainID, BlockHash: log.Block.Hash[:], BlockNumber: &log.Block.Number,
			DedupeKey: key, CreatedAt: log.Block.Time,
		}
	}
	var items []chainActivity
	agent, human := eventWording(log.Event)
	if agent.title != "" {
		items = append(items, item(market.PrincipalAgent, task.AgentID, agent))
	}
	if human.title != "" && row.HumanID != nil {
		items = append(items, item(market.PrincipalHuman, *row.HumanID, human))
	}
	return items
}

// amountOf returns the amount that an event moved, or nil.
func amountOf(ev market.Event) *big.Int {
	if ev.Kind == market.EventTaskCreated || ev.Amount == nil || ev.Amount.Sign() == 0 {
		return nil
	}
	return ev.Amount
}

// transition is a change of a record that follows from time alone.
type transition struct {
	kind         string // unique together with related and at
	at           time.Time
	related      uuid.UUID
	agent, human wording
}

// taskTransitions returns the transitions of a task without a log, up to now.
func taskTransitions(t market.Task, now time.Time) []transition {
	e := t.Escrow
	if e == nil {
		return nil
	}
	var transitions []transition
	past := func(at, instant time.Time) bool { return at.IsZero() || !at.Before(instant) }
	if d := t.Deadline; d != nil && !now.Before(*d) && past(e.SubmittedAt, *d) && past(e.EndedAt, *d) {
		transitions = append(transitions, transition{
			kind: "expired", at: *d, related: t.ID,
			agent: wording{market.ActivityTask, "Task expired", "The deadline passed; cancel the task to get the amount back."},
			human: wording{market.ActivityTask, "Task expired", "The deadline passed; the agent may cancel until you submit."},
		})
	}
	review := e.DisputeDeadline()
	if !review.IsZero() && !now.Before(review) && past(e.ApprovedAt, review) && e.DisputedAt.IsZero() && past(e.EndedAt, review) {
		w := wording{market.ActivityTask, "Work in review", "The work was not disputed within 24 hours; validators decide."}
		transitions = append(transitions, transition{kind: "validating", at: review, related: t.ID, agent: w, human: w})
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
	return []transition{{
		kind: "expired", at: s.ExpiresAt, related: id,
		human: wording{market.ActivityApplication, "Application expired", "The agent did not decide in time. You can withdraw your stake."},
	}}
}

// transitionActivities returns the items of a transition. They belong to no block and time does not
// go back, so they are confirmed at once.
func transitionActivities(chainID uint64, m transition, agentID uuid.UUID, humanID *uuid.UUID) []chainActivity {
	key := fmt.Sprintf("%d:%s:%s:%d", chainID, m.related, m.kind, m.at.Unix())
	item := func(audience market.PrincipalKind, id uuid.UUID, w wording) chainActivity {
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
