package server_test

import (
	"taskmarket/chain"
	"context"
	"fmt"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/server"
)

func TestTaskFromCreationToPayment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	if task.Status != client.TaskStatusSubmitted || *task.SubmissionNote != "Ten photos." || *task.ProofURL != "https://example.com/photos" ||
		*task.HumanID != human.id || task.DisputeDeadline == nil || task.DisputedAt != nil {
		t.Fatalf("task = %+v", task)
	}
	before, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	approval, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{})
	if err != nil || approval.JSON200 == nil || !approval.JSON200.Simulated || approval.JSON200.AlreadyDone != nil {
		t.Fatalf("approve = %s, %v", answer(approval), err)
	}
	tx := r.send(agent.signer, approval.JSON200.To, approval.JSON200.ApproveTaskCalldata)
	again, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{TxHash: new(tx.Hex())})
	if err != nil || again.JSON200 == nil || again.JSON200.AlreadyDone == nil || again.JSON200.ApproveTaskCalldata != approval.JSON200.ApproveTaskCalldata {
		t.Fatalf("approve again = %s, %v", answer(again), err)
	}
	if got := r.task(agent, task.ID).Status; got != client.TaskStatusValidating {
		t.Fatalf("after the approval the task is %s", got)
	}
	r.vote(task.ID, true, 2)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	paid := r.task(agent, task.ID)
	if paid.Status != client.TaskStatusApproved || paid.SettledAt == nil || paid.ValidatorApprovals != 2 {
		t.Errorf("task = %+v", paid)
	}
	after, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	payout, _ := new(big.Int).SetString(paid.PayoutAmount, 10)
	stake, _ := new(big.Int).SetString(paid.StakeAmount, 10)
	if got, want := new(big.Int).Sub(after, before), new(big.Int).Add(payout, stake); got.Cmp(want) != 0 {
		t.Errorf("the human received %s, want payout and stake, %s", got, want)
	}
}

func TestFundingIsConfirmedByProof(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	task, twin := r.createTask(agent), r.createTask(agent)
	post := func(by *chain.KeySigner, amount *big.Int, terms common.Hash) string {
		_, receipt := r.net.Post(t, by, amount, terms)
		return receipt.TxHash.Hex()
	}
	confirm := func(id uuid.UUID, tx string) (int, string) {
		t.Helper()
		got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), id, client.ConfirmRequest{TxHash: tx})
		if err != nil {
			t.Fatalf("confirm-create: %v", err)
		}
		if got.JSON200 != nil {
			return 200, string(got.JSON200.Status)
		}
		return got.StatusCode(), errorOf(t, string(got.Body))
	}
	transfer := r.net.Send(t, r.net.Agent, r.net.Contracts.TransferToken(r.net.Owner.Address(), big.NewInt(1)))
	one := chaintest.Tokens(1)
	for name, test := range map[string]struct{ tx, code string }{
		"unknown":                                {common.HexToHash("0x1234").Hex(), "tx_not_found"},
		"a transfer":                             {transfer.TxHash.Hex(), "tx_mismatch"},
		"1 wei short":                            {post(r.net.Agent, new(big.Int).Sub(one, big.NewInt(1)), common.Hash{}), "tx_mismatch"},
		"other terms":                            {post(r.net.Agent, one, common.HexToHash("0xabcd")), "tx_mismatch"},
		"another agent's posting":                {post(r.net.OtherAgent, one, common.Hash{}), "tx_mismatch"},
		"another agent's posting with the terms": {post(r.net.OtherAgent, one, common.HexToHash(task.TermsHash)), "tx_mismatch"},
	} {
		if status, code := confirm(task.ID, test.tx); status != 400 || code != test.code {
			t.Errorf("%s = %d %s, want %s", name, status, code, test.code)
		}
	}
	without := post(r.net.Agent, one, common.Hash{})
	for range 2 {
		if status, code := confirm(task.ID, without); status != 200 || code != "funded" {
			t.Fatalf("without terms = %d %s", status, code)
		}
	}
	if r.task(agent, task.ID).TermsOnChain {
		t.Error("terms_on_chain is true for a posting without terms")
	}
	if status, code := confirm(twin.ID, without); status != 400 || code != "tx_already_used" {
		t.Errorf("the same posting for a second task = %d %s", status, code)
	}
	if status, code := confirm(task.ID, post(r.net.Agent, one, common.HexToHash(task.TermsHash))); status != 400 || code != "tx_mismatch" {
		t.Errorf("a second posting for one task = %d %s", status, code)
	}
	if got, err := other.ConfirmTaskFundingWithResponse(t.Context(), twin.ID, client.ConfirmRequest{TxHash: without}); err != nil || got.StatusCode() != 403 {
		t.Errorf("another agent = %s, %v", answer(got), err)
	}
}

