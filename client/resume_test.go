package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	"taskmarket/client"
	"taskmarket/market"
)

// A transaction that was signed but never sent is listed by Unfinished and can be resumed without
// another signature.
func TestActionsResume(t *testing.T) {
	w := newWorld(t)
	silent := func(o *client.Options) { o.Signer = mute{w.Agent, t} }
	for _, a := range actionCases() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			before := w.nonce(t)
			w.unsent(t, func(c *client.Client) error { return a.do(t.Context(), c, s) })
			if w.nonce(t) != before {
				t.Fatal("the transaction was sent before it was saved")
			}
			c := w.client(t, silent)
			flows, err := c.Unfinished(t.Context())
			if err != nil || len(flows) != 1 || flows[0].Action != a.name || len(flows[0].Transactions) != 1 {
				t.Fatalf("got flows %+v, error %v", flows, err)
			}
			if _, err := c.Resume(t.Context(), flows[0].Key); err != nil {
				t.Fatal(err)
			}
			if w.nonce(t) != before+1 {
				t.Errorf("%d transactions were sent", w.nonce(t)-before)
			}
			if left, err := c.Unfinished(t.Context()); err != nil || len(left) != 0 {
				t.Errorf("left %+v, error %v", left, err)
			}
			if _, err := c.Resume(t.Context(), flows[0].Key); !errors.Is(err, client.ErrEnded) || w.nonce(t) != before+1 {
				t.Errorf("resumed a finished flow: error %v, %d transactions", err, w.nonce(t)-before)
			}
		})
	}
}

// Options.Allow is called before a transaction that was signed earlier is sent again. Its plan
// contains the released amount. If it returns an error, nothing is sent and the flow stays.
func TestAllowResumes(t *testing.T) {
	w := newWorld(t)
	no := errors.New("no")
	stake := new(big.Int).Div(request("").Amount, big.NewInt(20))
	for _, a := range actionCases() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			w.unsent(t, func(c *client.Client) error { return a.do(t.Context(), c, s) })
			w.wantRefused(t, func(c *client.Client) error { return a.do(t.Context(), c, s) }, func(p client.Plan) error {
				want := map[market.Action]*big.Int{
					market.ActionAccept: request("").Amount, market.ActionApprove: request("").Amount, market.ActionReject: stake,
				}[a.name]
				if !p.Resumes || p.Action != a.name || p.EscrowTaskID == nil || *p.EscrowTaskID != s.id || cmpOrNil(p.Releases, want) != 0 {
					t.Errorf("Allow received %+v, want a release of %v", p, want)
				}
				return no
			}, no)
		})
	}
	t.Run("task creation", func(t *testing.T) {
		w.signedOnly(t, request("refused"))
		w.wantRefused(t, func(c *client.Client) error {
			_, err := c.CreateTask(t.Context(), request("refused"))
			return err
		}, func(p client.Plan) error {
			if !p.Resumes || p.Action != market.ActionFund || cmpOrNil(p.Spends, request("refused").Amount) != 0 || p.ID == "" {
				t.Errorf("Allow received %+v", p)
			}
			return no
		}, no)
	})
}

// Options.AllowOther is called before a signed transaction of another action is sent, because a new
// transaction would have to wait for it. If it returns an error, neither of the two is sent.
func TestAllowOther(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "submitted", 2)
	open, _ := w.created(t, "open")
	create := func(title string) func(*client.Client) error {
		return func(c *client.Client) error {
			_, err := c.CreateTask(t.Context(), request(title))
			return err
		}
	}
	amount := request("").Amount
	for _, test := range []struct {
		name             string
		signed, next     func(*client.Client) error
		action           market.Action
		spends, releases *big.Int
	}{
		{"an approval before a payment", func(c *client.Client) error {
			_, err := c.Approve(t.Context(), s.task.ID)
			return err
		}, create("first"), market.ActionApprove, nil, amount},
		{"a payment before a payment", create("second"), create("third"), market.ActionFund, amount, nil},
		{"a payment before a cancellation", create("fourth"), func(c *client.Client) error {
			_, err := c.Cancel(t.Context(), open.ID)
			return err
		}, market.ActionFund, amount, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w.unsent(t, test.signed)
			before := w.nonce(t)
			var answer error
			var asked []client.Plan
			c := w.client(t, func(o *client.Options) {
				o.AllowOther = func(_ context.Context, p client.Plan) error {
					asked = append(asked, p)
					return answer
				}
			})
			answer = errors.New("no")
			if err := test.next(c); !errors.Is(err, answer) || w.nonce(t) != before {
				t.Errorf("refused: error %v, %d transactions", err, w.nonce(t)-before)
			}
			answer = nil
			if err := test.next(c); err != nil || w.nonce(t) != before+2 {
				t.Errorf("allowed: error %v, %d transactions", err, w.nonce(t)-before)
			}
			if len(asked) != 2 {
				t.Errorf("Allow was called %d times", len(asked))
			}
			for _, p := range asked {
				if !p.Resumes || p.Action != test.action || p.TaskID == nil || cmpOrNil(p.Spends, test.spends) != 0 || cmpOrNil(p.Releases, test.releases) != 0 {
					t.Errorf("Allow received %+v", p)
				}
			}
		})
	}
}

