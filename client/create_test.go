package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/market"
)

func TestCreateTaskPaysExactlyTheAmount(t *testing.T) {
	w := newWorld(t)
	before, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.client(t).CreateTask(t.Context(), request("one")); err != nil {
		t.Fatal(err)
	}
	after, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	if paid := before.Sub(before, after); paid.Cmp(chaintest.Tokens(1)) != 0 {
		t.Errorf("paid %s", paid)
	}
	allowance, err := w.Reader.Allowance(t.Context(), w.Agent.Address(), w.Deployment.Escrow)
	if err != nil || allowance.Sign() != 0 {
		t.Errorf("left an allowance of %s, error %v", allowance, err)
	}
}

func TestCreateTaskKeys(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	create := func(change func(*client.TaskRequest)) (client.Task, error) {
		task := request("keys")
		change(&task)
		return c.CreateTask(t.Context(), task)
	}
	first, err := create(func(r *client.TaskRequest) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := create(func(r *client.TaskRequest) { r.Description += "!" }); !errors.Is(err, client.ErrOtherRequest) {
		t.Errorf("another task with the same key: error %v", err)
	}
	other, err := create(func(r *client.TaskRequest) { r.Key = "another" })
	if err != nil || other.ID == first.ID {
		t.Errorf("another key: task %s, error %v", other.ID, err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
}

// A task needs a key, because a repeated request without one would pay again.
func TestCreateTaskNeedsAKey(t *testing.T) {
	w := newWorld(t)
	task := request("")
	if _, err := w.client(t).CreateTask(t.Context(), task); market.KindOf(err) != market.KindInvalid || w.api.creations != 0 {
		t.Errorf("without a key: error %v, %d requests", err, w.api.creations)
	}
}

// A key stays in the journal until it is forgotten, and identifies the task until then.
func TestCreateTaskUntilForgotten(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	first, err := c.CreateTask(t.Context(), request("kept"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), client.Fund(request("kept")))
	if err != nil || !plan.Done {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	if err := c.Forget(t.Context(), plan.Key); err != nil {
		t.Fatal(err)
	}
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.Execute(t.Context(), plan); !errors.Is(err, client.ErrEnded) {
		t.Errorf("executed a plan of the forgotten operation: error %v", err)
	}
	again := request("kept")
	again.Title = "another"
	if other, err := c.CreateTask(t.Context(), again); err != nil || other.ID == first.ID || len(w.posted(t)) != 2 {
		t.Errorf("task %s, paid %d times, error %v", other.ID, len(w.posted(t)), err)
	}
}

func TestCreateTaskConcurrently(t *testing.T) {
	w := newWorld(t)
	ids := make([]string, 6)
	shared := w.client(t)
	var wait sync.WaitGroup
	for i := range ids {
		c := shared
		if i%2 == 1 {
			c = w.client(t) // simulates another process
		}
		wait.Go(func() {
			task, err := c.CreateTask(t.Context(), request("same"))
			if err != nil {
				t.Error(err)
			}
			ids[i] = task.ID.String()
		})
	}
	wait.Wait()
	if len(slices.Compact(ids)) != 1 || len(w.posted(t)) != 1 {
		t.Errorf("got tasks %v with %d payments", ids, len(w.posted(t)))
	}
	for i := range ids {
		wait.Go(func() {
			if _, err := shared.CreateTask(t.Context(), request(fmt.Sprint("different ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if paid := len(w.posted(t)); paid != 7 {
		t.Errorf("paid %d times", paid)
	}
}

func TestCreateTaskReplacesAStaleRecord(t *testing.T) {
	w := newWorld(t)
	w.api.stale = 1
	task, err := w.client(t).CreateTask(t.Context(), request("stale"))
	if err != nil {
		t.Fatal(err)
	}
	if task.Status != "funded" || len(w.api.tasks) != 2 || len(w.posted(t)) != 1 {
		t.Errorf("got status %s, %d records, %d payments", task.Status, len(w.api.tasks), len(w.posted(t)))
	}
	w.api.stale = 2
	if _, err := w.client(t).CreateTask(t.Context(), request("very stale")); err == nil || len(w.posted(t)) != 1 {
		t.Errorf("paid for a record that cannot be funded, error %v", err)
	}
}

func TestCreateTaskReturnsRevert(t *testing.T) {
	w := newWorld(t)
	task := request("rich")
	task.Amount = chaintest.Tokens(5_000_000)
	_, err := w.client(t).CreateTask(t.Context(), task)
	refused, ok := errors.AsType[*rpc.RevertError](err)
	if !ok || refused.Name != "ERC20InsufficientBalance" {
		t.Errorf("got error %v", err)
	}
}

// An invalid task is rejected before anything is written to the journal or sent to the API.
func TestInvalidTasksLeaveNoJournal(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(*client.TaskRequest){
		"no title":     func(r *client.TaskRequest) { r.Title = "" },
		"a long title": func(r *client.TaskRequest) { r.Title = strings.Repeat("é", market.MaxTitle+1) },
	} {
		task := request(name)
		change(&task)
		if _, err := w.client(t).Plan(t.Context(), client.Fund(task)); market.KindOf(err) != market.KindInvalid {
			t.Errorf("%s: planned with error %v", name, err)
		}
		if _, err := w.client(t).CreateTask(t.Context(), task); market.KindOf(err) != market.KindInvalid {
			t.Errorf("%s: created with error %v", name, err)
		}
		if left := w.unfinished(t); left != 0 || w.api.creations != 0 {
			t.Fatalf("%s: left %d flows, %d requests", name, left, w.api.creations)
		}
	}
	longest := request("longest")
	longest.Title, longest.Description = strings.Repeat("é", market.MaxTitle), strings.Repeat("é", market.MaxDescription)
	if _, err := w.client(t).CreateTask(t.Context(), longest); err != nil {
		t.Errorf("a title of maximum length was rejected: %v", err)
	}
}

// If only the API can detect that a task is invalid, its rejection also removes the flow from the
// journal. After a temporary error, the flow stays.
func TestRejectedTasksLeaveNoJournal(t *testing.T) {
	w := newWorld(t)
	// The order matters: the first error removes its flow, the second leaves its flow in the
	// journal.
	for want, kind := range []market.Kind{market.KindInvalid, market.KindNotVerified} {
		w.api.refuseCreate = kind
		_, err := w.client(t).CreateTask(t.Context(), request(string(kind)))
		if left := w.unfinished(t); client.CodeOf(err) != kind || left != want {
			t.Errorf("%s: %d flows are left, want %d, error %v", kind, left, want, err)
		}
	}
}

// Format characters that arrive with pasted text are removed before the task is sent and its terms are hashed, so the
// pasted text and the cleaned text are the same task.
func TestPastedFormatCharactersDoNotChangeTheTask(t *testing.T) {
	w := newWorld(t)
	pasted := request("pasted")
	pasted.Title, pasted.Description = "Photo\u00adgraph \u200e3 doors\u200f", "\ufeffCall \u202a+351 21 555\u202c. می\u200cخواهم"
	pasted.Skills, pasted.Location = []string{"photo\u00adgraphy"}, "Lis\u00adbon"
	plan, err := w.client(t).Plan(t.Context(), client.Fund(pasted))
	if err != nil || plan.Title != "Photograph 3 doors" {
		t.Fatalf("planned %q: %v", plan.Title, err)
	}
	task, err := w.client(t).CreateTask(t.Context(), pasted)
	if err != nil {
		t.Fatal(err)
	}
	if task.Title != "Photograph 3 doors" || task.Description != "Call +351 21 555. می\u200cخواهم" {
		t.Errorf("created %+q, %+q", task.Title, task.Description)
	}
	for _, again := range []client.TaskRequest{pasted, pasted.Clean()} {
		if same, err := w.client(t).CreateTask(t.Context(), again); err != nil || same.ID != task.ID {
			t.Errorf("created %s again: %v", same.ID, err)
		}
	}
	if w.api.creations != 1 {
		t.Errorf("%d tasks were created", w.api.creations)
	}
}

// killer simulates a crash of the client at its n-th external step: a request to the API, a call to
// the node, or a change to the journal. The crash happens before the step takes effect or, if after
// is true, afterwards. The client cannot distinguish the two.
type killer struct {
	mu    sync.Mutex
	at    int
	after bool
	kill  context.CancelFunc
	count int
	dead  bool
	done  []string // names of the steps so far, for failure messages
}

var errKilled = errors.New("killed")

// step executes one step unless the client is already dead. If it kills the client at this step, it
// executes the step only if after is true, and returns errKilled.
func (k *killer) step(name string, do func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return errKilled
	}
	k.count++
	k.done = append(k.done, name)
	k.dead = k.count == k.at
	if k.dead {
		defer k.kill()
	}
	if k.dead && !k.after {
		return errKilled
	}
	if err := do(); err != nil || !k.dead {
		return err
	}
	return errKilled
}

func (k *killer) wrap(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		err := k.step(name+r.URL.Path, func() error {
			next.ServeHTTP(answer, r)
			return nil
		})
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		for header, values := range answer.Header() {
			w.Header()[header] = values
		}
		w.WriteHeader(answer.Code)
		if _, err := w.Write(answer.Body.Bytes()); err != nil {
			panic(http.ErrAbortHandler)
		}
	})
}

// journal is a FlowStore whose changes count as steps for the killer.
type journal struct {
	client.FlowStore
	*killer
}

func (j journal) Save(ctx context.Context, flow *client.Flow) error {
	return j.step("save", func() error { return j.FlowStore.Save(ctx, flow) })
}

func (j journal) Remove(ctx context.Context, key string) error {
	return j.step("remove", func() error { return j.FlowStore.Remove(ctx, key) })
}

// killed runs CreateTask and reports whether the killer stopped it.
func (w *world) killed(t *testing.T, task client.TaskRequest, k *killer) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	k.kill = cancel
	node, err := url.Parse(w.Dev.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := w.client(t, func(o *client.Options) {
		o.BaseURL = serve(t, k.wrap("API ", w.api))
		o.RPCURL = serve(t, k.wrap("node ", httputil.NewSingleHostReverseProxy(node)))
		o.Flows = journal{o.Flows, k}
	})
	_, err = c.CreateTask(ctx, task)
	if k.dead && err == nil {
		t.Errorf("killed at %q without an error", k.done[len(k.done)-1])
	}
	return k.dead
}

// After a crash at any step, repeating the request returns the same task and pays once.
func TestCreateTaskSurvivesEveryCrash(t *testing.T) {
	w := newWorld(t)
	for _, after := range []bool{false, true} {
		steps := 0
		for at := 1; ; at++ {
			task := request(fmt.Sprintf("crash %v %d", after, at))
			k := &killer{at: at, after: after}
			if !w.killed(t, task, k) {
				break
			}
			steps++
			w.finish(t, task, fmt.Sprintf("%s (step %d, after %v)", k.done[len(k.done)-1], at, after))
		}
		if steps < 20 {
			t.Errorf("killed at only %d steps", steps)
		}
	}
}

// finish requests the task again and checks that it was recorded and paid for only once.
func (w *world) finish(t *testing.T, task client.TaskRequest, when string) {
	t.Helper()
	c := w.client(t)
	got, err := c.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatalf("killed at %s: second request: %v", when, err)
	}
	w.paidOnce(t, got, task, when)
	again, err := c.CreateTask(t.Context(), task)
	if err != nil || again.ID != got.ID {
		t.Errorf("killed at %s: third request: task %s, error %v", when, again.ID, err)
	}
	w.paidOnce(t, got, task, when)
}

func (w *world) paidOnce(t *testing.T, got client.Task, task client.TaskRequest, when string) {
	t.Helper()
	if got.Status != "funded" || got.Title != task.Title {
		t.Errorf("%s: got task %q in status %s", when, got.Title, got.Status)
	}
	var paid int
	for _, hash := range w.posted(t) {
		if hash == common.HexToHash(got.TermsHash) {
			paid++
		}
	}
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	var records int
	for _, record := range w.api.tasks {
		if record["title"] == task.Title {
			records++
		}
	}
	if paid != 1 || records != 1 {
		t.Errorf("%s: %d payments for %d records", when, paid, records)
	}
}

// absent is a wallet whose key is not available locally.
type absent struct{ chain.Signer }

var errAbsent = errors.New("the key is elsewhere")

func (absent) SignTypedData(context.Context, apitypes.TypedData) ([]byte, error) {
	return nil, errAbsent
}

// A task's payment was prepared for another program, which sent it from the same wallet. Repeating
// the request does not pay again, even if the API has not seen the payment yet or hides it.
func TestCreateTaskPaidElsewhere(t *testing.T) {
	for name, lie := range map[string]func(string, object){
		"the API lags": func(string, object) {},
		"the API hides the payment": func(path string, answer object) {
			if strings.HasPrefix(path, "/tasks/") && answer["status"] == "new" {
				answer["fundable"], answer["created_at"] = false, time.Now().Add(time.Hour).Format(time.RFC3339)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			task := request(name)
			prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
			if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
				t.Fatalf("got error %v", err)
			}
			plan, err := prepared.Plan(t.Context(), client.Fund(task))
			if err != nil || plan.TermsHash == nil {
				t.Fatalf("got plan %+v, error %v", plan, err)
			}
			no := errors.New("no")
			decline := func(o *client.Options) { o.Allow = func(context.Context, client.Plan) error { return no } }
			if _, err := w.client(t, decline).CreateTask(t.Context(), task); !errors.Is(err, no) {
				t.Errorf("got error %v", err)
			}
			w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
			w.api.lie = lie
			w.waiting(t, w.Contracts.PostTask(task.Amount, chaintest.FeeBasisPoints, *plan.TermsHash))
			silent := func(o *client.Options) { o.Signer = mute{w.Agent, t} }
			impatient := func(o *client.Options) { o.MineTimeout = 300 * time.Millisecond }
			if _, err := w.client(t, silent, impatient).CreateTask(t.Context(), task); !errors.Is(err, client.ErrNotMined) {
				t.Errorf("while the payment is pending: error %v", err)
			}
			w.Mine(t, 3)
			got, err := w.client(t, silent).CreateTask(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			w.paidOnce(t, got, task, name)
		})
	}
}

// Confirm confirms a payment by another program without a new plan, so it also works if the
// agent's wallet is empty.
func TestConfirmCreation(t *testing.T) {
	w := newWorld(t)
	task := request("confirmed")
	if _, err := w.confirmed(t, w.client(t), task, common.Hash{1}); !errors.Is(err, client.ErrEnded) {
		t.Errorf("before it was prepared: error %v", err)
	}
	prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
	if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
		t.Fatalf("got error %v", err)
	}
	other, _ := w.created(t, "another")
	sent := w.paidByAnotherProgram(t, prepared, task)
	left, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), left))
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := w.confirmed(t, silent, task, common.HexToHash(*other.EscrowCreationTxHash)); err == nil {
		t.Error("confirmed by the payment of another task")
	}
	got, err := w.confirmed(t, silent, task, sent)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "confirmed")
	again, err := silent.CreateTask(t.Context(), task)
	if err != nil || again.ID != got.ID {
		t.Errorf("repeated request: task %s, error %v", again.ID, err)
	}
}

