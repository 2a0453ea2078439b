package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// unsent keeps the wallet's transactions from the node: each is signed, saved,
// and then the program dies.
func (w *world) unsent(t *testing.T, do func(*client.Client) error) {
	t.Helper()
	flows := &saved{FlowStore: w.options.Flows, fail: func(flow *client.Flow) error {
		if len(flow.Transactions) > 0 {
			return errKilled
		}
		return nil
	}}
	if err := do(w.client(t, func(o *client.Options) { o.Flows = flows })); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
}

// scene is a task with an applicant, and what can be done about it.
type scene struct {
	task        client.Task
	id, stake   uint64
	application uuid.UUID
}

func (w *world) scene(t *testing.T, title string, steps int) scene {
	t.Helper()
	var s scene
	s.task, s.id = w.created(t, title)
	s.application, s.stake = w.applied(t, s.id)
	if steps > 0 {
		w.Accept(t, w.Agent, s.id, s.stake)
	}
	if steps > 1 {
		w.submitted(t, s.task, s.id)
	}
	return s
}

// decided has the API show what became of the application.
func (w *world) decided(application uuid.UUID, status string) {
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	for _, a := range w.api.apps {
		if a["id"] == application.String() {
			a["status"] = status
		}
	}
}

// act is one of the actions of the library on a scene.
type act struct {
	name  market.Action
	steps int // that the task has gone before
	do    func(context.Context, *client.Client, scene) error
}

func acts() []act {
	return []act{
		{market.ActionAccept, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.AcceptApplication(ctx, s.task.ID, s.application)
			return err
		}},
		{market.ActionReject, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.RejectApplication(ctx, s.task.ID, s.application, "No photos of yours.")
			return err
		}},
		{market.ActionCancel, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Cancel(ctx, s.task.ID)
			return err
		}},
		{market.ActionApprove, 2, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Approve(ctx, s.task.ID)
			return err
		}},
		{market.ActionDispute, 2, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Dispute(ctx, s.task.ID, "No photo shows the harbour.")
			return err
		}},
	}
}

// What was signed and never sent is listed, and goes on: the same transaction,
// without another review.
func TestActionsResume(t *testing.T) {
	w := newWorld(t)
	noReview := func(o *client.Options) {
		o.Signer = mute{w.Agent, t}
		o.Review = func(context.Context, client.Plan) error { return errors.New("it was reviewed again") }
	}
	for _, a := range acts() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			before := w.nonce(t)
			w.unsent(t, func(c *client.Client) error { return a.do(t.Context(), c, s) })
			if w.nonce(t) != before {
				t.Fatal("it was sent before it was written down")
			}
			c := w.client(t, noReview)
			flows, err := c.Unfinished(t.Context())
			if err != nil || len(flows) != 1 || flows[0].Action != a.name || len(flows[0].Transactions) != 1 {
				t.Fatalf("got flows %+v, error %v", flows, err)
			}
			if _, err := c.Resume(t.Context(), flows[0]); err != nil {
				t.Fatal(err)
			}
			if w.nonce(t) != before+1 {
				t.Errorf("%d transactions were sent", w.nonce(t)-before)
			}
			if left, err := c.Unfinished(t.Context()); err != nil || len(left) != 0 {
				t.Errorf("left %+v, error %v", left, err)
			}
			if _, err := c.Resume(t.Context(), flows[0]); !errors.Is(err, client.ErrEnded) || w.nonce(t) != before+1 {
				t.Errorf("resumed what is gone: error %v, %d transactions", err, w.nonce(t)-before)
			}
		})
	}
}

