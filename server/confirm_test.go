package server_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
)

// lose deletes the logs of the last block from the database, as if the node had omitted them.
func (r *rig) lose() {
	r.t.Helper()
	r.settle()
	cursor, err := r.store.Journal.Cursor(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	if changed, err := r.store.Journal.Repair(r.t.Context(), cursor, cursor.Block, nil); err != nil || changed == 0 {
		r.t.Fatalf("Repair() = %d, %v, want the logs of block %d deleted", changed, err, cursor.Block.Number)
	}
}

// A confirmation makes the watcher reread a followed block if a receipt proves a log that the
// watcher did not find in it.
func TestConfirmRereadsAReorganisedBlock(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)

	task := r.funded(agent)
	r.lose()
	if lost := r.task(agent, task.ID); lost.Status != client.TaskStatusNew {
		t.Fatalf("task is %s after the loss, want new", lost.Status)
	}
	funded, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: *task.EscrowCreationTxHash})
	if err != nil || funded.JSON200 == nil || funded.JSON200.Status != client.TaskStatusFunded {
		t.Fatalf("confirm-create = %s, %v, want the task funded", answer(funded), err)
	}

	_, tx := r.hire(agent, human, task.ID)
	r.lose()
	active, err := agent.ConfirmApplicationWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || active.JSON200 == nil || active.JSON200.Status != client.TaskStatusActive {
		t.Errorf("confirm = %s, %v, want the task active", answer(active), err)
	}
}

// A task is funded only at the fee that it was created with. After a change of the platform's fee the
// contract rejects the old fee, the service rejects the new one, and the task can be funded once the
// fees are equal again.
func TestFeeChangesBetweenCreationAndFunding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	setFee := func(basisPoints uint16) {
		r.net.Send(t, r.net.Owner, chain.Call{To: r.net.Deployment.Escrow, Data: contracts.NewEscrow().PackSetPlatformFee(basisPoints)})
		r.settle()
	}
	const raised = chaintest.FeeBasisPoints + 100
	post := func(basisPoints uint16) chain.Call {
		return r.net.Contracts.PostTask(chaintest.Tokens(1), basisPoints, common.HexToHash(task.TermsHash))
	}
	r.net.Send(t, agent.signer, r.net.Contracts.ApproveToken(r.net.Deployment.Escrow, chaintest.Tokens(10)))
	setFee(raised)
	quoted := r.task(agent, task.ID)
	if quoted.FeeBasisPoints != task.FeeBasisPoints || quoted.PayoutAmount != task.PayoutAmount || quoted.Fundable {
		t.Errorf("after the change, the task = %+v", quoted)
	}
	r.wantReverted(agent.signer, post(chaintest.FeeBasisPoints))
	dear := r.net.Send(t, agent.signer, post(raised))
	r.settle()
	got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: dear.TxHash.Hex()})
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "tx_mismatch" {
		t.Errorf("confirm at another fee = %s, %v", answer(got), err)
	}
	if now := r.task(agent, task.ID); now.Status != client.TaskStatusNew {
		t.Errorf("the task is %s", now.Status)
	}
	setFee(chaintest.FeeBasisPoints)
	if again := r.task(agent, task.ID); !again.Fundable {
		t.Error("with the former fee the task cannot be funded")
	}
	funded := r.net.Send(t, agent.signer, post(chaintest.FeeBasisPoints))
	got, err = agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: funded.TxHash.Hex()})
	if err != nil || got.JSON200 == nil || got.JSON200.FeeBasisPoints != task.FeeBasisPoints || got.JSON200.Status != client.TaskStatusFunded {
		t.Errorf("confirm at the former fee = %s, %v", answer(got), err)
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

// A task's status depends only on the chain: an API request does not change it, and an event on the
// chain takes effect without a request.
func TestOnlyTheChainChangesStatuses(t *testing.T) {
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
func TestUnmatchedPostingsAreStored(t *testing.T) {
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

// The error for a second posting contains the call that refunds it, before the posting is final. While the
// chain's state is in doubt, there is no call.
func TestSecondPostingIsRefundedAtOnce(t *testing.T) {
	t.Parallel()
	var halted atomic.Bool
	r := newRig(t, func(o *server.Options) { o.Finality, o.Halted = market.FinalityFinal, halted.Load })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	amount, err := market.ParseWei(task.EscrowAmount)
	if err != nil {
		t.Fatal(err)
	}
	_, receipt := r.net.Post(t, r.net.Agent, amount, common.HexToHash(task.TermsHash))
	second := client.ConfirmRequest{TxHash: receipt.TxHash.Hex()}
	got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "tx_mismatch" || got.JSON400.Details == nil {
		t.Fatalf("confirm = %s, %v", answer(got), err)
	}
	halted.Store(true)
	if got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second); err != nil || got.JSON503 == nil {
		t.Errorf("confirm while the watcher has stopped = %s, %v", answer(got), err)
	}
}

// Requests that wait for a slow node hold no database connection, and wait no longer than the node
// options allow.
//
// It does not run in parallel, because it measures durations.
func TestSlowNodeHoldsNoConnection(t *testing.T) {
	const confirmations = 200
	r := newRig(t)
	slow, node := r.behindNode()
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	read := func() reply { return slow.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key) }
	node.delay.Store(int64(30 * time.Second))
	end := press(confirmations, func() {
		began := time.Now()
		got := slow.do("POST", "/api/v1/tasks/"+task+"/confirm-create", `{"tx_hash":"0x`+nines(64)+`"}`, "X-API-Key", agent.key)
		if took := time.Since(began); got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" || took > 15*time.Second {
			t.Errorf("a confirmation = %d %s after %s", got.status, got.body, took)
		}
	})
	defer end()
	for began := time.Now(); node.waiting.Load() < confirmations/2; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d requests wait for the node", node.waiting.Load())
		}
	}
	wantQuick(t, read)
}

// Confirmations of invented hashes cause no more node requests than the agent's limit allows.
func TestInventedHashesAreLimited(t *testing.T) {
	t.Parallel()
	const confirmations, burst = 1_000, 10
	r := newRig(t)
	limited, node := r.behindNode(func(o *server.Options) {
		o.Limits["confirmTaskFunding"] = gate.Limit{Count: 30, Period: time.Minute, Burst: burst}
		o.Now = func() time.Time { return time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC) }
	})
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	asked := node.lookups.Load()
	count := map[string]int{}
	for i := range confirmations {
		body := `{"tx_hash":"` + common.BigToHash(chaintest.Tokens(int64(i))).Hex() + `"}`
		got := limited.do("POST", "/api/v1/tasks/"+task+"/confirm-create", body, "X-API-Key", agent.key)
		count[errorOf(t, got.body)]++
	}
	if count["tx_not_found"] != burst || count["rate_limited"] != confirmations-burst {
		t.Errorf("answers = %v, want %d tx_not_found, the others rate_limited", count, burst)
	}
	if asked = node.lookups.Load() - asked; asked < burst || asked > 3*burst {
		t.Errorf("the node received %d lookups of transactions, want %d to %d", asked, burst, 3*burst)
	}
}