// Confirm signs nothing, even if a reorganisation has dropped the payment since.
func TestConfirmCreationAfterReorganisation(t *testing.T) {
	w := newWorld(t)
	task := request("confirmed and dropped")
	prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
	if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
		t.Fatalf("got error %v", err)
	}
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	sent := w.paidByAnotherProgram(t, silent, task)
	got, err := w.confirmed(t, silent, task, sent)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.confirmed(t, silent, task, sent); err != nil || again.ID != got.ID {
		t.Errorf("repeated: task %s, error %v", again.ID, err)
	}
	w.dropPayment(t, got)
	before := w.nonce(t)
	if _, err := w.confirmed(t, silent, task, sent); client.CodeOf(err) != market.KindTxNotFound || w.nonce(t) != before {
		t.Errorf("after the reorganisation: error %v, %d transactions", err, w.nonce(t)-before)
	}
}

// Confirm neither sends nor replaces a payment that was signed here before another program
// paid.
func TestConfirmCreationOfSignedPayment(t *testing.T) {
	w := newWorld(t)
	task := request("signed twice")
	w.signedOnly(t, task)
	silent := w.client(t, func(o *client.Options) { o.Signer, o.MineTimeout = mute{w.Agent, t}, time.Second })
	sent := w.paidByAnotherProgram(t, silent, task)
	before := w.nonce(t)
	got, err := w.confirmed(t, silent, task, sent)
	if err != nil || w.nonce(t) != before {
		t.Fatalf("error %v, %d transactions", err, w.nonce(t)-before)
	}
	w.paidOnce(t, got, task, "signed twice")
}

