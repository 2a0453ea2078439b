package client_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// created creates and funds a task and returns it with its escrow task ID.
func (w *world) created(t *testing.T, title string) (client.Task, uint64) {
	t.Helper()
	task, err := w.client(t).CreateTask(t.Context(), request(title))
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.ParseUint(*task.EscrowTaskID, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return task, id
}

// applied makes the human apply for the task and adds the application to the fake API's list.
func (w *world) applied(t *testing.T, escrowID uint64) (application uuid.UUID, stake uint64) {
	t.Helper()
	stake, _ = w.Apply(t, w.Human, escrowID, chaintest.Tokens(1))
	application = uuid.New()
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	w.api.apps = append(w.api.apps, object{
		"id": application.String(), "status": "pending", "human_wallet": w.Human.Address().Hex(),
		"onchain_application_id": strconv.FormatUint(stake, 10),
	})
	return application, stake
}

// submitted makes the human submit work. The fake API shows the work with one of the human's files.
// It also lists one of the agent's files, and one that the human added as evidence.
func (w *world) submitted(t *testing.T, task client.Task, escrowID uint64) common.Hash {
	t.Helper()
	file := func(by string, sum common.Hash) object {
		return object{
			"id": uuid.NewString(), "task_id": task.ID.String(), "original_filename": "harbour.jpg", "content_type": "image/jpeg", "file_size": 1,
			"sha256": strings.TrimPrefix(sum.Hex(), "0x"), "uploaded_by": by, "submitted": by == "human", "shared": true,
			"created_at": "2030-01-01T00:00:00Z",
		}
	}
	work := market.Work{
		TermsHash: common.HexToHash(task.TermsHash), Agent: w.Agent.Address(), Human: w.Human.Address(),
		Note: "Ten photos.", ProofURL: "https://photos.example/10", Files: []common.Hash{{1}},
	}
	w.api.mu.Lock()
	evidence := file("human", common.Hash{3})
	evidence["submitted"] = false
	w.api.files = []object{file("agent", common.Hash{2}), file("human", common.Hash{1}), evidence}
	record := w.api.tasks[task.ID.String()]
	record["submission_note"], record["proof_url"] = work.Note, work.ProofURL
	w.api.mu.Unlock()
	w.Submit(t, w.Human, escrowID, work.Hash())
	return work.Hash()
}

// An approval is signed only if the work shown by the API matches the hash on the chain.
func TestApproveVerifiesWork(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "work", 1)
	hash := w.submitted(t, s.task, s.id)
	path := "/tasks/" + s.task.ID.String()
	before := w.nonce(t)
	for name, lie := range map[string]func(string, object){
		"note": func(_ string, answer object) {
			if answer["submission_note"] != nil {
				answer["submission_note"] = "Other photos."
			}
		},
		"link": func(_ string, answer object) {
			if answer["proof_url"] != nil {
				delete(answer, "proof_url")
			}
		},
		"file": func(p string, answer object) {
			if strings.HasPrefix(p, path+"/files") {
				other := maps.Clone(w.api.files[1])
				other["sha256"] = strings.Repeat("0", 64)
				answer["files"] = []object{other}
			}
		},
		"file, shown as evidence,": func(p string, answer object) {
			if strings.HasPrefix(p, path+"/files") {
				other := maps.Clone(w.api.files[1])
				other["submitted"] = false
				answer["files"] = []object{other}
			}
		},
		"no file": func(p string, answer object) {
			if strings.HasPrefix(p, path+"/files") {
				answer["files"] = []object{}
			}
		},
	} {
		w.api.lie = lie
		if _, err := w.client(t).Approve(t.Context(), s.task.ID); !errors.Is(err, client.ErrOtherWork) || w.nonce(t) != before {
			t.Errorf("another %s: error %v, %d transactions", name, err, w.nonce(t)-before)
		}
		if work, err := w.client(t).SubmittedWork(t.Context(), s.task.ID); !errors.Is(err, client.ErrOtherWork) {
			t.Errorf("another %s: got work %+v, error %v", name, work, err)
		}
	}
	w.api.lie = func(string, object) {}
	work, err := w.client(t).SubmittedWork(t.Context(), s.task.ID)
	if err != nil || work.Hash != hash || work.Human != w.Human.Address() || work.Note == "" || work.ProofURL == "" || len(work.Files) != 1 || len(work.Evidence) != 1 {
		t.Fatalf("got work %+v, error %v", work, err)
	}
	for _, file := range []client.File{work.Files[0], work.Evidence[0]} {
		other, marked := file, file
		other.Sha256, marked.Submitted = strings.Repeat("0", 64), !file.Submitted
		if !work.Has(file) || work.Has(other) || work.Has(marked) {
			t.Errorf("Has(%+v) = %v, with another hash %v, otherwise marked %v", file, work.Has(file), work.Has(other), work.Has(marked))
		}
	}
	plan, err := w.client(t).Plan(t.Context(), client.Approve(s.task.ID))
	if err != nil || plan.WorkHash == nil || *plan.WorkHash != hash || plan.Human == nil || *plan.Human != w.Human.Address() {
		t.Errorf("got plan %+v, error %v", plan, err)
	}
}

