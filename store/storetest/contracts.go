package storetest

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// State is what the contracts hold, and when.
type State struct {
	Now    time.Time
	Tasks  map[uint64]*market.EscrowTask
	Stakes map[uint64]*market.Stake

	d market.Deployment
}

func newState(d market.Deployment) *State {
	return &State{Tasks: make(map[uint64]*market.EscrowTask), Stakes: make(map[uint64]*market.Stake), d: d}
}

// follow applies logs. The made-up contracts may emit only what is legal.
func (s *State) follow(now time.Time, logs []market.Log) {
	s.Now = now
	for _, log := range logs {
		if log.Event.OfTask() && log.Address == s.d.Escrow {
			if s.Tasks[log.Event.TaskID] == nil {
				s.Tasks[log.Event.TaskID] = &market.EscrowTask{ChainID: log.ChainID, Escrow: log.Address, ID: log.Event.TaskID}
			}
			must(s.Tasks[log.Event.TaskID].Apply(log))
		}
		if log.Event.OfStake() && log.Address == s.d.Staking {
			if s.Stakes[log.Event.ApplicationID] == nil {
				s.Stakes[log.Event.ApplicationID] = &market.Stake{ID: log.Event.ApplicationID}
			}
			must(s.Stakes[log.Event.ApplicationID].Apply(log))
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TaskOf returns the escrow's id of the task's first posting, 0 for none.
func (s *State) TaskOf(task market.Task) uint64 {
	for id := uint64(1); s.Tasks[id] != nil; id++ {
		if s.Tasks[id].TermsHash == task.TermsHash {
			return id
		}
	}
	return 0
}

// StakeOf returns the id of the wallet's last stake for a posting, 0 for none.
func (s *State) StakeOf(taskID uint64, human common.Address) uint64 {
	for id := uint64(len(s.Stakes)); id > 0; id-- {
		if s.Stakes[id].TaskID == taskID && s.Stakes[id].Human == human {
			return id
		}
	}
	return 0
}

func (s *State) is(id uint64, statuses ...market.ChainStatus) bool {
	for _, status := range statuses {
		if s.Tasks[id] != nil && s.Tasks[id].Status == status {
			return true
		}
	}
	return false
}

func (s *State) escrow(events ...market.Event) []Emission {
	var emitted []Emission
	for _, ev := range events {
		emitted = append(emitted, Emission{s.d.Escrow, ev})
	}
	return emitted
}

// endStake returns or forfeits the stake of an accepted task.
func (s *State) endStake(id uint64, kind market.EventKind) []Emission {
	application := s.Tasks[id].ApplicationID
	if application == 0 {
		return nil
	}
	stake := s.Stakes[application]
	return []Emission{{s.d.Staking, market.Event{Kind: kind, ApplicationID: application, Human: stake.Human, Amount: stake.Amount}}}
}

func tx(t testing.TB, run func(*State) []Emission) Tx {
	t.Helper()
	return Tx{Hash: Hash(t), Run: run}
}

// Post funds the task, naming its terms unless bare.
func Post(t testing.TB, task market.Task, bare bool) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := uint64(len(s.Tasks)) + 1
		emitted := s.escrow(market.Event{
			Kind: market.EventTaskPosted, TaskID: id, Agent: task.AgentWallet,
			Amount: task.Amount, FeeBasisPoints: task.FeeBasisPoints,
		})
		if bare {
			return emitted
		}
		return append(emitted, s.escrow(market.Event{Kind: market.EventTaskTerms, TaskID: id, Hash: task.TermsHash})...)
	})
}

// Stake applies for the task's first posting.
func Stake(t testing.TB, task market.Task, human common.Address) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		taskID := s.TaskOf(task)
		last := s.Stakes[s.StakeOf(taskID, human)]
		if !s.is(taskID, market.ChainPosted) || human == task.AgentWallet || last != nil && last.Status == market.StakeLive {
			return nil
		}
		id := uint64(len(s.Stakes)) + 1
		return []Emission{
			{s.d.Staking, market.Event{
				Kind: market.EventStakeLocked, ApplicationID: id, Human: human, Agent: task.AgentWallet,
				Amount: market.RequiredStake(task.Amount), ExpiresAt: s.Now.Add(market.StakeLifetime),
			}},
			{s.d.Staking, market.Event{Kind: market.EventApplicationForTask, ApplicationID: id, TaskID: taskID}},
		}
	})
}

// Accept binds the wallet's application to the task.
func Accept(t testing.TB, task market.Task, human common.Address) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		taskID := s.TaskOf(task)
		id := s.StakeOf(taskID, human)
		if !s.is(taskID, market.ChainPosted) || id == 0 || s.Stakes[id].Status != market.StakeLive || !s.Now.Before(s.Stakes[id].ExpiresAt) {
			return nil
		}
		activated := market.Event{Kind: market.EventStakeActivated, ApplicationID: id, TaskID: taskID}
		return append([]Emission{{s.d.Staking, activated}}, s.escrow(
			market.Event{Kind: market.EventTaskCreated, TaskID: taskID, Agent: task.AgentWallet, Human: human, Amount: task.Amount},
			market.Event{Kind: market.EventTaskCreatedWithApplication, TaskID: taskID, ApplicationID: id, Agent: task.AgentWallet},
		)...)
	})
}