func TestCancelledTaskIsRefunded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	early, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || early.JSON400 == nil || early.JSON400.Error != "wrong_status" {
		t.Errorf("cancel a new task = %s, %v", answer(early), err)
	}
	task = r.funded(agent)
	cancel, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancel.JSON200 == nil || cancel.JSON200.To != r.net.Deployment.Escrow.Hex() || cancel.JSON200.Value != "0" {
		t.Fatalf("cancel = %s, %v", answer(cancel), err)
	}
	if got := r.task(agent, task.ID).Status; got != client.TaskStatusFunded {
		t.Errorf("requesting the call changed the status to %s", got)
	}
	r.send(agent.signer, cancel.JSON200.To, cancel.JSON200.CancelTaskCalldata)
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusCancelled || got.CancelledAt == nil {
		t.Errorf("task = %+v", got)
	}
	again, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || again.JSON200 == nil || again.JSON200.AlreadyDone == nil {
		t.Errorf("cancel again = %s, %v", answer(again), err)
	}
}

func TestRejectedAndWithdrawnApplications(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	staked := r.applied(human, task.ID)
	second, err := human.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{})
	if err != nil || second.JSON400 == nil {
		t.Errorf("a second application = %s, %v", answer(second), err)
	}
	foreign, err := other.WithdrawApplicationWithResponse(t.Context(), task.ID, staked.ID)
	if err != nil || foreign.StatusCode() != http.StatusForbidden {
		t.Errorf("withdraw another human's application = %s, %v", answer(foreign), err)
	}
	withdraw, err := human.WithdrawApplicationWithResponse(t.Context(), task.ID, staked.ID)
	if err != nil || withdraw.JSON200 == nil || withdraw.JSON200.WithdrawStakeCalldata == nil {
		t.Fatalf("withdraw = %s, %v", answer(withdraw), err)
	}
	r.send(human.signer, *withdraw.JSON200.To, *withdraw.JSON200.WithdrawStakeCalldata)
	list, err := agent.ListTaskApplicationsWithResponse(t.Context(), task.ID, nil)
	if err != nil || list.JSON200 == nil || len(list.JSON200.Applications) != 1 || list.JSON200.Applications[0].Status != "withdrawn" {
		t.Errorf("applications = %s, %v", answer(list), err)
	}

	unstaked, err := other.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
	if err != nil || unstaked.JSON201 == nil {
		t.Fatalf("apply = %s, %v", answer(unstaked), err)
	}
	id := unstaked.JSON201.Application.ID
	early, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, id)
	if err != nil || early.JSON400 == nil || early.JSON400.Error != "wrong_status" {
		t.Errorf("accept without a stake = %s, %v", answer(early), err)
	}
	for range 2 {
		reject, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, id, client.RejectApplicationRequest{})
		if err != nil || reject.JSON200 == nil || reject.JSON200.Application.Status != "rejected" || reject.JSON200.RejectApplicationCalldata != nil {
			t.Errorf("reject without a stake = %s, %v", answer(reject), err)
		}
	}
	restaked := r.applied(other, task.ID)
	reject, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, restaked.ID, client.RejectApplicationRequest{Reason: new("No.")})
	if err != nil || reject.JSON200 == nil || reject.JSON200.RejectApplicationCalldata == nil {
		t.Fatalf("reject with a stake = %s, %v", answer(reject), err)
	}
	r.send(agent.signer, *reject.JSON200.To, *reject.JSON200.RejectApplicationCalldata)
	after, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, restaked.ID, client.RejectApplicationRequest{})
	if err != nil || after.JSON200 == nil || after.JSON200.AlreadyDone == nil || after.JSON200.Application.Status != "rejected" {
		t.Errorf("reject again = %s, %v", answer(after), err)
	}
}

