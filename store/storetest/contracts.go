package storetest

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// State is the state of the simulated contracts at a block.
type State struct {
	Now    time.Time
	Tasks  map[uint64]*market.EscrowTask
	Stakes map[uint64]*market.Stake

	d market.Deployment
}

func newState(d market.Deployment) *State {
	return &State{Tasks: make(map[uint64]*market.EscrowTask), Stakes: make(map[uint64]*market.Stake), d: d}
}

// follow applies logs to the state. The logs are always valid, because the simulated contracts emit
// them.
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

// Target returns the on-chain id of a posting when a transaction runs, or 0 if there is none.
type Target func(*State) uint64

// Of returns a target that selects the first posting with the task's terms hash.
func Of(task market.Task) Target { return func(s *State) uint64 { return s.TaskOf(task) } }

// Numbered returns a target that selects the posting with the given id.
func Numbered(id uint64) Target {
	return func(s *State) uint64 {
		if s.Tasks[id] == nil {
			return 0
		}
		return id
	}
}

// TaskOf returns the id of the first posting with the task's terms hash, or 0 if there is none.
func (s *State) TaskOf(task market.Task) uint64 {
	for id := uint64(1); s.Tasks[id] != nil; id++ {
		if s.Tasks[id].TermsHash == task.TermsHash {
			return id
		}
	}
	return 0
}

// StakeOf returns the id of the wallet's last stake on a posting, or 0 if there is none.
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

// endStake returns the events with which an accepted application's stake is returned or forfeited,
// according to kind.
func (s *State) endStake(id uint64, kind market.EventKind) []Emission {
	application := s.Tasks[id].ApplicationID
	if application == 0 {
		return nil
	}
	stake := s.Stakes[application]
	return []Emission{{s.d.Staking, market.Event{Kind: kind, ApplicationID: application, Human: stake.Human, Amount: stake.Amount}}}
}

func tx(tb testing.TB, run func(*State) []Emission) Tx {
	tb.Helper()
	return Tx{Hash: Hash(tb), Run: run}
}

// Post returns a transaction that funds the task. The posting contains the terms hash unless bare
// is true.
func Post(tb testing.TB, task market.Task, bare bool) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
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

// Stake returns a transaction that locks the human's stake for the task.
func Stake(tb testing.TB, of Target, human common.Address) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		taskID := of(s)
		last := s.Stakes[s.StakeOf(taskID, human)]
		if !s.is(taskID, market.ChainPosted) || human == s.Tasks[taskID].Agent || last != nil && last.Status == market.StakeLive {
			return nil
		}
		id := uint64(len(s.Stakes)) + 1
		return []Emission{
			{s.d.Staking, market.Event{
				Kind: market.EventStakeLocked, ApplicationID: id, Human: human, Agent: s.Tasks[taskID].Agent,
				Amount: market.RequiredStake(s.Tasks[taskID].Amount), ExpiresAt: s.Now.Add(market.StakeLifetime),
			}},
			{s.d.Staking, market.Event{Kind: market.EventApplicationForTask, ApplicationID: id, TaskID: taskID}},
		}
	})
}

// Accept returns a transaction that accepts the wallet's application to the task.
func Accept(tb testing.TB, of Target, human common.Address) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		taskID := of(s)
		id := s.StakeOf(taskID, human)
		if !s.is(taskID, market.ChainPosted) || id == 0 || s.Stakes[id].Status != market.StakeLive || !s.Now.Before(s.Stakes[id].ExpiresAt) {
			return nil
		}
		activated := market.Event{Kind: market.EventStakeActivated, ApplicationID: id, TaskID: taskID}
		return append([]Emission{{s.d.Staking, activated}}, s.escrow(
			market.Event{Kind: market.EventTaskCreated, TaskID: taskID, Agent: s.Tasks[taskID].Agent, Human: human, Amount: s.Tasks[taskID].Amount},
			market.Event{Kind: market.EventTaskCreatedWithApplication, TaskID: taskID, ApplicationID: id, Agent: s.Tasks[taskID].Agent},
		)...)
	})
}