// Reject forfeits the stake of the wallet's application.
func Reject(t testing.TB, task market.Task, human common.Address) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		taskID := s.TaskOf(task)
		id := s.StakeOf(taskID, human)
		if !s.is(taskID, market.ChainPosted) || id == 0 || s.Stakes[id].Status != market.StakeLive || !s.Now.Before(s.Stakes[id].ExpiresAt) {
			return nil
		}
		return []Emission{
			{s.d.Staking, market.Event{Kind: market.EventApplicationRejected, ApplicationID: id, Agent: task.AgentWallet}},
			{s.d.Staking, market.Event{Kind: market.EventStakeForfeited, ApplicationID: id, Human: human, Amount: s.Stakes[id].Amount}},
		}
	})
}

// Withdraw takes the wallet's stake back: before a decision it is withdrawn,
// once it expired or the task ended it is returned.
func Withdraw(t testing.TB, task market.Task, human common.Address) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		taskID := s.TaskOf(task)
		id := s.StakeOf(taskID, human)
		if id == 0 || s.Stakes[id].Status != market.StakeLive {
			return nil
		}
		kind := market.EventStakeReturned
		if s.is(taskID, market.ChainPosted) && s.Now.Before(s.Stakes[id].ExpiresAt) {
			kind = market.EventApplicationWithdrawn
		}
		return []Emission{{s.d.Staking, market.Event{Kind: kind, ApplicationID: id, Human: human, Amount: s.Stakes[id].Amount}}}
	})
}

// Submit delivers work.
func Submit(t testing.TB, task market.Task, work common.Hash) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainActive) {
			return nil
		}
		return s.escrow(
			market.Event{Kind: market.EventTaskSubmitted, TaskID: id, Agent: task.AgentWallet, Caller: s.Tasks[id].Human},
			market.Event{Kind: market.EventWorkCommitted, TaskID: id, Hash: work},
		)
	})
}

// Approve is the agent's approval.
func Approve(t testing.TB, task market.Task) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainSubmitted, market.ChainDisputed) || s.Tasks[id].AgentApproved {
			return nil
		}
		return s.escrow(market.Event{Kind: market.EventAgentApproved, TaskID: id, Agent: task.AgentWallet, Human: s.Tasks[id].Human})
	})
}

// Dispute is the agent's dispute, or the human's.
func Dispute(t testing.TB, task market.Task, byAgent bool) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainSubmitted) || s.Tasks[id].AgentApproved || !s.Now.Before(s.Tasks[id].DisputeDeadline()) {
			return nil
		}
		caller := s.Tasks[id].Human
		if byAgent {
			caller = task.AgentWallet
		}
		return s.escrow(market.Event{Kind: market.EventTaskDisputed, TaskID: id, Caller: caller, Agent: task.AgentWallet})
	})
}

// Decide is a quorum of validators: it approves or rejects the work.
func Decide(t testing.TB, task market.Task, approved bool) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainSubmitted, market.ChainDisputed) || !s.Tasks[id].Round().Open(s.Now) {
			return nil
		}
		if approved {
			return append(s.escrow(market.Event{Kind: market.EventSubmissionApproved, TaskID: id}), s.release(id)...)
		}
		if s.Tasks[id].AgentApproved {
			return nil
		}
		return append(s.escrow(
			market.Event{Kind: market.EventSubmissionRejected, TaskID: id},
			market.Event{Kind: market.EventTaskRefunded, TaskID: id, Amount: s.Tasks[id].Amount},
		), s.endStake(id, market.EventStakeForfeited)...)
	})
}

// Settle releases by time-out.
func Settle(t testing.TB, task market.Task) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainSubmitted, market.ChainDisputed) || s.Now.Before(s.Tasks[id].SettleAt()) {
			return nil
		}
		return s.release(id)
	})
}

func (s *State) release(id uint64) []Emission {
	e := s.Tasks[id]
	return append(s.escrow(market.Event{
		Kind: market.EventTaskReleased, TaskID: id, Human: e.Human, Agent: e.Agent,
		Amount: market.Payout(e.Amount, e.FeeBasisPoints), Fee: market.Fee(e.Amount, e.FeeBasisPoints),
	}), s.endStake(id, market.EventStakeReturned)...)
}

// Cancel refunds the task before any submission.
func Cancel(t testing.TB, task market.Task) Tx {
	t.Helper()
	return tx(t, func(s *State) []Emission {
		id := s.TaskOf(task)
		if !s.is(id, market.ChainPosted, market.ChainActive) {
			return nil
		}
		return append(s.escrow(market.Event{
			Kind: market.EventTaskCancelled, TaskID: id, Agent: task.AgentWallet, Amount: s.Tasks[id].Amount, Fee: new(big.Int),
		}), s.endStake(id, market.EventStakeReturned)...)
	})
}
