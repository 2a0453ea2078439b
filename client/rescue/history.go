package rescue

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// history contains data that only the logs contain, mainly how records ended. The maps are indexed
// by ID.
type history struct {
	tasks  map[uint64]*past
	stakes map[uint64]*past
}

// past is the history of one task or stake.
type past struct {
	started   moment // set if a log about the start of the record contains the wallet
	ended     moment
	withdrawn bool // the human withdrew the application
}

// moment is an event with its time and transaction. Its Kind is "" if there was no such event.
type moment struct {
	market.Event
	at time.Time
	tx common.Hash
}

// readHistory builds the history from the logs that contain the wallet.
func (r *Rescue) readHistory(ctx context.Context, wallet common.Address, logs []types.Log) (*history, error) {
	h := &history{tasks: make(map[uint64]*past), stakes: make(map[uint64]*past)}
	for _, log := range logs {
		event, err := r.contracts.Decode(log)
		if err != nil {
			return nil, err
		}
		if event.Agent != wallet && event.Human != wallet {
			continue // the wallet is mentioned in another role, for example by an administrative event
		}
		at, err := r.timeOf(ctx, log)
		if err != nil {
			return nil, err
		}
		switch m := (moment{event, at, log.TxHash}); {
		case event.OfTask():
			of(h.tasks, event.TaskID).note(m)
		case event.OfStake():
			of(h.stakes, event.ApplicationID).note(m)
		}
	}
	return h, nil
}

// timeOf returns the time of the log's block, which most nodes include in the log.
func (r *Rescue) timeOf(ctx context.Context, log types.Log) (time.Time, error) {
	if log.BlockTimestamp != 0 {
		return instant(number(log.BlockTimestamp)), nil
	}
	header, err := askOwn(ctx, r, func(ctx context.Context) (*types.Header, error) {
		return r.eth.HeaderByHash(ctx, log.BlockHash)
	})
	if err != nil {
		return time.Time{}, unavailable("read a block from the node", err)
	}
	return instant(number(header.Time)), nil
}

func of(byID map[uint64]*past, id uint64) *past {
	if byID[id] == nil {
		byID[id] = &past{}
	}
	return byID[id]
}

func (p *past) note(m moment) {
	switch m.Kind {
	case market.EventTaskPosted, market.EventTaskCreated, market.EventStakeLocked:
		if p.started.Kind != market.EventTaskPosted { // a later event does not replace TaskPosted
			p.started = m
		}
	case market.EventTaskReleased, market.EventTaskRefunded, market.EventTaskCancelled,
		market.EventStakeReturned, market.EventStakeForfeited:
		p.ended = m
	case market.EventApplicationWithdrawn:
		p.withdrawn, p.ended = true, m
	default:
	}
}

// complete adds data from the history to the task's current state.
func (p *past) complete(e *market.EscrowTask) {
	if p.started.Amount != nil {
		e.Amount = p.started.Amount
	}
	if p.started.Kind == market.EventTaskPosted {
		e.PostedAt = p.started.at
	}
	switch p.ended.Kind {
	case market.EventTaskReleased:
		e.Paid, e.Fee = p.ended.Amount, p.ended.Fee
	case market.EventTaskRefunded, market.EventTaskCancelled:
		e.Refund = p.ended.Amount
	default:
	}
	e.EndedAt, e.EndTx = p.ended.at, p.ended.tx
}

// completeStake adds data from the history to the stake's current state. tasks are the wallet's
// tasks, including every task that it was accepted for.
func (p *past) completeStake(s *market.Stake, tasks map[uint64]*market.EscrowTask) {
	if p.started.Amount != nil {
		s.Amount, s.ExpiresAt, s.LockedAt = p.started.Amount, p.started.ExpiresAt, p.started.at
	}
	task := tasks[s.TaskID]
	s.Accepted = task != nil && task.ApplicationID == s.ID
	s.Withdrawn, s.EndedAt = p.withdrawn, p.ended.at
	switch p.ended.Kind {
	case market.EventStakeReturned, market.EventApplicationWithdrawn:
		s.Status = market.StakeReturned
	case market.EventStakeForfeited:
		s.Status, s.Rejected = market.StakeForfeited, !s.Accepted
	default:
	}
}
