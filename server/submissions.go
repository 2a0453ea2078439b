package server

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// submissionsHandler handles the operations with the tag "submissions".
type submissionsHandler struct {
	*taskAccess
}

// SubmitWork stores the work as a draft that only its author can see, and returns the call that commits the
// hash of the work on-chain.
func (h *submissionsHandler) SubmitWork(ctx context.Context, request api.SubmitWorkRequestObject) (api.SubmitWorkResponseObject, error) {
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleHuman {
		return nil, market.Errorf(market.KindForbidden, "only the assigned human can submit work for this task")
	}
	draft, err := h.draft(ctx, task, request.Body)
	if err != nil {
		return nil, err
	}
	p, err := h.submitCall(ctx, task, draft.WorkHash)
	if err != nil {
		return nil, err
	}
	// Store the draft before returning the call: the chain must never refer to work that is not
	// stored.
	if draft, err = h.store.CreateSubmission(ctx, draft); err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: draft.ID, title: "submitted work", texts: []string{draft.Note, draft.ProofURL}})
	return api.SubmitWork201JSONResponse{Body: api.SubmitCalldata{
		Message:      p.say("Sign and send this call to submit the work.", "This work has already been submitted on-chain."),
		SubmissionID: draft.ID, WorkHash: draft.WorkHash.Hex(), SubmitTaskCalldata: p.data(),
		To: p.to(), ChainID: p.chainID, Value: noValue, Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *submissionsHandler) draft(ctx context.Context, task market.Task, body *api.SubmitWorkRequest) (market.Submission, error) {
	principal := gate.PrincipalOf(ctx)
	hashes, err := h.fileHashes(ctx, task.ID, body.FileIds)
	if err != nil {
		return market.Submission{}, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return market.Submission{}, err
	}
	work := market.Work{
		TermsHash: task.TermsHash, Agent: task.AgentWallet, Human: principal.Wallet,
		Note: body.Note, ProofURL: deref(body.ProofURL), Files: hashes,
	}
	return market.Submission{
		ID: id, TaskID: task.ID, HumanID: principal.ID, Note: work.Note, ProofURL: work.ProofURL,
		FileIDs: body.FileIds, WorkHash: work.Hash(),
	}, nil
}

// fileHashes returns the SHA-256 hashes of files that the caller uploaded to the task.
func (h *submissionsHandler) fileHashes(ctx context.Context, taskID uuid.UUID, ids []uuid.UUID) ([]common.Hash, error) {
	principal := gate.PrincipalOf(ctx)
	files, err := h.store.Files(ctx, taskID, principal)
	if err != nil {
		return nil, err
	}
	uploaded := make(map[uuid.UUID]common.Hash, len(files))
	for _, f := range files {
		if f.UploaderID == principal.ID {
			uploaded[f.ID] = f.SHA256
		}
	}
	hashes := make([]common.Hash, 0, len(ids))
	for _, id := range ids {
		hash, ok := uploaded[id]
		if !ok {
			return nil, market.Invalid("file_ids", "unknown", "each must name a file that you uploaded to this task")
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func (h *submissionsHandler) submitCall(ctx context.Context, task market.Task, work common.Hash) (prepared, error) {
	call := func() market.Call { return h.calls.SubmitTask(task.EscrowAddress, task.Escrow.ID, work) }
	if task.Escrow != nil && task.Escrow.WorkHash == work {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionSubmit, market.RoleHuman); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}