// AllowOther is not called for a payment that the node already has, because it is not sent again.
func TestAllowOtherNotForPendingPayment(t *testing.T) {
	w := newWorld(t)
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	impatient := w.client(t, func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond })
	if _, err := impatient.CreateTask(t.Context(), request("pending")); !errors.Is(err, client.ErrNotMined) {
		t.Fatalf("got error %v", err)
	}
	defer w.mineSlowly(t)()
	c := w.client(t, func(o *client.Options) {
		o.AllowOther = func(context.Context, client.Plan) error { return errors.New("no") }
	})
	if _, err := c.CreateTask(t.Context(), request("next")); err != nil || len(w.posted(t)) != 2 {
		t.Errorf("error %v, paid %d times", err, len(w.posted(t)))
	}
}

// wantRefused repeats an action while Options.Allow returns an error. Nothing must be sent, and
// the flow must stay in the journal.
func (w *world) wantRefused(t *testing.T, do func(*client.Client) error, refuse func(client.Plan) error, no error) {
	t.Helper()
	before, flowsBefore := w.nonce(t), w.unfinished(t)
	asked := 0
	c := w.client(t, func(o *client.Options) {
		o.Allow = func(_ context.Context, p client.Plan) error { asked++; return refuse(p) }
	})
	if err := do(c); !errors.Is(err, no) || asked != 1 {
		t.Errorf("Allow was called %d times, error %v", asked, err)
	}
	if after := w.unfinished(t); w.nonce(t) != before || after != flowsBefore || after == 0 {
		t.Errorf("sent %d transactions, left %d flows of %d", w.nonce(t)-before, after, flowsBefore)
	}
}

