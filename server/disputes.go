package server

import (
	"context"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// disputesHandler handles the operations with the tag "disputes".
type disputesHandler struct {
	*taskAccess
}

// DisputeTask stores the reason and returns the call that disputes the work.
func (h *disputesHandler) DisputeTask(ctx context.Context, request api.DisputeTaskRequestObject) (api.DisputeTaskResponseObject, error) {
	if err := market.CheckText("reason", request.Body.Reason); err != nil {
		return nil, err
	}
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleAgent && role != market.RoleHuman {
		return nil, market.Errorf(market.KindForbidden, "only the agent and the assigned human can dispute this task")
	}
	p, err := h.disputeCall(ctx, task, role)
	if err != nil {
		return nil, err
	}
	dispute, err := h.keepDispute(ctx, task, request.Body.Reason, p.done)
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: dispute.ID, title: "reason of a dispute", texts: []string{dispute.Reason}})
	return api.DisputeTask200JSONResponse{Body: api.DisputeCalldata{
		Message:   p.say("Sign and send this call to dispute the work.", "Your dispute is already on-chain."),
		DisputeID: dispute.ID, DisputeTaskCalldata: p.data(),
		To: p.to(), ChainID: p.chainID, Value: noValue, Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

// keepDispute stores the reason. Once the dispute is on-chain (done), the reason cannot change, and
// the stored dispute is returned.
func (h *disputesHandler) keepDispute(ctx context.Context, task market.Task, reason string, done bool) (market.Dispute, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return market.Dispute{}, err
	}
	dispute, err := h.store.SaveDispute(ctx, market.Dispute{
		ID: id, TaskID: task.ID, FiledBy: gate.PrincipalOf(ctx).Kind, Reason: reason,
	})
	if done && market.KindOf(err) == market.KindWrongStatus {
		return h.store.Dispute(ctx, task.ID, gate.PrincipalOf(ctx).Kind)
	}
	return dispute, err
}

func (h *disputesHandler) disputeCall(ctx context.Context, task market.Task, role market.Role) (prepared, error) {
	call := func() market.Call { return h.calls.DisputeTask(task.EscrowAddress, task.Escrow.ID) }
	if disputedBy(task) == gate.PrincipalOf(ctx).Kind {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionDispute, role); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}

// disputedBy returns the party that opened the dispute on-chain, or "" if there is none.
func disputedBy(task market.Task) market.PrincipalKind {
	switch {
	case task.Escrow == nil || task.Escrow.DisputedAt.IsZero():
		return ""
	case task.Escrow.DisputedBy == task.Escrow.Agent:
		return market.PrincipalAgent
	}
	return market.PrincipalHuman
}

// GetDispute returns a task's dispute to its parties and validators. A draft is visible only to its
// author.
func (h *disputesHandler) GetDispute(ctx context.Context, request api.GetDisputeRequestObject) (api.GetDisputeResponseObject, error) {
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if !sees(task, role) {
		return nil, market.Errorf(market.KindForbidden, "only the parties and validators of this task can read its dispute")
	}
	side := gate.PrincipalOf(ctx).Kind
	if role == market.RoleValidator {
		side = "" // validators are humans too, but have no dispute drafts
	}
	dispute, err := h.store.Dispute(ctx, task.ID, side)
	if err != nil {
		return nil, err
	}
	now, err := h.chainTime(ctx)
	if err != nil {
		return nil, err
	}
	return api.GetDispute200JSONResponse{Body: toAPIDispute(dispute, task.Escrow, now)}, nil
}

// AnswerDispute stores the caller's response to the other party's dispute.
func (h *disputesHandler) AnswerDispute(ctx context.Context, request api.AnswerDisputeRequestObject) (api.AnswerDisputeResponseObject, error) {
	if err := market.CheckText("response", request.Body.Response); err != nil {
		return nil, err
	}
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleAgent && role != market.RoleHuman {
		return nil, market.Errorf(market.KindForbidden, "only the agent and the assigned human can answer a dispute about this task")
	}
	now, err := h.chainTime(ctx)
	if err != nil {
		return nil, err
	}
	if disputedBy(task) != "" {
		if err := task.Allow(market.ActionRespond, role, now); err != nil {
			return nil, err
		}
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	answered, err := h.store.AnswerDispute(ctx, market.Dispute{ID: id, TaskID: task.ID, Response: request.Body.Response}, gate.PrincipalOf(ctx).Kind)
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: answered.ID, title: "response to a dispute", texts: []string{answered.Response}})
	return api.AnswerDispute201JSONResponse{Body: toAPIDispute(answered, task.Escrow, now)}, nil
}

func toAPIDispute(d market.Dispute, e *market.EscrowTask, now time.Time) api.Dispute {
	status := d.StatusAt(e, now)
	out := api.Dispute{
		ID: d.ID, TaskID: d.TaskID, FiledByAgent: d.FiledBy == market.PrincipalAgent, Reason: d.Reason,
		Status: api.DisputeStatus(status), Deadline: market.TimeOf(endsAt(status, d, e)), CreatedAt: market.TimeOf(d.CreatedAt),
	}
	if out.FiledByAgent {
		out.HumanResponse = optional(d.Response)
	} else {
		out.AgentResponse = optional(d.Response)
	}
	if e != nil && e.Status.Ended() {
		outcome := api.DisputeOutcomeApproved
		if e.Verdict != nil && !*e.Verdict {
			outcome = api.DisputeOutcomeRejected
		}
		out.Outcome, out.ResolvedAt = &outcome, instant(e.EndedAt)
	}
	return out
}

// endsAt returns the time at which the current status of the dispute ends or ended.
func endsAt(status market.DisputeStatus, d market.Dispute, e *market.EscrowTask) time.Time {
	switch status {
	case market.DisputeDraft:
		if e != nil && !e.SubmittedAt.IsZero() {
			return e.DisputeDeadline()
		}
		return d.CreatedAt // a reorganisation dropped the submission
	case market.DisputeOpen:
		return e.DisputedAt.Add(market.ResponseWindow)
	case market.DisputeVoting:
		return e.DisputedAt.Add(market.VotingWindow)
	case market.DisputeEscalated:
		return e.SettleAt()
	case market.DisputeResolved, market.DisputeAutoResolved:
		return e.EndedAt
	}
	return d.CreatedAt
}