// A plan contains the human's wallet and stake, which are part of the plan's ID.
func TestPlanContainsHuman(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "human", 0)
	for name, plan := range map[string]func() (client.Plan, error){
		"accept": func() (client.Plan, error) {
			return w.client(t).Plan(t.Context(), client.Accept(s.task.ID, s.application))
		},
		"reject": func() (client.Plan, error) {
			return w.client(t).Plan(t.Context(), client.Reject(s.task.ID, s.application, ""))
		},
	} {
		got, err := plan()
		if err != nil {
			t.Fatal(err)
		}
		if *got.Human != w.Human.Address() || *got.StakeID != s.stake || got.Stake.Cmp(w.stake(t, s.stake).Amount) != 0 || got.Stake.Sign() == 0 {
			t.Errorf("%s: the plan contains human %s and stake %d of %s", name, got.Human, *got.StakeID, got.Stake)
		}
		text, err := json.Marshal(got)
		if err != nil || !strings.Contains(string(text), `"stake_amount":"`+got.Stake.String()+`"`) {
			t.Errorf("%s: %s, error %v", name, text, err)
		}
	}
}

// chainStatus returns the task's status in the escrow.
func (w *world) chainStatus(t *testing.T, escrowID uint64) market.ChainStatus {
	t.Helper()
	return market.ChainStatus(w.held(t, escrowID).Status)
}