func (w *world) unfinished(t *testing.T) int {
	t.Helper()
	flows, err := w.client(t).Unfinished(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(flows)
}

// cmpOrNil compares two amounts; nil is equal only to nil.
func cmpOrNil(a, b *big.Int) int {
	if a == nil || b == nil {
		if a == b {
			return 0
		}
		return 1
	}
	return a.Cmp(b)
}

// If another program has already finished the flow to resume, the task is not paid for again.
func TestResumeFinishedFlow(t *testing.T) {
	w := newWorld(t)
	w.signedOnly(t, request("finished"))
	c := w.client(t)
	flows, err := c.Unfinished(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	agreed, err := c.Plan(t.Context(), client.Fund(request("finished")))
	if err != nil || !agreed.Resumes {
		t.Fatalf("got plan %+v, error %v", agreed, err)
	}
	finished, err := w.client(t).Resume(t.Context(), flows[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Resume(t.Context(), flows[0].Key); err != nil || again.Task.ID != finished.Task.ID {
		t.Errorf("resumed again: task %s, error %v", again.Task.ID, err)
	}
	if err := c.Forget(t.Context(), flows[0].Key); err != nil {
		t.Fatal(err)
	}
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.Resume(t.Context(), flows[0].Key); !errors.Is(err, client.ErrEnded) {
		t.Errorf("resumed after it was forgotten: error %v", err)
	}
	if _, err := silent.Execute(t.Context(), agreed); !errors.Is(err, client.ErrEnded) || len(w.posted(t)) != 1 {
		t.Errorf("executed the agreed plan: error %v, paid %d times", err, len(w.posted(t)))
	}
}

// Two programs run the same request. The first finishes after the second has made its plan for the
// same record. The second must not pay again.
func TestPlanFinishedByAnotherProgram(t *testing.T) {
	w := newWorld(t)
	task := request("side by side")
	flows := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if f.TaskID != nil {
			return errKilled
		}
		return nil
	}}
	if _, err := w.client(t, func(o *client.Options) { o.Flows = flows }).CreateTask(t.Context(), task); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
	agreed, err := w.client(t).Plan(t.Context(), client.Fund(task))
	if err != nil || agreed.Resumes || agreed.TaskID == nil {
		t.Fatalf("got plan %+v, error %v", agreed, err)
	}
	first, err := w.client(t).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if same, err := silent.Execute(t.Context(), agreed); err != nil || same.Task.ID != first.ID || len(w.posted(t)) != 1 {
		t.Errorf("task %s, error %v, paid %d times", same.Task.ID, err, len(w.posted(t)))
	}
	if err := silent.Forget(t.Context(), agreed.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := silent.Execute(t.Context(), agreed); !errors.Is(err, client.ErrEnded) || len(w.posted(t)) != 1 {
		t.Errorf("after it was forgotten: error %v, paid %d times", err, len(w.posted(t)))
	}
}

// A key that a caller chose never collides with the key of a lock or of another flow.
func TestKeysDoNotCollide(t *testing.T) {
	w := newWorld(t)
	left := w.signedOnly(t, request("a name"))
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

// waiting is a FlowStore that closes the channel now when a caller requests the lock with the key.
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

// A repeated request waits for the lock while another program finishes the creation. It must not
// pay again.
func TestCreationFinishedDuringLock(t *testing.T) {
	w := newWorld(t)
	flow := w.signedOnly(t, request("waited for"))
	unlock, err := w.options.Flows.Lock(t.Context(), flow.Key)
	if err != nil {
		t.Fatal(err)
	}
	now, done := make(chan struct{}), make(chan error, 1)
	second := w.client(t, func(o *client.Options) {
		o.Signer, o.Flows = mute{w.Agent, t}, waiting{w.options.Flows, flow.Key, now}
	})
	go func() {
		_, err := second.CreateTask(t.Context(), request("waited for"))
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

// A planned action can be discarded only once. A signed action cannot be discarded.
func TestDiscard(t *testing.T) {
	w := newWorld(t)
	planned := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if f.TaskID != nil {
			return errKilled
		}
		return nil
	}}
	stop := func(o *client.Options) { o.Flows = planned }
	if _, err := w.client(t, stop).CreateTask(t.Context(), request("planned")); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
	c := w.client(t)
	flows, err := c.Unfinished(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); err != nil || w.unfinished(t) != 0 {
		t.Errorf("left %d flows, error %v", w.unfinished(t), err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); !errors.Is(err, client.ErrEnded) {
		t.Errorf("discarded twice: error %v", err)
	}
	w.signedOnly(t, request("signed"))
	if flows, err = c.Unfinished(t.Context()); err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); !errors.Is(err, client.ErrSigned) || w.unfinished(t) != 1 {
		t.Errorf("signed flow: left %d flows, error %v", w.unfinished(t), err)
	}
}

// A finished creation cannot be discarded, because its key would pay again: another program may have finished it after
// the caller looked. Forget removes it, and nothing else.
func TestForget(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	if _, err := c.CreateTask(t.Context(), request("finished")); err != nil {
		t.Fatal(err)
	}
	finished, open := request("finished").FlowKey(), w.signedOnly(t, request("open")).Key
	if err := c.Discard(t.Context(), finished); !errors.Is(err, client.ErrEnded) {
		t.Errorf("discarded a finished creation: error %v", err)
	}
	if plan, err := c.Plan(t.Context(), client.Fund(request("finished"))); err != nil || !plan.Done {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	if err := c.Forget(t.Context(), open); err == nil || w.unfinished(t) != 1 {
		t.Errorf("forgot an unfinished creation: error %v", err)
	}
	for range 2 { // another program may have done it before
		if err := c.Forget(t.Context(), finished); err != nil {
			t.Error(err)
		}
	}
	if plan, err := c.Plan(t.Context(), client.Fund(request("finished"))); err != nil || plan.Done {
		t.Errorf("got plan %+v, error %v", plan, err)
	}
}

// A creation that was prepared for another program can be discarded unless that program has paid. Discard waits
// for its pending transaction.
func TestDiscardPaidElsewhere(t *testing.T) {
	w := newWorld(t)
	for _, paid := range []bool{false, true} {
		task := request(fmt.Sprint("elsewhere ", paid))
		prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
		if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
			t.Fatalf("got error %v", err)
		}
		flows, err := prepared.Unfinished(t.Context())
		if err != nil || len(flows) != 1 || !flows[0].Agreed {
			t.Fatalf("got flows %+v, error %v", flows, err)
		}
		if paid {
			plan, err := prepared.Plan(t.Context(), client.Fund(task))
			if err != nil {
				t.Fatal(err)
			}
			w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
			w.waiting(t, w.Contracts.PostTask(task.Amount, plan.FeeBasisPoints, *plan.TermsHash))
			time.AfterFunc(time.Second, func() { _ = w.Dev.Mine(t.Context(), 1) })
		}
		err = w.client(t).Discard(t.Context(), flows[0].Key)
		if errors.Is(err, client.ErrSigned) != paid || !paid && err != nil || (w.unfinished(t) == 1) != paid {
			t.Errorf("paid %v: left %d flows, error %v", paid, w.unfinished(t), err)
		}
	}
}