// The task moved on between signing and sending: nothing is sent, and the
// journal keeps what was signed until it can never be mined.
func TestActionsThatTheTaskDoesNotAllowAnyMore(t *testing.T) {
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
	for _, a := range acts() {
		move, ok := moves[a.name]
		if !ok {
			continue // the human can do nothing against an approval
		}
		t.Run(string(a.name), func(t *testing.T) {
			steps := a.steps
			if a.name == market.ActionCancel {
				steps = 1
			}
			s := w.scene(t, string(a.name), steps)
			w.unsent(t, func(c *client.Client) error { return a.do(t.Context(), c, s) })
			move(s)
			w.api.lie = saysDone // which is not true
			defer func() { w.api.lie = func(string, object) {} }()
			before := w.nonce(t)
			c := w.client(t)
			err := a.do(t.Context(), c, s)
			if !errors.Is(err, client.ErrMovedOn) {
				t.Errorf("got error %v", err)
			}
			if refused, ok := errors.AsType[*chain.RevertError](err); !ok || refused.Name == "" {
				t.Errorf("%v does not say what the contract does", err)
			}
			if flows, err := c.Unfinished(t.Context()); w.nonce(t) != before || err != nil || len(flows) != 1 {
				t.Errorf("sent %d transactions, left %+v, error %v", w.nonce(t)-before, flows, err)
			}
			w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), common.Big1))
			w.Mine(t, 3)
			if err := a.do(t.Context(), c, s); !errors.Is(err, client.ErrMovedOn) {
				t.Errorf("once its nonce is taken: error %v", err)
			}
			if flows, err := c.Unfinished(t.Context()); w.nonce(t) != before+1 || err != nil || len(flows) != 0 {
				t.Errorf("once its nonce is taken: sent %d transactions, left %+v, error %v", w.nonce(t)-before, flows, err)
			}
		})
	}
}

// saysDone has the API say of every call that it is done already.
func saysDone(_ string, answer object) {
	if answer["simulated"] == true {
		answer["already_done"] = true
	}
}

// Only the chain says that an action is done. An API that says so, so that
// nothing is sent, is found out; and it cannot spare itself the caller's review.
func TestActionsThatTheAPIOnlySaysAreDone(t *testing.T) {
	w := newWorld(t)
	for _, a := range acts() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			w.api.lie = saysDone
			defer func() { w.api.lie = func(string, object) {} }()
			before := w.nonce(t)
			impatient := w.client(t, func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond })
			if err := a.do(t.Context(), impatient, s); !errors.Is(err, client.ErrOtherCall) || !strings.Contains(err.Error(), "done already") {
				t.Errorf("got error %v", err)
			}
			no := errors.New("no")
			asked := w.client(t, func(o *client.Options) {
				o.MineTimeout, o.Review = 200*time.Millisecond, func(context.Context, client.Plan) error { return no }
			})
			if err := a.do(t.Context(), asked, s); err == nil {
				t.Error("it succeeded without a review")
			}
			if w.nonce(t) != before {
				t.Error("something was sent")
			}
		})
	}
}

// The API shows the action because another program of the agent's did it.
func TestActionThatAnotherProgramDid(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "twice", 2)
	w.unsent(t, func(c *client.Client) error {
		_, err := c.Approve(t.Context(), s.task.ID)
		return err
	})
	// Another nonce: with the same one it would be the very same transaction.
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), common.Big1))
	w.Approve(t, w.Agent, s.id)
	before := w.nonce(t)
	got, err := w.client(t).Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash != nil || w.nonce(t) != before {
		t.Errorf("got transaction %v, error %v, %d sent", got.TxHash, err, w.nonce(t)-before)
	}
}

// The wallet was used elsewhere with the nonce of a call that waits. Until that
// is final no other nonce is taken; then the call is forgotten, and may be asked
// for anew.
func TestActionWhoseNonceIsTaken(t *testing.T) {
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
	if err := approve(impatient); !errors.Is(err, client.ErrNotMined) || !strings.Contains(err.Error(), "has its nonce") {
		t.Errorf("before it is final: error %v", err)
	}
	w.Mine(t, 3)
	if err := approve(impatient); err == nil || !strings.Contains(err.Error(), "ask again to send another") || w.nonce(t) != before {
		t.Errorf("after it is final: error %v", err)
	}
	if err := approve(w.client(t)); err != nil || w.nonce(t) != before+1 || !w.held(t, s.id).AgentApproved {
		t.Errorf("asked again: error %v, %d transactions", err, w.nonce(t)-before)
	}
}

