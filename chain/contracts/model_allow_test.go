package contracts_test

import (
	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// compareAllow compares the action table, which the service checks before it returns a call, with
// the model: with the right caller and arguments it must permit exactly what the contracts permit.
func (s *sequence) compareAllow() {
	s.Helper()
	w := s.w
	for _, task := range w.tasks {
		e := task.Escrow
		s.permits(task, market.ActionSubmit, market.RoleHuman, w.submit(e.Human, e.ID, common.Hash{1}))
		s.permits(task, market.ActionApprove, market.RoleAgent, w.approve(e.Agent, e.ID))
		s.permits(task, market.ActionDispute, market.RoleAgent, w.dispute(e.Agent, e.ID))
		s.permits(task, market.ActionDispute, market.RoleHuman, w.dispute(e.Human, e.ID))
		s.permits(task, market.ActionVerdict, market.RoleValidator, w.review(e, true))
		s.permits(task, market.ActionCancel, market.RoleAgent, w.cancel(e.Agent, e.ID))
		s.permits(task, market.ActionSettle, market.RoleOther, w.settle(e.ID))
		if e.Human != (common.Address{}) {
			s.permits(task, market.ActionResign, market.RoleHuman, w.cancel(e.Human, e.ID))
			s.permits(task, market.ActionEmergency, market.RoleHuman, w.emergency(e.Human, e.ID))
		}
	}
	for _, stake := range w.stakes {
		o := w.rejectApplication(stake.Agent, stake.ID)
		if w.pending(stake) != (o.refusal == "") {
			s.Fatalf("application %d is pending at %s: %t, but the agent's rejection is %s", stake.ID, w.now, w.pending(stake), orAllowed(o.refusal))
		}
	}
}

func (s *sequence) permits(task *market.Task, action market.Action, role market.Role, o *outcome) {
	s.Helper()
	s.total.permissions++
	if err := task.Allow(action, role, s.w.now); (err == nil) != (o.refusal == "") {
		s.Fatalf("%s as %s of task %d at %s\nmodel: %s\ntable: %v", action, role, task.Escrow.ID, s.w.now, orAllowed(o.refusal), err)
	}
}
