package server

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// verdictsHandler handles the operations with the tag "verdicts".
type verdictsHandler struct {
	*taskAccess

	verifier Verifier
}

// PostVerdict stores a validator's signed verdict. When the quorum is reached, the keeper sends the
// verdicts to the contract.
func (h *verdictsHandler) PostVerdict(ctx context.Context, request api.PostVerdictRequestObject) (api.PostVerdictResponseObject, error) {
	if err := market.CheckText("reason", request.Body.Reason); err != nil {
		return nil, err
	}
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleValidator {
		return nil, market.Errorf(market.KindForbidden, "only validators of the task's panel can give a verdict")
	}
	if err := h.allow(ctx, task, market.ActionVerdict, role); err != nil {
		return nil, err
	}
	verdict, err := h.fromAPIPostVerdictRequest(ctx, task, request.Body)
	if err != nil {
		return nil, err
	}
	if err := h.store.AddVerdict(ctx, task, verdict); err != nil {
		return nil, err
	}
	stored, err := h.storedVerdict(ctx, verdict)
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: stored.ID, title: "reason of a verdict", texts: []string{stored.Reason}})
	return api.PostVerdict201JSONResponse{Body: toAPIVerdict(stored, gate.PrincipalOf(ctx).Username)}, nil
}

// storedVerdict returns the stored verdict. If the request repeats an earlier one, that is the earlier
// verdict.
func (h *verdictsHandler) storedVerdict(ctx context.Context, verdict market.Verdict) (market.Verdict, error) {
	all, err := h.store.Verdicts(ctx, verdict.TaskID)
	if err != nil {
		return market.Verdict{}, err
	}
	for _, v := range all {
		if v.ID == verdict.ID {
			return v, nil
		}
	}
	return market.Verdict{}, fmt.Errorf("verdict %s is not among those of task %s", verdict.ID, verdict.TaskID)
}

func (h *verdictsHandler) fromAPIPostVerdictRequest(ctx context.Context, task market.Task, body *api.PostVerdictRequest) (market.Verdict, error) {
	if task.Escrow.AgentApproved && !body.Approved {
		return market.Verdict{}, market.Errorf(market.KindWrongStatus,
			"the task is %s and the agent has approved the work; it can no longer be rejected", task.Status)
	}
	signature, err := hexutil.Decode(body.Signature)
	if err != nil {
		return market.Verdict{}, market.Invalid("signature", "pattern", "must be 0x and an even number of hexadecimal digits")
	}
	principal := gate.PrincipalOf(ctx)
	digest, err := h.calls.VerdictDigest(task.Escrow, body.Approved)
	if err != nil {
		return market.Verdict{}, err
	}
	if err := h.verifier.VerifyOnChain(ctx, principal.Wallet, digest, signature); err != nil {
		return market.Verdict{}, err
	}
	id, err := gate.RecordID(ctx)
	return market.Verdict{
		ID: id, TaskID: task.ID, Round: task.Escrow.Round().Number, Validator: principal.Wallet, HumanID: principal.ID,
		Approved: body.Approved, Reason: body.Reason, WorkHash: task.Escrow.WorkHash, Signature: signature,
	}, err
}

func toAPIVerdict(v market.Verdict, username string) api.Verdict {
	return api.Verdict{
		ID: v.ID, TaskID: v.TaskID, Round: api.Round(v.Round), ValidatorID: v.HumanID, ValidatorUsername: username,
		ValidatorWalletAddress: v.Validator.Hex(), Approved: v.Approved, Reason: v.Reason,
		Signature: hexutil.Encode(v.Signature), CreatedAt: market.TimeOf(v.CreatedAt),
	}
}

// ListVerdicts returns the numbers of approvals and rejections to the parties and validators of a task.
// Validators also receive their own verdicts. After the end of the task, parties and validators receive all
// verdicts.
func (h *verdictsHandler) ListVerdicts(ctx context.Context, request api.ListVerdictsRequestObject) (api.ListVerdictsResponseObject, error) {
	view, err := h.viewFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if !sees(view.Task, view.role) {
		return nil, market.Errorf(market.KindForbidden, "only the parties and validators of this task can read its verdicts")
	}
	verdicts, err := h.visibleVerdicts(ctx, view.Task)
	if err != nil {
		return nil, err
	}
	part, err := pageOf(verdicts, request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	if err != nil {
		return nil, err
	}
	apiTask := toAPITask(view)
	return api.ListVerdicts200JSONResponse{Body: api.VerdictPage{
		Verdicts: part.items, Approvals: apiTask.ValidatorApprovals, Rejections: apiTask.ValidatorRejections,
		Quorum: apiTask.ValidatorQuorum, Total: int64(len(verdicts)), Page: part.page, PageSize: part.size, NextCursor: part.next,
	}}, nil
}

func (h *verdictsHandler) visibleVerdicts(ctx context.Context, task market.Task) ([]api.Verdict, error) {
	all, err := h.store.Verdicts(ctx, task.ID)
	if err != nil {
		return nil, err
	}
	visible, usernames := []api.Verdict{}, map[uuid.UUID]string{}
	for _, v := range all {
		if !task.Status.Ended() && v.HumanID != gate.PrincipalOf(ctx).ID {
			continue
		}
		if _, ok := usernames[v.HumanID]; !ok {
			human, err := h.store.Human(ctx, v.HumanID)
			if err != nil {
				return nil, err
			}
			usernames[v.HumanID] = human.Username
		}
		visible = append(visible, toAPIVerdict(v, usernames[v.HumanID]))
	}
	return visible, nil
}

// ListValidations returns the tasks on which the calling validator can submit a verdict now or once
// the round opens, with the verdict that the validator has already submitted, if any.
func (h *verdictsHandler) ListValidations(ctx context.Context, request api.ListValidationsRequestObject) (api.ListValidationsResponseObject, error) {
	principal := gate.PrincipalOf(ctx)
	query := pageQuery(request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	page, err := h.store.Validations(ctx, principal.Wallet, query)
	if err != nil {
		return nil, err
	}
	return api.ListValidations200JSONResponse{Body: api.ValidationPage{
		Validations: mapAll(page.Items, func(v store.Validation) api.Validation { return h.toAPIValidation(v, principal.Username) }),
		Total:       int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func (h *verdictsHandler) toAPIValidation(v store.Validation, username string) api.Validation {
	round := v.Task.Escrow.Round()
	out := api.Validation{
		TaskID: v.Task.ID, Title: v.Task.Title, Round: api.Round(round.Number), OpensAt: market.TimeOf(round.Opens), ClosesAt: market.TimeOf(round.Closes),
		Approvals: v.Tally.Approvals, Rejections: v.Tally.Rejections, Quorum: v.Quorum,
		TypedData: api.VerdictTypedData{
			Approve: toAPITypedData(h.calls.Verdict(v.Task.Escrow, true)), Reject: toAPITypedData(h.calls.Verdict(v.Task.Escrow, false)),
		},
	}
	if v.Mine != nil {
		out.Mine = new(toAPIVerdict(*v.Mine, username))
	}
	return out
}