func TestWalletCannotBeBothPartiesOfATask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	for name, signer := range map[string]*chain.KeySigner{"own wallet": r.net.Agent, "validator": r.net.Validators[0]} {
		got, err := r.human(signer).ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{})
		if err != nil || got.JSON400 == nil {
			t.Errorf("%s applies = %s, %v", name, answer(got), err)
		}
	}
}

func TestDisputeIsDraftUntilTheChainShowsIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, stranger := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	validator := r.human(r.net.Validators[0])
	task := r.submitted(agent, human)
	get := func(as *user) *client.GetDisputeResponse {
		t.Helper()
		got, err := as.GetDisputeWithResponse(t.Context(), task.ID)
		if err != nil {
			t.Fatalf("GET dispute: %v", err)
		}
		return got
	}
	if got := get(agent); got.StatusCode() != 404 {
		t.Errorf("before = %s", answer(got))
	}
	dispute := func(as *user, reason string) *client.DisputeTaskResponse {
		t.Helper()
		got, err := as.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: reason})
		if err != nil {
			t.Fatalf("dispute: %v", err)
		}
		return got
	}
	if got := dispute(stranger, "Hm."); got.StatusCode() != 403 {
		t.Errorf("a stranger = %s", answer(got))
	}
	if got := dispute(human, "They asked for blur."); got.JSON200 == nil {
		t.Fatalf("the human's draft = %s", answer(got))
	}
	if got := get(validator); got.StatusCode() != 404 {
		t.Errorf("the human's draft is shown to a validator: %s", answer(got))
	}
	first, second := dispute(agent, "Blurred."), dispute(agent, "All of them are blurred.")
	if second.JSON200 == nil || first.JSON200 == nil || first.JSON200.DisputeID != second.JSON200.DisputeID {
		t.Fatalf("dispute = %s, %s", answer(first), answer(second))
	}
	if got := get(agent); got.JSON200 == nil || got.JSON200.Status != "draft" || got.JSON200.Reason != "All of them are blurred." {
		t.Errorf("draft = %s", answer(got))
	}
	if got := get(human); got.JSON200 == nil || got.JSON200.FiledByAgent || got.JSON200.Reason != "They asked for blur." {
		t.Errorf("the other party reads %s, want its own draft", answer(got))
	}
	if got := r.task(human, task.ID).Status; got != client.TaskStatusSubmitted {
		t.Errorf("a draft changed the status to %s", got)
	}
	r.send(agent.signer, second.JSON200.To, second.JSON200.DisputeTaskCalldata)
	if got := get(human); got.JSON200 == nil || got.JSON200.Status != "open" || !got.JSON200.FiledByAgent || got.JSON200.Deadline.IsZero() {
		t.Errorf("open = %s", answer(got))
	}
	if got := dispute(agent, "Another reason."); got.JSON200 == nil || got.JSON200.AlreadyDone == nil {
		t.Errorf("again = %s", answer(got))
	}
	if got := dispute(human, "Me too."); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("the other party = %s", answer(got))
	}
	r.vote(task.ID, false, 2)
	r.net.Decide(t, 1, r.workHash(task.ID), 1, false)
	r.settle()
	if got := get(human); got.JSON200 == nil || got.JSON200.Status != "resolved" || *got.JSON200.Outcome != "rejected" || got.JSON200.ResolvedAt == nil {
		t.Errorf("resolved = %s", answer(got))
	}
}

