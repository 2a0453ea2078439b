package contracts_test

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

func (d *draw) post() action {
	by, amount, fee := d.mostly(d.party()), d.amount(), d.w.parameters.FeeBasisPoints
	if d.oneIn(10) {
		fee++
	}
	terms := pick(d, common.Hash{}, termsOf(uint64(len(d.w.tasks)+1)))
	with := fmt.Sprintf("%s wei, fee %d, terms %t", amount, fee, terms != common.Hash{})
	if d.unaided(by, d.d.Escrow, amount) {
		return action{"post", by, with, func() chain.Call {
			return d.net.Contracts.PostTask(amount, fee, terms)
		}, d.w.post(by, amount, fee, terms, nil)}
	}
	p := d.permit(by, d.d.Escrow, amount)
	return action{"post with permit", by, with + p.String(), func() chain.Call {
		call, err := d.net.Contracts.PostTaskWithPermit(amount, fee, terms, seconds(p.deadline), d.sign(p))
		if err != nil {
			panic(err)
		}
		return call
	}, d.w.post(by, amount, fee, terms, p)}
}

func (d *draw) accept() action {
	s := d.application()
	taskID := s.TaskID
	if d.oneIn(8) {
		taskID = d.task(market.ChainPosted).ID
	}
	by := d.mostly(d.w.escrow(taskID).Agent)
	return action{"accept", by, fmt.Sprintf("task %d, application %d", taskID, s.ID), func() chain.Call {
		return d.net.Contracts.AcceptApplication(d.d.Escrow, taskID, s.ID)
	}, d.w.accept(by, taskID, s.ID)}
}

func (d *draw) submit() action {
	e := d.task(market.ChainActive)
	by, work := d.mostly(e.Human), common.BigToHash(number(e.ID+1))
	if d.oneIn(10) {
		work = common.Hash{}
	}
	return d.onTask("submit", e, by, func() chain.Call {
		return d.net.Contracts.SubmitTask(d.d.Escrow, e.ID, work)
	}, d.w.submit(by, e.ID, work))
}

func (d *draw) approve() action {
	e := d.task(market.ChainSubmitted, market.ChainDisputed)
	by := d.mostly(e.Agent)
	return d.onTask("approve", e, by, func() chain.Call {
		return d.net.Contracts.ApproveTask(d.d.Escrow, e.ID)
	}, d.w.approve(by, e.ID))
}

func (d *draw) dispute() action {
	e := d.task(market.ChainSubmitted)
	by := d.mostly(pick(d, e.Agent, e.Human))
	kind := "human disputes"
	if by == e.Agent {
		kind = "agent disputes"
	}
	return d.onTask(kind, e, by, func() chain.Call {
		return d.net.Contracts.DisputeTask(d.d.Escrow, e.ID)
	}, d.w.dispute(by, e.ID))
}

func (d *draw) cancel() action {
	e := d.task(market.ChainPosted, market.ChainActive)
	by := d.mostly(e.Agent)
	return d.onTask("cancel", e, by, func() chain.Call {
		return d.net.Contracts.CancelTask(d.d.Escrow, e.ID)
	}, d.w.cancel(by, e.ID))
}

func (d *draw) resign() action {
	e := d.task(market.ChainActive)
	by := d.mostly(e.Human)
	return d.onTask("resign", e, by, func() chain.Call {
		return d.net.Contracts.CancelTask(d.d.Escrow, e.ID)
	}, d.w.cancel(by, e.ID))
}

func (d *draw) settle() action {
	e, by := d.task(market.ChainSubmitted, market.ChainDisputed), d.anyone()
	return d.onTask("settle", e, by, func() chain.Call {
		return d.net.Contracts.Settle(d.d.Escrow, e.ID)
	}, d.w.settle(e.ID))
}

func (d *draw) emergency() action {
	e := d.task(market.ChainSubmitted, market.ChainDisputed)
	by := d.mostly(e.Human)
	return d.onTask("emergency release", e, by, func() chain.Call {
		return d.net.Contracts.EmergencyRelease(d.d.Escrow, e.ID)
	}, d.w.emergency(by, e.ID))
}

func (d *draw) verdict() action {
	e, by := d.task(market.ChainSubmitted, market.ChainDisputed), d.anyone()
	approved := d.IntN(2) == 0
	signatures, manner := d.signatures(e, approved)
	a := action{by: by, with: fmt.Sprintf("task %d, %s", e.ID, manner), outcome: d.w.verdict(e.ID, approved, signatures)}
	if approved {
		a.kind, a.call = "approving verdict", func() chain.Call { return d.net.Contracts.ApproveSubmission(d.d.Escrow, e.ID, signatures) }
	} else {
		a.kind, a.call = "rejecting verdict", func() chain.Call { return d.net.Contracts.RejectSubmission(d.d.Escrow, e.ID, signatures) }
	}
	return a
}

func (d *draw) onTask(kind string, e *market.EscrowTask, by common.Address, call func() chain.Call, o *outcome) action {
	return action{kind, by, fmt.Sprintf("task %d, %s", e.ID, e.Status), call, o}
}