// confirmed confirms a payment by another program and returns the task.
func (w *world) confirmed(t *testing.T, c *client.Client, task client.TaskRequest, tx common.Hash) (client.Task, error) {
	t.Helper()
	if err := c.Confirm(t.Context(), client.Fund(task), tx); err != nil {
		return client.Task{}, err
	}
	plan, err := c.Plan(t.Context(), client.Fund(task))
	if err != nil || !plan.Done {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	return c.Task(t.Context(), *plan.TaskID)
}

// paidByAnotherProgram pays for a prepared task from the agent's wallet, without using the client, and
// returns the transaction's hash.
func (w *world) paidByAnotherProgram(t *testing.T, c *client.Client, task client.TaskRequest) common.Hash {
	t.Helper()
	plan, err := c.Plan(t.Context(), client.Fund(task))
	if err != nil || plan.TermsHash == nil {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
	return w.Send(t, w.Agent, w.Contracts.PostTask(task.Amount, chaintest.FeeBasisPoints, *plan.TermsHash)).TxHash
}

// waiting stops block production and sends the agent's call, so that it stays pending.
func (w *world) waiting(t *testing.T, call chain.Call) {
	t.Helper()
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	sender := send.NewSender(w.Node, w.Agent)
	nonce, err := sender.NextNonce(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tx, err := sender.Build(t.Context(), call, nonce)
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Broadcast(t.Context(), tx.Raw); err != nil {
		t.Fatal(err)
	}
}

// An API that falsely shows a task as funded is not trusted.
func TestCreateTaskFalselyReportedFunded(t *testing.T) {
	w := newWorld(t)
	other, _ := w.created(t, "another")
	w.api.lie = func(path string, answer object) {
		if strings.HasPrefix(path, "/tasks/") && answer["title"] == "not funded" {
			answer["status"], answer["fundable"] = "funded", false
			answer["escrow_task_id"], answer["escrow_creation_tx_hash"] = *other.EscrowTaskID, *other.EscrowCreationTxHash
		}
	}
	if _, err := w.client(t).CreateTask(t.Context(), request("not funded")); !errors.Is(err, client.ErrOtherCall) {
		t.Errorf("got error %v", err)
	}
}

// A client must not pay if the API's record differs from the request.
func TestCreateTaskRejectsOtherRecord(t *testing.T) {
	limit := uint16(chaintest.FeeBasisPoints - 1)
	other := common.HexToAddress("0x00000000000000000000000000000000000000aa").Hex()
	in := func(path string, change func(object)) func(string, object) {
		return func(p string, answer object) {
			if strings.HasPrefix(p, path) {
				change(answer)
			}
		}
	}
	tests := map[string]struct {
		lie    func(path string, answer object)
		change func(*client.TaskRequest)
		want   error
	}{
		"amount":                             {lie: in("/tasks", func(o object) { o["escrow_amount"] = "1000000000000000001" }), want: client.ErrOtherTerms},
		"terms":                              {lie: in("/tasks", func(o object) { o["terms_hash"] = common.Hash{1}.Hex() }), want: client.ErrOtherTerms},
		"fee":                                {lie: in("/tasks", func(o object) { o["fee_basis_points"] = 501 }), want: client.ErrOtherTerms},
		"id":                                 {lie: in("/tasks", func(o object) { o["id"] = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80" }), want: client.ErrOtherTerms},
		"chain of the task":                  {lie: in("/tasks", func(o object) { o["chain_id"] = 1 }), want: client.ErrOtherContracts},
		"escrow of the task":                 {lie: in("/tasks", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"escrow":                             {lie: in("/config", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"token":                              {lie: in("/config", func(o object) { o["token"] = object{"address": other} }), want: client.ErrOtherContracts},
		"token of another market":            {lie: in("/config", func(o object) { o["token"] = object{"address": o["treasury_address"]} }), want: client.ErrOtherContracts},
		"staking contract of another market": {lie: in("/config", func(o object) { o["application_staking_address"] = o["treasury_address"] }), want: client.ErrOtherContracts},
		"treasury of another market":         {lie: in("/config", func(o object) { o["treasury_address"] = o["escrow_address"] }), want: client.ErrOtherContracts},
		"chain":                              {lie: in("/config", func(o object) { o["chain_id"] = 8453 }), want: client.ErrOtherContracts},
		"a fee above the limit":              {lie: func(string, object) {}, change: func(r *client.TaskRequest) { r.MaxFeeBasisPoints = &limit }},
	}
	w := newWorld(t)
	before := w.nonce(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w.api.lie = test.lie
			task := request(name)
			if test.change != nil {
				test.change(&task)
			}
			_, err := w.client(t).CreateTask(t.Context(), task)
			if err == nil || (test.want != nil && !errors.Is(err, test.want)) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if w.nonce(t) != before {
				t.Error("a transaction was sent")
			}
		})
	}
}

// An API cannot substitute other contracts for the pinned ones, even if its contracts are consistent
// with each other.
func TestPinnedContracts(t *testing.T) {
	w := newWorld(t)
	pinned := w.Deployment
	if _, err := w.client(t, func(o *client.Options) { o.Contracts = &pinned }).CreateTask(t.Context(), request("pinned")); err != nil {
		t.Errorf("the right contracts: %v", err)
	}
	other := w.Deployment
	other.Escrow = common.HexToAddress("0xaa")
	_, err := w.client(t, func(o *client.Options) { o.Contracts = &other }).CreateTask(t.Context(), request("other"))
	if !errors.Is(err, client.ErrOtherContracts) {
		t.Errorf("got error %v", err)
	}
}
