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
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// killer stops the client at the n-th thing it does outside itself: a request
// to the API, a call of the node, or a change of the journal. Before the thing
// has its effect or, which looks the same from inside, after.
type killer struct {
	mu    sync.Mutex
	at    int
	after bool
	kill  context.CancelFunc
	count int
	dead  bool
	done  []string // what was done, to name the case
}

var errKilled = errors.New("killed")

// step does one thing, unless this is the end.
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

// journal is a FlowStore that can be killed.
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

// killed runs CreateTask until it is killed and reports whether it was.
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

// However early or late a program dies, asking again gives the same task and
// pays once.
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
			t.Errorf("killed at %d steps only", steps)
		}
	}
}

// finish asks for the task again and checks that it was recorded and paid once.
func (w *world) finish(t *testing.T, task client.TaskRequest, when string) {
	t.Helper()
	c := w.client(t)
	got, err := c.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatalf("killed at %s: asking again: %v", when, err)
	}
	w.paidOnce(t, got, task, when)
	again, err := c.CreateTask(t.Context(), task)
	if err != nil || again.ID != got.ID {
		t.Errorf("killed at %s: a third time: task %s, error %v", when, again.ID, err)
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
		t.Errorf("another task under the same key: error %v", err)
	}
	other, err := create(func(r *client.TaskRequest) { r.Key = "another" })
	if err != nil || other.ID == first.ID {
		t.Errorf("another key: task %s, error %v", other.ID, err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
}

// Without a key the contents are the task's name until the result has reached
// whoever asked for it.
func TestCreateTaskIsKeptUntilItIsDelivered(t *testing.T) {
	w := newWorld(t)
	create := func() client.Task {
		t.Helper()
		task, err := w.client(t).CreateTask(t.Context(), unnamed("delivered"))
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	first := create()
	if again := create(); again.ID != first.ID || len(w.posted(t)) != 1 {
		t.Errorf("got task %s after %s, paid %d times", again.ID, first.ID, len(w.posted(t)))
	}
	named, err := w.client(t).CreateTask(t.Context(), request("delivered"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []uuid.UUID{uuid.New(), named.ID, first.ID, first.ID} {
		if err := w.client(t).Delivered(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if other := create(); other.ID == first.ID || len(w.posted(t)) != 3 {
		t.Errorf("after it was delivered: task %s, paid %d times", other.ID, len(w.posted(t)))
	}
	if again, err := w.client(t).CreateTask(t.Context(), request("delivered")); err != nil || again.ID != named.ID {
		t.Errorf("a key of the caller's names task %s, error %v", again.ID, err)
	}
}

// absent is a wallet whose key is elsewhere.
type absent struct{ chain.Signer }

var errAbsent = errors.New("the key is elsewhere")

func (absent) SignTypedData(context.Context, apitypes.TypedData) ([]byte, error) {
	return nil, errAbsent
}

// A posting was prepared for a wallet elsewhere, which sent it. The key comes
// back before the API has seen the payment, or an API that lies never sees it:
// the same request does not pay again.
func TestCreateTaskThatIsPaidForElsewhere(t *testing.T) {
	for name, lie := range map[string]func(string, object){
		"the API lags": func(string, object) {},
		"the API lies": func(path string, answer object) {
			if strings.HasPrefix(path, "/tasks/") && answer["status"] == "new" {
				answer["fundable"], answer["created_at"] = false, time.Now().Add(time.Hour).Format(time.RFC3339)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			task := unnamed(name)
			prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
			if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
				t.Fatalf("got error %v", err)
			}
			plan, err := prepared.PlanCreateTask(t.Context(), task)
			if err != nil || plan.TermsHash == nil {
				t.Fatalf("got plan %+v, error %v", plan, err)
			}
			no := errors.New("no")
			decline := func(o *client.Options) { o.Review = func(context.Context, client.Plan) error { return no } }
			if _, err := w.client(t, decline).CreateTask(t.Context(), task); !errors.Is(err, no) {
				t.Errorf("got error %v", err)
			}
			w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
			w.api.lie = lie
			w.waiting(t, w.Contracts.PostTask(task.Amount, chaintest.FeeBasisPoints, *plan.TermsHash))
			silent := func(o *client.Options) { o.Signer = mute{w.Agent, t} }
			impatient := func(o *client.Options) { o.MineTimeout = 300 * time.Millisecond }
			if _, err := w.client(t, silent, impatient).CreateTask(t.Context(), task); !errors.Is(err, client.ErrNotMined) {
				t.Errorf("while it is waiting: error %v", err)
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

// What another wallet paid for is confirmed without another plan: the wallet may
// have nothing left.
func TestConfirmCreation(t *testing.T) {
	w := newWorld(t)
	task := unnamed("confirmed")
	if _, err := w.client(t).ConfirmCreation(t.Context(), task, common.Hash{1}); !errors.Is(err, client.ErrEnded) {
		t.Errorf("before it was prepared: error %v", err)
	}
	prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
	if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
		t.Fatalf("got error %v", err)
	}
	plan, err := prepared.PlanCreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := w.created(t, "another")
	w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
	sent := w.Send(t, w.Agent, w.Contracts.PostTask(task.Amount, chaintest.FeeBasisPoints, *plan.TermsHash))
	left, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), left))
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.ConfirmCreation(t.Context(), task, common.HexToHash(*other.EscrowCreationTxHash)); err == nil {
		t.Error("confirmed by the payment of another task")
	}
	got, err := silent.ConfirmCreation(t.Context(), task, sent.TxHash)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "confirmed")
	again, err := silent.CreateTask(t.Context(), task)
	if err != nil || again.ID != got.ID {
		t.Errorf("asked for again: task %s, error %v", again.ID, err)
	}
}

// waiting sends the agent's call and stops the chain before a block has it.
func (w *world) waiting(t *testing.T, call chain.Call) {
	t.Helper()
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	sender := chain.NewSender(w.Node, w.Agent)
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

// An API that says that the task is paid for, when it is not, is not believed.
func TestCreateTaskThatTheAPIOnlySaysIsFunded(t *testing.T) {
	w := newWorld(t)
	other, _ := w.created(t, "another")
	w.api.lie = func(path string, answer object) {
		if strings.HasPrefix(path, "/tasks/") && answer["title"] == "not funded" {
			answer["status"], answer["fundable"] = "funded", false
			answer["escrow_task_id"], answer["escrow_creation_tx_hash"] = *other.EscrowTaskID, *other.EscrowCreationTxHash
		}
	}
	if _, err := w.client(t).CreateTask(t.Context(), unnamed("not funded")); !errors.Is(err, client.ErrOtherCall) {
		t.Errorf("got error %v", err)
	}
}

func TestCreateTaskAtTheSameTime(t *testing.T) {
	w := newWorld(t)
	ids := make([]string, 6)
	shared := w.client(t)
	var wait sync.WaitGroup
	for i := range ids {
		c := shared
		if i%2 == 1 {
			c = w.client(t) // as another process would
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

func TestCreateTaskSaysWhyTheContractRefuses(t *testing.T) {
	w := newWorld(t)
	task := request("rich")
	task.Amount = chaintest.Tokens(5_000_000)
	_, err := w.client(t).CreateTask(t.Context(), task)
	refused, ok := errors.AsType[*chain.RevertError](err)
	if !ok || refused.Name != "ERC20InsufficientBalance" {
		t.Errorf("got error %v", err)
	}
}

// A client must not pay for what an API that lies has made of the request.
func TestCreateTaskBelievesNoLie(t *testing.T) {
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
		"amount":                {lie: in("/tasks", func(o object) { o["escrow_amount"] = "1000000000000000001" }), want: client.ErrOtherTerms},
		"terms":                 {lie: in("/tasks", func(o object) { o["terms_hash"] = common.Hash{1}.Hex() }), want: client.ErrOtherTerms},
		"fee":                   {lie: in("/tasks", func(o object) { o["fee_basis_points"] = 501 }), want: client.ErrOtherTerms},
		"id":                    {lie: in("/tasks", func(o object) { o["id"] = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80" }), want: client.ErrOtherTerms},
		"chain of the task":     {lie: in("/tasks", func(o object) { o["chain_id"] = 1 }), want: client.ErrOtherContracts},
		"escrow of the task":    {lie: in("/tasks", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"escrow":                {lie: in("/config", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"token":                 {lie: in("/config", func(o object) { o["token"] = object{"address": other} }), want: client.ErrOtherContracts},
		"token, another's":      {lie: in("/config", func(o object) { o["token"] = object{"address": o["treasury_address"]} }), want: client.ErrOtherContracts},
		"staking, another's":    {lie: in("/config", func(o object) { o["application_staking_address"] = o["treasury_address"] }), want: client.ErrOtherContracts},
		"treasury, another's":   {lie: in("/config", func(o object) { o["treasury_address"] = o["escrow_address"] }), want: client.ErrOtherContracts},
		"chain":                 {lie: in("/config", func(o object) { o["chain_id"] = 8453 }), want: client.ErrOtherContracts},
		"a fee above our limit": {lie: func(string, object) {}, change: func(r *client.TaskRequest) { r.MaxFeeBasisPoints = &limit }},
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
				t.Error("something was sent")
			}
		})
	}
}

// Whoever pins the contracts cannot be led to others, even to ones that fit
// together.
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