func TestAcceptThenApprove(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	task, id := w.created(t, "accept")
	application, _ := w.applied(t, id)

	got, err := c.AcceptApplication(t.Context(), task.ID, application)
	if err != nil {
		t.Fatal(err)
	}
	if got.Task.Status != "active" || got.TxHash == nil || w.held(t, id).Human != w.Human.Address() {
		t.Errorf("got status %s by transaction %v", got.Task.Status, got.TxHash)
	}
	w.submitted(t, task, id)
	if got, err = c.Approve(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if !w.held(t, id).AgentApproved || got.Task.AgentApprovedAt == nil {
		t.Error("not approved")
	}
}

func TestDispute(t *testing.T) {
	w := newWorld(t)
	task, id := w.created(t, "dispute")
	_, stake := w.applied(t, id)
	w.Accept(t, w.Agent, id, stake)
	w.submitted(t, task, id)
	if _, err := w.client(t).Dispute(t.Context(), task.ID, "No photo shows the harbour."); err != nil {
		t.Fatal(err)
	}
	if status := w.chainStatus(t, id); status != market.ChainDisputed {
		t.Errorf("the status in the escrow is %s", status)
	}
}

func TestRejectThenCancel(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	task, id := w.created(t, "reject")
	application, stake := w.applied(t, id)
	got, err := c.RejectApplication(t.Context(), task.ID, application, "No photos of yours.")
	if err != nil {
		t.Fatal(err)
	}
	if live := w.stake(t, stake).Amount; got.Application.Status != "rejected" || live.Sign() != 0 {
		t.Errorf("got status %s with a stake of %s", got.Application.Status, live)
	}
	if _, err := c.Cancel(t.Context(), task.ID); err != nil {
		t.Fatal(err)
	}
	if status := w.chainStatus(t, id); status != market.ChainCancelled {
		t.Errorf("the status in the escrow is %s", status)
	}
}

func TestDoneActionIsNotSentAgain(t *testing.T) {
	w := newWorld(t)
	task, id := w.created(t, "done")
	w.Cancel(t, w.Agent, id)
	before := w.nonce(t)
	w.api.lie = func(path string, answer object) {
		if strings.HasSuffix(path, "/cancel") {
			answer["already_done"] = true
		}
	}
	got, err := w.client(t).Cancel(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.TxHash != nil || w.nonce(t) != before {
		t.Error("the transaction was sent again")
	}
}

// A malicious API cannot make the agent's wallet do anything but the requested action.
func TestActionRejectsOtherProposal(t *testing.T) {
	w := newWorld(t)
	first, id := w.created(t, "mine")
	other, otherID := w.created(t, "mine too")
	application, stake := w.applied(t, id)
	_, otherStake := w.applied(t, otherID)
	d := w.Deployment
	calldata := func(data []byte) string { return "0x" + common.Bytes2Hex(data) }

	tests := map[string]struct {
		lie  func(path string, answer object)
		want error
	}{
		"another contract":             {at("/accept", "to", d.Token.Hex()), client.ErrOtherCall},
		"another chain":                {at("/accept", "chain_id", 1), client.ErrOtherCall},
		"ether with the call":          {at("/accept", "value", "1"), client.ErrOtherCall},
		"another function":             {at("/accept", "accept_application_calldata", calldata(w.Contracts.ApproveTask(d.Escrow, id).Data)), client.ErrOtherCall},
		"another task":                 {at("/accept", "accept_application_calldata", calldata(w.Contracts.AcceptApplication(d.Escrow, otherID, stake).Data)), client.ErrOtherCall},
		"another application":          {at("/accept", "accept_application_calldata", calldata(w.Contracts.AcceptApplication(d.Escrow, id, otherStake).Data)), client.ErrOtherCall},
		"trailing data":                {at("/accept", "accept_application_calldata", calldata(append(w.Contracts.AcceptApplication(d.Escrow, id, stake).Data, 0))), client.ErrOtherCall},
		"no data":                      {at("/accept", "accept_application_calldata", "0x"), client.ErrOtherCall},
		"data that is not hexadecimal": {at("/accept", "accept_application_calldata", "accept"), client.ErrOtherCall},
		"a stake for another task":     {at("/applications", "applications", w.listed(application, otherStake, w.Human.Address())), client.ErrOtherCall},
		"a stake of another human":     {at("/applications", "applications", w.listed(application, stake, w.OtherHuman.Address())), client.ErrOtherCall},
		"an unknown escrow task":       {at("/tasks/"+first.ID.String(), "escrow_task_id", "99"), client.ErrOtherCall},
		"another task of the agent":    {at("/tasks/"+first.ID.String(), "escrow_task_id", *other.EscrowTaskID), client.ErrOtherCall},
		"another task's transaction":   {at("/tasks/"+first.ID.String(), "escrow_creation_tx_hash", *other.EscrowCreationTxHash), client.ErrOtherCall},
		"no transaction":               {at("/tasks/"+first.ID.String(), "escrow_creation_tx_hash", common.Hash{1}.Hex()), client.ErrOtherCall},
		"a different task record": {func(path string, answer object) {
			if path == "/tasks/"+first.ID.String()+"/" {
				answer["escrow_task_id"], answer["escrow_creation_tx_hash"] = *other.EscrowTaskID, *other.EscrowCreationTxHash
			}
		}, client.ErrOtherCall},
		"another escrow":       {at("/tasks/"+first.ID.String(), "escrow_address", d.Token.Hex()), client.ErrOtherContracts},
		"other terms":          {at("/tasks/"+first.ID.String(), "description", "One photo."), client.ErrOtherTerms},
		"a changed terms hash": {at("/tasks/"+first.ID.String(), "terms_hash", other.TermsHash), client.ErrOtherTerms},
		"another agent's task": {at("/tasks/"+first.ID.String(), "agent_wallet_address", w.OtherAgent.Address().Hex()), nil},
	}
	before := w.nonce(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w.api.lie = test.lie
			_, err := w.client(t).AcceptApplication(t.Context(), first.ID, application)
			if err == nil || (test.want != nil && !errors.Is(err, test.want)) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if w.nonce(t) != before {
				t.Error("a transaction was sent")
			}
		})
	}
	w.api.lie = func(string, object) {}
	if _, err := w.client(t).AcceptApplication(t.Context(), first.ID, application); err != nil {
		t.Errorf("with correct responses: %v", err)
	}
}

// An API that substitutes another of the agent's tasks for the one to cancel is detected.
func TestCancelRejectsOtherTask(t *testing.T) {
	w := newWorld(t)
	first, _ := w.created(t, "mine")
	other, otherID := w.created(t, "mine too")
	w.api.lie = func(path string, answer object) {
		if path == "/tasks/"+first.ID.String()+"/" {
			answer["escrow_task_id"], answer["escrow_creation_tx_hash"] = *other.EscrowTaskID, *other.EscrowCreationTxHash
		}
		if strings.HasSuffix(path, "/cancel") {
			answer["cancel_task_calldata"] = "0x" + common.Bytes2Hex(w.Contracts.CancelTask(w.Deployment.Escrow, otherID).Data)
		}
	}
	before := w.nonce(t)
	if _, err := w.client(t).Cancel(t.Context(), first.ID); !errors.Is(err, client.ErrOtherCall) || w.nonce(t) != before {
		t.Errorf("got error %v", err)
	}
}

// at returns a function that changes one field in responses to paths with the given ending.
func at(ending, member string, value any) func(string, object) {
	return func(path string, answer object) {
		if strings.HasSuffix(strings.TrimSuffix(path, "/"), ending) {
			answer[member] = value
		}
	}
}

// listed returns a list with one application that refers to the stake and the human.
func (w *world) listed(id uuid.UUID, stake uint64, human common.Address) []object {
	application := maps.Clone(w.api.apps[0])
	application["id"], application["onchain_application_id"] = id.String(), strconv.FormatUint(stake, 10)
	application["human_wallet"] = human.Hex()
	return []object{application}
}
