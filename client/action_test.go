package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
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

// If the task changes between signing and sending, nothing is sent, and the journal keeps the
// signed transaction until it can no longer be mined.
func TestActionAfterTaskChanged(t *testing.T) {
	w := newWorld(t)
	moves := map[market.Action]func(scene){
		market.ActionAccept: func(s scene) { w.Send(t, w.Human, w.Contracts.WithdrawStake(s.stake)) },
		market.ActionReject: func(s scene) {
			w.Send(t, w.Human, w.Contracts.WithdrawStake(s.stake))
			w.decided(s.application, "withdrawn")
		},
		market.ActionCancel:  func(s scene) { w.Send(t, w.Human, w.Contracts.SubmitTask(w.Deployment.Escrow, s.id, common.Hash{1})) },
		market.ActionDispute: func(s scene) { w.Dispute(t, w.Human, s.id) },
	}
	for _, a := range actionCases() {
		move, ok := moves[a.name]
		if !ok {
			continue // the human cannot prevent an approval
		}
		t.Run(string(a.name), func(t *testing.T) {
			steps := a.steps
			if a.name == market.ActionCancel {
				steps = 1
			}
			s := w.scene(t, string(a.name), steps)
			w.unsent(t, func(c *client.Client) error { return a.do(t.Context(), c, s) })
			move(s)
			w.api.lie = reportDone // the API falsely reports every action as done
			defer func() { w.api.lie = func(string, object) {} }()
			before := w.nonce(t)
			c := w.client(t)
			err := a.do(t.Context(), c, s)
			if !errors.Is(err, client.ErrMovedOn) {
				t.Errorf("got error %v", err)
			}
			if refused, ok := errors.AsType[*rpc.RevertError](err); !ok || refused.Name == "" {
				t.Errorf("%v does not contain the contract's error", err)
			}
			if flows, err := c.Unfinished(t.Context()); w.nonce(t) != before || err != nil || len(flows) != 1 {
				t.Errorf("sent %d transactions, left %+v, error %v", w.nonce(t)-before, flows, err)
			}
			w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), common.Big1))
			w.Mine(t, 3)
			if err := a.do(t.Context(), c, s); !errors.Is(err, client.ErrMovedOn) {
				t.Errorf("after its nonce was used: error %v", err)
			}
			if flows, err := c.Unfinished(t.Context()); w.nonce(t) != before+1 || err != nil || len(flows) != 0 {
				t.Errorf("after its nonce was used: sent %d transactions, left %+v, error %v", w.nonce(t)-before, flows, err)
			}
		})
	}
}

// reportDone makes the fake API report every call as already done.
func reportDone(_ string, answer object) {
	if answer["simulated"] == true {
		answer["already_done"] = true
	}
}

// Only the chain determines whether an action is done. A false report by the API is detected and
// cannot skip the caller's review.
func TestActionFalselyReportedDone(t *testing.T) {
	w := newWorld(t)
	for _, a := range actionCases() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			w.api.lie = reportDone
			defer func() { w.api.lie = func(string, object) {} }()
			before := w.nonce(t)
			impatient := w.client(t, func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond })
			if err := a.do(t.Context(), impatient, s); !errors.Is(err, client.ErrOtherCall) || !strings.Contains(err.Error(), "as done") {
				t.Errorf("got error %v", err)
			}
			no := errors.New("no")
			asked := w.client(t, func(o *client.Options) {
				o.MineTimeout, o.Allow = 200*time.Millisecond, func(context.Context, client.Plan) error { return no }
			})
			if err := a.do(t.Context(), asked, s); err == nil {
				t.Error("the action succeeded without a review")
			}
			if w.nonce(t) != before {
				t.Error("a transaction was sent")
			}
		})
	}
}

// An action that another program of the agent has already done is not sent again.
func TestActionDoneByAnotherProgram(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "twice", 2)
	w.unsent(t, func(c *client.Client) error {
		_, err := c.Approve(t.Context(), s.task.ID)
		return err
	})
	// Use up a nonce, because with the same nonce the transaction would be identical.
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), common.Big1))
	w.Approve(t, w.Agent, s.id)
	before := w.nonce(t)
	got, err := w.client(t).Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash != nil || w.nonce(t) != before {
		t.Errorf("got transaction %v, error %v, %d sent", got.TxHash, err, w.nonce(t)-before)
	}
}