// The contract's time windows depend on the chain's clock, not on the server's. Responses match the
// contract to the second.
func TestThreat54WindowsUseChainTime(t *testing.T) {
	t.Parallel()
	for name, skew := range map[string]time.Duration{"2 h ahead": 2 * time.Hour, "2 h behind": -2 * time.Hour, "3 days ahead": 72 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			agent := r.verifiedAgent(r.net.Agent)
			task := r.submitted(agent, r.human(r.net.Human))
			end := *task.DisputeDeadline
			wrong := r.replica(func(o *server.Options) { o.Now = func() time.Time { return time.Now().Add(skew) } })
			agent = wrong.withKey(agent.key)
			for _, step := range []struct {
				at     time.Time
				opened bool
			}{{end.Add(-time.Hour - time.Minute), true}, {end.Add(-time.Second), true}, {end.Time, false}, {end.Add(time.Hour), false}} {
				if err := r.net.Dev.SetNextTime(t.Context(), step.at); err != nil {
					t.Fatal(err)
				}
				r.net.Mine(t, 1)
				r.settle()
				refused := r.net.Reader.Simulate(t.Context(), r.net.Agent.Address(), r.net.Contracts.DisputeTask(r.net.Deployment.Escrow, 1))
				if (refused == nil) != step.opened {
					t.Fatalf("at %s the contract returns %v", step.at, refused)
				}
				got, err := agent.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "Late?"})
				if err != nil || (got.JSON200 != nil) != step.opened || !step.opened && got.JSON400.Error != "wrong_status" {
					t.Errorf("%s before the end a dispute = %s, %v", end.Sub(step.at), answer(got), err)
				}
				want := client.TaskStatusSubmitted
				if !step.opened {
					want = client.TaskStatusValidating
				}
				if got := r.task(agent, task.ID).Status; got != want {
					t.Errorf("%s before the end, the task is %s, want %s", end.Sub(step.at), got, want)
				}
			}
		})
	}
}

// A task's status depends only on the chain: an API request does not change it, and an event on the
// chain takes effect without a request.
func TestThreat50OnlyTheChainChangesStatuses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.createTask(agent)
	id, _ := r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	is := func(want client.TaskStatus) {
		t.Helper()
		r.settle()
		if got := r.task(agent, task.ID).Status; got != want {
			t.Errorf("the task is %s, want %s", got, want)
		}
	}
	is(client.TaskStatusFunded)
	application, _ := r.net.Apply(t, r.net.Human, id, chaintest.Tokens(1))
	is(client.TaskStatusFunded)
	list, err := agent.ListTaskApplicationsWithResponse(t.Context(), task.ID, nil)
	if err != nil || list.JSON200 == nil || len(list.JSON200.Applications) != 1 {
		t.Fatalf("applications = %s, %v", answer(list), err)
	}
	for range 2 { // requests the calldata, but does not send it
		accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, list.JSON200.Applications[0].ID)
		if err != nil || accepted.JSON200 == nil {
			t.Fatalf("accept = %s, %v", answer(accepted), err)
		}
		cancel, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
		if err != nil || cancel.JSON200 == nil {
			t.Fatalf("cancel = %s, %v", answer(cancel), err)
		}
	}
	is(client.TaskStatusFunded)
	r.net.Accept(t, r.net.Agent, id, application)
	is(client.TaskStatusActive)
	draft, err := human.SubmitWorkWithResponse(t.Context(), task.ID, nil, client.SubmitWorkRequest{Note: "Done.", FileIds: []uuid.UUID{}})
	if err != nil || draft.JSON201 == nil {
		t.Fatalf("submit = %s, %v", answer(draft), err)
	}
	is(client.TaskStatusActive)
	r.net.Submit(t, r.net.Human, id, common.HexToHash(draft.JSON201.WorkHash))
	is(client.TaskStatusSubmitted)
	approved, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{})
	if err != nil || approved.JSON200 == nil {
		t.Fatalf("approve = %s, %v", answer(approved), err)
	}
	disputed, err := agent.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "Or not."})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	is(client.TaskStatusSubmitted)
	r.net.Dispute(t, r.net.Human, id)
	is(client.TaskStatusDisputed)
}