// One acceptance is signed; another applicant must wait until it is clear what
// became of that.
func TestOneAcceptanceAtATime(t *testing.T) {
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

func (s scene) secondApplication(t *testing.T, w *world) uuid.UUID {
	t.Helper()
	stake, _ := w.Apply(t, w.OtherHuman, s.id, chaintest.Tokens(1))
	other := uuid.New()
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	w.api.apps = append(w.api.apps, object{
		"id": other.String(), "status": "pending", "human_wallet_address": w.OtherHuman.Address().Hex(),
		"onchain_application_id": fmt.Sprint(stake),
	})
	return other
}

// The journal is lost between payment and confirmation: the same request with
// the same key finds its record by the key and its payment on the chain.
func TestPaymentFoundWithoutAJournal(t *testing.T) {
	w := newWorld(t)
	task := request("found")
	w.api.refuseConfirm = []market.Kind{market.KindTxMismatch}
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil {
		t.Fatal("it was confirmed")
	}
	w.Mine(t, 5)
	lost := func(o *client.Options) { o.Flows = client.FileFlows(t.TempDir()) }
	found, err := w.client(t, lost).FindPaid(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("found %+v, error %v", found, err)
	}
	silent := w.client(t, lost, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	got, err := silent.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "found")
	again, err := silent.Resume(t.Context(), found[0])
	if err != nil || again.Task.ID != got.ID {
		t.Errorf("resumed task %s, error %v", again.Task.ID, err)
	}
}

// renamed puts the only flow of a journal where programs before this one kept it:
// under the caller's key alone, beside what is left of it.
func (w *world) renamed(t *testing.T, key string, left func(*client.Flow) bool) {
	t.Helper()
	flows, err := w.options.Flows.List(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	beside := flows[0]
	if left(&beside) {
		err = w.options.Flows.Save(t.Context(), &beside)
	} else {
		err = w.options.Flows.Remove(t.Context(), flows[0].Key)
	}
	if err != nil {
		t.Fatal(err)
	}
	flows[0].Key = key
	if err := w.options.Flows.Save(t.Context(), &flows[0]); err != nil {
		t.Fatal(err)
	}
}

// A payment was signed and not sent when the program was replaced by this one,
// which names journals otherwise: it goes on, whichever way it is asked for, and is
// paid once.
func TestPaymentsOfAnOlderProgramGoOn(t *testing.T) {
	w := newWorld(t)
	create := func(c *client.Client, task client.TaskRequest) (client.Task, error) {
		return c.CreateTask(t.Context(), task)
	}
	resume := func(c *client.Client, _ client.TaskRequest) (client.Task, error) {
		flows, err := c.Unfinished(t.Context())
		if err != nil || len(flows) != 1 {
			return client.Task{}, fmt.Errorf("got flows %+v, error %w", flows, err)
		}
		got, err := c.Resume(t.Context(), flows[0])
		return got.Task, err
	}
	for name, c := range map[string]struct {
		again func(*client.Client, client.TaskRequest) (client.Task, error)
		left  func(*client.Flow) bool
	}{
		"asked for again":       {create, func(*client.Flow) bool { return false }},
		"resumed":               {resume, func(*client.Flow) bool { return false }},
		"begun anew since":      {create, func(f *client.Flow) bool { f.Transactions = nil; return true }},
		"killed while it moved": {create, func(*client.Flow) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			w.options.Flows = client.FileFlows(t.TempDir())
			task := request(name)
			w.unsent(t, func(c *client.Client) error { _, err := c.CreateTask(t.Context(), task); return err })
			w.renamed(t, task.Key, c.left)
			silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
			if plan, err := silent.PlanCreateTask(t.Context(), task); err != nil || !plan.Resumes {
				t.Errorf("got plan %+v, error %v", plan, err)
			}
			got, err := c.again(silent, task)
			if err != nil {
				t.Fatal(err)
			}
			w.paidOnce(t, got, task, name)
			w.finish(t, task, name)
			if flows, err := silent.Unfinished(t.Context()); err != nil || len(flows) != 0 {
				t.Errorf("left %+v, error %v", flows, err)
			}
		})
	}
}

// Somebody else posts the agent's terms with the least amount: that is no
// payment for the task.
func TestPaymentOfAnotherIsNotOurs(t *testing.T) {
	w := newWorld(t)
	task := request("forged")
	no := errors.New("no")
	decline := func(o *client.Options) {
		o.Review = func(_ context.Context, p client.Plan) error {
			w.Send(t, w.OtherAgent, w.Contracts.ApproveToken(w.Deployment.Escrow, chaintest.Tokens(1)))                //nolint:contextcheck // it ends with the test
			w.Send(t, w.OtherAgent, w.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, *p.TermsHash)) //nolint:contextcheck // it ends with the test
			return no
		}
	}
	if _, err := w.client(t, decline).CreateTask(t.Context(), task); !errors.Is(err, no) {
		t.Fatalf("got error %v", err)
	}
	before := w.nonce(t)
	if _, err := w.client(t).CreateTask(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	if w.nonce(t) != before+1 {
		t.Errorf("sent %d transactions", w.nonce(t)-before)
	}
}

// A payment waits in the journal and was never sent. The next command of the
// wallet, in another process, sends it first and pays after it.
func TestWalletIsSharedByCommands(t *testing.T) {
	w := newWorld(t)
	first, second := request("left behind"), request("the next")
	w.unsent(t, func(c *client.Client) error {
		_, err := c.CreateTask(t.Context(), first)
		return err
	})
	if _, err := w.client(t).CreateTask(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
	before := w.nonce(t)
	w.finish(t, first, "left behind")
	if w.nonce(t) != before {
		t.Error("it was paid again")
	}
}

// unnamed is a task without a key of its own: nothing is kept of it once it is delivered.
func unnamed(title string) client.TaskRequest {
	task := request(title)
	task.Key = ""
	return task
}

// Another program has finished what is to be gone on with: it is not paid a
// second time.
func TestResumeOfWhatIsFinished(t *testing.T) {
	w := newWorld(t)
	w.signedOnly(t, unnamed("finished"))
	c := w.client(t)
	flows, err := c.Unfinished(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	agreed, err := c.PlanCreateTask(t.Context(), unnamed("finished"))
	if err != nil || !agreed.Resumes {
		t.Fatalf("got plan %+v, error %v", agreed, err)
	}
	finished, err := w.client(t).Resume(t.Context(), flows[0])
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Resume(t.Context(), flows[0]); err != nil || again.Task.ID != finished.Task.ID {
		t.Errorf("before it is delivered: task %s, error %v", again.Task.ID, err)
	}
	if err := c.Delivered(t.Context(), finished.Task.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Resume(t.Context(), flows[0]); !errors.Is(err, client.ErrEnded) || len(w.posted(t)) != 1 {
		t.Errorf("resumed again: error %v, paid %d times", err, len(w.posted(t)))
	}
	second := w.client(t, func(o *client.Options) {
		o.Signer = mute{w.Agent, t}
		o.Review = func(_ context.Context, p client.Plan) error { return agreed.Covers(p) }
	})
	if _, err := second.CreateTask(t.Context(), unnamed("finished")); !errors.Is(err, client.ErrOtherPlan) || len(w.posted(t)) != 1 {
		t.Errorf("created as it was agreed to go on: error %v, paid %d times", err, len(w.posted(t)))
	}
}

// Two programs are asked for the same. While the second one shows its plan, which is
// for the first one's record, the first one finishes: nothing is paid again.
func TestPlanOfWhatAnotherProgramFinishes(t *testing.T) {
	w := newWorld(t)
	task := unnamed("side by side")
	flows := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if f.TaskID != nil {
			return errKilled
		}
		return nil
	}}
	if _, err := w.client(t, func(o *client.Options) { o.Flows = flows }).CreateTask(t.Context(), task); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
	agreed, err := w.client(t).PlanCreateTask(t.Context(), task)
	if err != nil || agreed.Resumes || agreed.TaskID == nil {
		t.Fatalf("got plan %+v, error %v", agreed, err)
	}
	first, err := w.client(t).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.client(t).Delivered(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second := w.client(t, func(o *client.Options) {
		o.Signer = mute{w.Agent, t}
		o.Review = func(_ context.Context, p client.Plan) error { return agreed.Covers(p) }
	})
	if _, err := second.CreateTask(t.Context(), task); !errors.Is(err, client.ErrOtherPlan) || len(w.posted(t)) != 1 {
		t.Errorf("error %v, paid %d times", err, len(w.posted(t)))
	}
}

// A caller's key is no name of a lock, nor of another flow.
func TestKeysAreApartFromOtherNames(t *testing.T) {
	w := newWorld(t)
	left := w.signedOnly(t, unnamed("a name"))
	for _, key := range []string{client.NonceLock(w.Agent.Address(), w.Deployment.ChainID), left.Key} {
		task := request("any")
		task.Key = key
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if _, err := w.client(t).CreateTask(ctx, task); err != nil {
			t.Errorf("key %q: %v", key, err)
		}
		cancel()
	}
}

// waiting tells when somebody waits for a lock that is held.
type waiting struct {
	client.FlowStore
	key string
	now chan struct{}
}

func (f waiting) Lock(ctx context.Context, key string) (func(), error) {
	if key == f.key {
		close(f.now)
	}
	return f.FlowStore.Lock(ctx, key)
}

// The same command waits while another program finishes the creation.
func TestCreationThatIsFinishedWhileItIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	flow := w.signedOnly(t, unnamed("waited for"))
	unlock, err := w.options.Flows.Lock(t.Context(), flow.Key)
	if err != nil {
		t.Fatal(err)
	}
	now, done := make(chan struct{}), make(chan error, 1)
	second := w.client(t, func(o *client.Options) {
		o.Signer, o.Flows = mute{w.Agent, t}, waiting{w.options.Flows, flow.Key, now}
	})
	go func() {
		_, err := second.CreateTask(t.Context(), unnamed("waited for"))
		done <- err
	}()
	<-now
	if err := w.options.Flows.Remove(t.Context(), flow.Key); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-done; !errors.Is(err, client.ErrEnded) {
		t.Errorf("got error %v", err)
	}
}

// A transaction that pays what the chain asks and is not mined all the same is
// replaced after a time, up to the limit.
func TestStuckTransactionPaysMore(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "stuck", 2)
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	plan, err := w.client(t).PlanApprove(t.Context(), s.task.ID)
	if err != nil {
		t.Fatal(err)
	}
	limit := new(big.Int).Quo(new(big.Int).Mul(plan.Transaction.MaxFee, big.NewInt(3)), big.NewInt(2)) // three steps of 12.5 % fit
	_, err = w.client(t, func(o *client.Options) {
		o.Flows, o.ReplaceAfter, o.MineTimeout, o.MaxFeePerGas = flows, 10*time.Millisecond, 9*time.Second, limit
	}).Approve(t.Context(), s.task.ID)
	if !errors.Is(err, client.ErrNotMined) {
		t.Fatalf("got error %v", err)
	}
	w.wantRaised(t, flows.last.Transactions, limit)
	before := w.nonce(t)
	w.Mine(t, 1)
	got, err := w.client(t).Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash == nil || w.nonce(t) != before {
		t.Errorf("mined %v, error %v, %d more transactions", got.TxHash, err, w.nonce(t)-before)
	}
}

// wantRaised fails unless each transaction pays an eighth more than the one
// before, for the same nonce, and none more than the limit.
func (w *world) wantRaised(t *testing.T, raw []hexutil.Bytes, limit *big.Int) {
	t.Helper()
	if len(raw) < 3 {
		t.Errorf("%d transactions were signed", len(raw))
	}
	var last *types.Transaction
	for _, r := range raw {
		tx := new(types.Transaction)
		if err := tx.UnmarshalBinary(r); err != nil {
			t.Fatal(err)
		}
		if tx.GasFeeCap().Cmp(limit) > 0 {
			t.Errorf("it pays %s, the limit is %s", tx.GasFeeCap(), limit)
		}
		if last != nil {
			least := new(big.Int).Quo(new(big.Int).Mul(last.GasFeeCap(), big.NewInt(9)), big.NewInt(8))
			if tx.Nonce() != last.Nonce() || tx.GasFeeCap().Cmp(least) < 0 {
				t.Errorf("nonce %d pays %s after nonce %d paid %s", tx.Nonce(), tx.GasFeeCap(), last.Nonce(), last.GasFeeCap())
			}
		}
		last = tx
	}
}

// Programs that act for one wallet at the same time never choose the same nonce,
// of a transaction or of a permit, however long a block takes.
func TestWalletIsSharedInParallel(t *testing.T) {
	w := newWorld(t)
	const programs = 4
	var tasks [programs]client.Task
	for i := range tasks {
		tasks[i], _ = w.created(t, fmt.Sprint("shared ", i))
	}
	before := w.nonce(t)
	defer w.mineSlowly(t)()
	var wait sync.WaitGroup
	for i, task := range tasks {
		c := w.client(t, func(o *client.Options) { o.MineTimeout = 10 * time.Second })
		wait.Go(func() {
			if _, err := c.Cancel(t.Context(), task.ID); err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() {
			if _, err := c.CreateTask(t.Context(), request(fmt.Sprint("another ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if sent := w.nonce(t) - before; sent != 2*programs {
		t.Errorf("%d transactions were sent", sent)
	}
}

// mineSlowly makes a block every moment instead of one for each transaction,
// until it is told to end.
func (w *world) mineSlowly(t *testing.T) (end func()) {
	t.Helper()
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			if err := w.Dev.Mine(ctx, 1); err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