// Another program used the nonce of a pending call. Until that program's transaction is final, no
// other nonce is used. Then the flow is removed, and the action can be requested again.
func TestActionNonceReplaced(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "taken", 2)
	approve := func(c *client.Client) error {
		_, err := c.Approve(t.Context(), s.task.ID)
		return err
	}
	w.unsent(t, approve)
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), common.Big1))
	before := w.nonce(t)
	impatient := w.client(t, func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond })
	if err := approve(impatient); !errors.Is(err, client.ErrNotMined) || !strings.Contains(err.Error(), "has used its nonce") {
		t.Errorf("before it is final: error %v", err)
	}
	w.Mine(t, 3)
	if err := approve(impatient); err == nil || !strings.Contains(err.Error(), "try again to send a new transaction") || w.nonce(t) != before {
		t.Errorf("after it is final: error %v", err)
	}
	if err := approve(w.client(t)); err != nil || w.nonce(t) != before+1 || !w.held(t, s.id).AgentApproved {
		t.Errorf("repeated request: error %v, %d transactions", err, w.nonce(t)-before)
	}
}

// While an acceptance is signed but not finished, accepting another applicant fails with
// ErrUnderWay.
func TestConcurrentAcceptances(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "one", 0)
	w.unsent(t, func(c *client.Client) error {
		_, err := c.AcceptApplication(t.Context(), s.task.ID, s.application)
		return err
	})
	_, err := w.client(t).AcceptApplication(t.Context(), s.task.ID, s.secondApplication(t, w))
	if !errors.Is(err, client.ErrUnderWay) {
		t.Errorf("got error %v", err)
	}
}

// A plan contains the exact call, and making the plan signs and changes nothing. Allow receives the
// same plan before the signature, and nothing is sent if Allow returns an error.
func TestPlansOfActions(t *testing.T) {
	w := newWorld(t)
	no := errors.New("no")
	for _, a := range actionCases() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			var reviewed client.Plan
			c := w.client(t, func(o *client.Options) {
				o.Signer = mute{w.Agent, t}
				o.Allow = func(_ context.Context, p client.Plan) error {
					reviewed = p
					return no
				}
			})
			before := w.nonce(t)
			plan, err := c.Plan(t.Context(), a.request(s))
			if err != nil {
				t.Fatal(err)
			}
			got := chain.Call{To: plan.Transaction.To, Data: plan.Transaction.Data}
			if diff := cmp.Diff(a.call(w, s), got); diff != "" || !plan.Simulated || plan.Done || plan.Consequence == "" || plan.Transaction.Gas == 0 {
				t.Errorf("%+v: %s", plan, diff)
			}
			w.unwatched(s.task) // the fake API shows an action as done as soon as it is proposed
			if err := a.do(t.Context(), c, s); !errors.Is(err, no) || reviewed.ID != plan.ID || w.nonce(t) != before {
				t.Errorf("planned %s, reviewed %s, error %v, %d transactions", plan.ID, reviewed.ID, err, w.nonce(t)-before)
			}
			if flows, err := c.Unfinished(t.Context()); err != nil || len(flows) != 0 {
				t.Errorf("left %+v, error %v", flows, err)
			}
		})
	}
}

// unwatched restores the task in the fake API to its state before any proposal.
func (w *world) unwatched(task client.Task) {
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	record := w.api.tasks[task.ID.String()]
	record["status"] = string(task.Status)
	delete(record, "agent_approved_at")
}

// Planning an action that the chain would reject returns an error.
func TestPlanRejectedByChain(t *testing.T) {
	w := newWorld(t)
	c := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	for _, a := range actionCases() {
		if a.name == market.ActionAccept {
			continue // at this stage the acceptance is already done, which is not an error
		}
		s := w.scene(t, string(a.name), 2-a.steps) // a stage at which the contract rejects the action
		_, err := c.Plan(t.Context(), a.request(s))
		if refused, ok := errors.AsType[*rpc.RevertError](err); !ok || refused.Name == "" {
			t.Errorf("%s: error %v", a.name, err)
		}
	}
}

// The plan for an action that the chain already shows contains no transaction.
func TestPlanOfDoneAction(t *testing.T) {
	w := newWorld(t)
	for _, a := range actionCases() {
		s := w.scene(t, string(a.name), a.steps)
		if err := a.do(t.Context(), w.client(t), s); err != nil {
			t.Fatal(err)
		}
		before := w.nonce(t)
		silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
		plan, err := silent.Plan(t.Context(), a.request(s))
		if err != nil || !plan.Done || plan.Transaction != nil {
			t.Errorf("%s: got plan %+v, error %v", a.name, plan, err)
		}
		if err := a.do(t.Context(), silent, s); err != nil || w.nonce(t) != before {
			t.Errorf("%s: repeated request: error %v, %d transactions", a.name, err, w.nonce(t)-before)
		}
	}
}