// A posting that belongs to no known task is stored and shown to the agent that paid for it. The agent
// can later link it to a task.
func TestThreat52UnmatchedPostingsAreStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	early, receipt := r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{}) // before the agent is registered
	r.settle()
	agent, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	orphan := r.wantAgentAction(agent, client.AgentActionKindCancelPosting)
	if orphan.TaskID != nil || orphan.Calldata == nil {
		t.Errorf("the posting = %+v", orphan)
	}
	r.wantNoChore(other)
	task := r.createTask(agent)
	foreign := r.createTask(other)
	if got, err := other.ConfirmTaskFundingWithResponse(t.Context(), foreign.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()}); err != nil || got.JSON400 == nil {
		t.Errorf("confirmed by another agent = %s, %v", answer(got), err)
	}
	got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || got.JSON200 == nil || got.JSON200.Status != client.TaskStatusFunded || *got.JSON200.EscrowTaskID != fmt.Sprint(early) {
		t.Fatalf("confirm-create = %s, %v", answer(got), err)
	}
	r.wantNoChore(agent)
}

func TestValidatorGivesOneVerdict(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	validator, second := r.human(r.net.Validators[0]), r.human(r.net.Validators[1])
	if got := r.verdict(validator, task.ID, true); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("before the round opens = %s", answer(got))
	}
	r.net.Approve(t, r.net.Agent, 1)
	r.settle()
	if got := r.postVerdict(human, task.ID, true, "0x"+nines(130)); got.StatusCode() != 403 {
		t.Errorf("the human's verdict = %s", answer(got))
	}
	if got := r.postVerdict(validator, task.ID, true, "0x"+nines(130)); got.JSON400 == nil || got.JSON400.Error != "signature_invalid" {
		t.Errorf("an invalid signature = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, false); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("rejecting work that the agent approved = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, true); got.JSON201 == nil {
		t.Fatalf("verdict = %s", answer(got))
	}
	if got := r.verdict(validator, task.ID, true); got.JSON409 == nil || got.JSON409.Error != "already_exists" {
		t.Errorf("again = %s", answer(got))
	}
	for name, want := range map[*user]int{agent: 0, human: 0, validator: 1, second: 0} {
		got, err := name.ListVerdictsWithResponse(t.Context(), task.ID, nil)
		if err != nil || got.JSON200 == nil || len(got.JSON200.Verdicts) != want || got.JSON200.Approvals != 1 || got.JSON200.Quorum != 2 {
			t.Errorf("verdicts = %s, %v, want %d of 1", answer(got), err, want)
		}
	}
	if got, err := human.ListValidationsWithResponse(t.Context(), nil); err != nil || got.StatusCode() != 403 {
		t.Errorf("validations of a human = %s, %v", answer(got), err)
	}
	r.vote2(second, task.ID)
	r.net.Decide(t, 1, r.workHash(task.ID), 0, true)
	r.settle()
	got, err := human.ListVerdictsWithResponse(t.Context(), task.ID, nil)
	if err != nil || got.JSON200 == nil || len(got.JSON200.Verdicts) != 2 {
		t.Errorf("after the decision = %s, %v", answer(got), err)
	}
}

// When a reorganisation drops the funding of a task, the task is new again.
func TestReorganisationRevertsTheFunding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.net.Reorg(t, 1)
	r.settle()
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusNew || got.EscrowTaskID != nil {
		t.Errorf("task = %+v", got)
	}
	feed, err := agent.ListActivityWithResponse(context.WithoutCancel(t.Context()), nil)
	if err != nil || feed.JSON200 == nil || len(feed.JSON200.Activities) < 2 {
		t.Errorf("activity = %s, %v", answer(feed), err)
	}
}