// Reject returns a transaction that rejects the wallet's application and forfeits its stake.
func Reject(tb testing.TB, of Target, human common.Address) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		taskID := of(s)
		id := s.StakeOf(taskID, human)
		if !s.is(taskID, market.ChainPosted) || id == 0 || s.Stakes[id].Status != market.StakeLive || !s.Now.Before(s.Stakes[id].ExpiresAt) {
			return nil
		}
		return []Emission{
			{s.d.Staking, market.Event{Kind: market.EventApplicationRejected, ApplicationID: id, Agent: s.Tasks[taskID].Agent}},
			{s.d.Staking, market.Event{Kind: market.EventStakeForfeited, ApplicationID: id, Human: human, Amount: s.Stakes[id].Amount}},
		}
	})
}

// Withdraw returns a transaction that ends the wallet's stake. The application is withdrawn if it
// is still undecided. Otherwise, after its expiry or the end of the task, the stake is returned.
func Withdraw(tb testing.TB, of Target, human common.Address) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		taskID := of(s)
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

// Submit returns a transaction that submits work for the task.
func Submit(tb testing.TB, of Target, work common.Hash) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
		if !s.is(id, market.ChainActive) {
			return nil
		}
		return s.escrow(
			market.Event{Kind: market.EventTaskSubmitted, TaskID: id, Agent: s.Tasks[id].Agent, Caller: s.Tasks[id].Human},
			market.Event{Kind: market.EventWorkCommitted, TaskID: id, Hash: work},
		)
	})
}

// Approve returns a transaction with which the agent approves the work.
func Approve(tb testing.TB, of Target) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
		if !s.is(id, market.ChainSubmitted, market.ChainDisputed) || s.Tasks[id].AgentApproved {
			return nil
		}
		return s.escrow(market.Event{Kind: market.EventAgentApproved, TaskID: id, Agent: s.Tasks[id].Agent, Human: s.Tasks[id].Human})
	})
}

// Dispute returns a transaction that opens a dispute, by the agent or by the human.
func Dispute(tb testing.TB, of Target, byAgent bool) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
		if !s.is(id, market.ChainSubmitted) || s.Tasks[id].AgentApproved || !s.Now.Before(s.Tasks[id].DisputeDeadline()) {
			return nil
		}
		caller := s.Tasks[id].Human
		if byAgent {
			caller = s.Tasks[id].Agent
		}
		return s.escrow(market.Event{Kind: market.EventTaskDisputed, TaskID: id, Caller: caller, Agent: s.Tasks[id].Agent})
	})
}

// Decide returns a transaction that approves or rejects the work with a quorum of validators.
func Decide(tb testing.TB, of Target, approved bool) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
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

// Settle returns a transaction that releases the payment after a timeout.
func Settle(tb testing.TB, of Target) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
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

// Cancel returns a transaction with which the agent cancels the task before a submission.
func Cancel(tb testing.TB, of Target) Tx {
	tb.Helper()
	return cancel(tb, of, func(e *market.EscrowTask) common.Address { return e.Agent })
}

// Resign returns a transaction with which the assigned human cancels the task before a submission.
func Resign(tb testing.TB, of Target) Tx {
	tb.Helper()
	return cancel(tb, of, func(e *market.EscrowTask) common.Address { return e.Human })
}

// CancelUnknown returns a transaction that cancels the task with an event that does not identify
// the caller.
func CancelUnknown(tb testing.TB, of Target) Tx {
	tb.Helper()
	return cancel(tb, of, func(*market.EscrowTask) common.Address { return common.Address{} })
}

func cancel(tb testing.TB, of Target, caller func(*market.EscrowTask) common.Address) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		id := of(s)
		if !s.is(id, market.ChainPosted, market.ChainActive) {
			return nil
		}
		e := s.Tasks[id]
		return append(s.escrow(market.Event{
			Kind: market.EventTaskCancelled, TaskID: id, Agent: e.Agent, Human: e.Human, Caller: caller(e),
			Amount: e.Amount, Fee: new(big.Int),
		}), s.endStake(id, market.EventStakeReturned)...)
	})
}

// Reward returns a transaction that pays a reward to the wallet. cumulative is the wallet's total
// after the payment.
func Reward(tb testing.TB, wallet common.Address, amount, cumulative int64) Tx {
	tb.Helper()
	return tx(tb, func(s *State) []Emission {
		return []Emission{{s.d.Distributor, market.Event{
			Kind: market.EventClaimed, Agent: wallet, Amount: big.NewInt(amount), Cumulative: big.NewInt(cumulative),
		}}}
	})
}
