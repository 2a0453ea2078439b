package server

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// ListAgentActions returns the pending actions of the calling agent.
func (h *agentsHandler) ListAgentActions(ctx context.Context, request api.ListAgentActionsRequestObject) (api.ListAgentActionsResponseObject, error) {
	p := request.Params
	query := pageQuery(p.Page, p.PageSize, p.Cursor)
	page, err := h.store.AgentActions(ctx, gate.PrincipalOf(ctx).ID, query)
	if err != nil {
		return nil, err
	}
	return api.ListAgentActions200JSONResponse{Body: api.AgentActionPage{
		Actions: mapAll(page.Items, h.toAPIAgentAction),
		Total:   int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func (h *agentsHandler) toAPIAgentAction(c market.AgentAction) api.AgentAction {
	title, details := agentActionTexts(c)
	out := api.AgentAction{
		ActionID: uuid.NewSHA1(c.ID, []byte(c.Kind)), ActionType: api.AgentActionKind(c.Kind),
		TaskID: c.TaskID, TaskTitle: optional(c.TaskTitle), Title: title, Details: details,
		Deadline: market.OptionalTime(c.Deadline), CreatedAt: market.TimeOf(c.CreatedAt),
	}
	// A posting that funds no task can be cancelled at once. If a reorganisation changed its number, the call
	// would fail, or return the amount of another of the agent's postings.
	lies := market.Task{ChainID: c.EscrowTask.ChainID, EscrowAddress: c.EscrowTask.Escrow, Finality: c.Finality}
	if c.Kind == market.AgentActionCancelPosting {
		lies.Finality = market.FinalityFinal
	}
	cancels := c.Kind == market.AgentActionCancelExpiredTask || c.Kind == market.AgentActionCancelPosting
	if cancels && h.checkFinality(lies) == nil {
		call := h.calls.CancelTask(c.EscrowTask.Escrow, c.EscrowTask.ID)
		out.Calldata = &api.NextTransaction{
			To: call.To.Hex(), ChainID: signed(c.EscrowTask.ChainID), Value: noValue, Data: hexutil.Encode(call.Data),
		}
	}
	return out
}

// agentActionTexts returns the title and the instructions for a pending action. They contain no
// text written by users.
func agentActionTexts(c market.AgentAction) (title, details string) {
	task := ""
	if c.TaskID != nil {
		task = gate.BasePath + "/tasks/" + c.TaskID.String()
	}
	switch c.Kind {
	case market.AgentActionReviewApplication:
		application := task + "/applications/" + c.ApplicationID.String()
		return "Review an application", fmt.Sprintf(
			"The application has a locked stake and can be accepted until the deadline. Assign the task with POST %s/accept, or forfeit the stake with POST %s/reject. Nothing happens until you send the call that the response contains.",
			application, application)
	case market.AgentActionReviewSubmission:
		return "Review a submission", fmt.Sprintf(
			"Approve the work with POST %s/approve or dispute it with POST %s/dispute before the deadline. After the deadline, validators review the work.", task, task)
	case market.AgentActionAnswerDispute:
		return "Answer a dispute", fmt.Sprintf(
			"The human disputes the task. Respond with POST %s/dispute/response before the deadline.", task)
	case market.AgentActionCancelExpiredTask:
		return "Cancel an expired task", fmt.Sprintf(
			"The deadline has passed and the amount is still locked. Send the calldata, or get it from POST %s/cancel, to get the amount back. Until you do, an assigned human can still submit work.", task)
	case market.AgentActionLeaveReview:
		return "Leave a review", fmt.Sprintf("The task has ended. Review the human with POST %s/reviews; the review is public.", task)
	case market.AgentActionCancelPosting:
		return "Cancel a posting that funds no task", postingDetails(c, task)
	}
	return "", ""
}

// postingDetails returns the instructions for a posting that is not linked to a task. They depend
// on whether the posting contains the terms hash of one of the agent's tasks.
func postingDetails(c market.AgentAction, task string) string {
	if c.TaskID != nil {
		return fmt.Sprintf("Escrow task %d contains the terms hash of the task at %s/, but does not fund that task: another posting funds it, or the amount or fee differs. Send the calldata to get the locked amount back.",
			c.EscrowTask.ID, task)
	}
	return fmt.Sprintf("Escrow task %d locks an amount for no task of this service. If it was meant for one of your new tasks, link it with POST %s/tasks/{id}/confirm-create; otherwise send the calldata to get the amount back.",
		c.EscrowTask.ID, gate.BasePath)
}
