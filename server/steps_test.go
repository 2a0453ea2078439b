package server_test

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
)

// send sends a transaction from the given wallet, with calldata returned by the service.
func (r *rig) send(from *chain.KeySigner, to, data string) common.Hash {
	r.t.Helper()
	receipt := r.net.Send(r.t, from, chain.Call{To: common.HexToAddress(to), Data: hexutil.MustDecode(data)})
	r.settle()
	return receipt.TxHash
}

// funded creates a task that the agent's wallet has funded.
func (r *rig) funded(agent *user) client.Task {
	r.t.Helper()
	task := r.createTask(agent)
	_, receipt := r.net.Post(r.t, agent.signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	confirmed, err := agent.ConfirmTaskFundingWithResponse(r.t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || confirmed.JSON200 == nil || confirmed.JSON200.Status != client.TaskStatusFunded {
		r.t.Fatalf("confirm-create = %s, %v", answer(confirmed), err)
	}
	return *confirmed.JSON200
}

// applied makes the human apply for the task and lock the stake with the returned calldata.
func (r *rig) applied(human *user, task uuid.UUID) client.Application {
	r.t.Helper()
	created, err := human.ApplyForTaskWithResponse(r.t.Context(), task, nil, client.ApplyForTaskRequest{ApplicationMessage: "I live next door."})
	if err != nil || created.JSON201 == nil {
		r.t.Fatalf("apply = %s, %v", answer(created), err)
	}
	r.send(human.signer, created.JSON201.TokenAddress, created.JSON201.ApproveCalldata)
	r.send(human.signer, created.JSON201.StakingAddress, created.JSON201.LockCalldata)
	return created.JSON201.Application
}

// active creates a task that is assigned to the human.
func (r *rig) active(agent, human *user) client.Task {
	r.t.Helper()
	task := r.funded(agent)
	_, tx := r.hire(agent, human, task.ID)
	confirmed, err := agent.ConfirmApplicationWithResponse(r.t.Context(), task.ID, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || confirmed.JSON200 == nil || confirmed.JSON200.Status != client.TaskStatusActive {
		r.t.Fatalf("confirm = %s, %v", answer(confirmed), err)
	}
	return *confirmed.JSON200
}

// hire makes the human apply for the task and the agent accept.
func (r *rig) hire(agent, human *user, task uuid.UUID) (application uuid.UUID, tx common.Hash) {
	r.t.Helper()
	application = r.applied(human, task).ID
	accepted, err := agent.AcceptApplicationWithResponse(r.t.Context(), task, application)
	if err != nil || accepted.JSON200 == nil || !accepted.JSON200.Simulated {
		r.t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	return application, r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
}

// submitted creates a task with submitted work, which includes the given files.
func (r *rig) submitted(agent, human *user, files ...uuid.UUID) client.Task {
	r.t.Helper()
	task := r.active(agent, human)
	r.submit(human, task.ID, files...)
	return r.task(agent, task.ID)
}

func (r *rig) submit(human *user, task uuid.UUID, files ...uuid.UUID) client.SubmitCalldata {
	r.t.Helper()
	if files == nil {
		files = []uuid.UUID{}
	}
	draft, err := human.SubmitWorkWithResponse(r.t.Context(), task, nil, client.SubmitWorkRequest{
		Note: "Ten photos.", ProofURL: new("https://example.com/photos"), FileIds: files,
	})
	if err != nil || draft.JSON201 == nil {
		r.t.Fatalf("submit = %s, %v", answer(draft), err)
	}
	r.send(human.signer, draft.JSON201.To, draft.JSON201.SubmitTaskCalldata)
	return *draft.JSON201
}

// task reads a task as the user.
func (r *rig) task(as *user, id uuid.UUID) client.Task {
	r.t.Helper()
	got, err := as.GetTaskWithResponse(r.t.Context(), id, nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET task = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// vote signs in the first count validators and sends their verdicts.
func (r *rig) vote(task uuid.UUID, approve bool, count int) {
	r.t.Helper()
	for _, signer := range r.net.Validators[:count] {
		got := r.verdict(r.human(signer), task, approve)
		if got.JSON201 == nil {
			r.t.Fatalf("verdict = %s", answer(got))
		}
	}
}

// verdict signs and sends a verdict on a task, which must be in the validator's list.
func (r *rig) verdict(validator *user, task uuid.UUID, approve bool) *client.PostVerdictResponse {
	r.t.Helper()
	list, err := validator.ListValidationsWithResponse(r.t.Context(), nil)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("GET /validations = %s, %v", answer(list), err)
	}
	for _, v := range list.JSON200.Validations {
		if v.TaskID == task {
			data := chain.VerdictTypedData(r.net.Deployment.Escrow, r.net.Deployment.ChainID, 1, r.workHash(task), uint8(v.Round), approve)
			signature, err := validator.signer.SignTypedData(r.t.Context(), data)
			if err != nil {
				r.t.Fatalf("sign: %v", err)
			}
			return r.postVerdict(validator, task, approve, hexutil.Encode(signature))
		}
	}
	r.t.Fatalf("task %s is not in the list of validations: %s", task, list.Body)
	return nil
}

func (r *rig) workHash(task uuid.UUID) common.Hash {
	r.t.Helper()
	record, err := r.store.Task(r.t.Context(), task)
	if err != nil {
		r.t.Fatal(err)
	}
	return record.Escrow.WorkHash
}

func (r *rig) postVerdict(validator *user, task uuid.UUID, approve bool, signature string) *client.PostVerdictResponse {
	r.t.Helper()
	got, err := validator.PostVerdictWithResponse(r.t.Context(), task, nil, client.PostVerdictRequest{
		Approved: approve, Reason: "As agreed.", Signature: signature,
	})
	if err != nil {
		r.t.Fatalf("verdict: %v", err)
	}
	return got
}

func (r *rig) vote2(validator *user, task uuid.UUID) {
	r.t.Helper()
	if got := r.verdict(validator, task, true); got.JSON201 == nil {
		r.t.Fatalf("verdict = %s", answer(got))
	}
}
