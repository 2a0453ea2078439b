package client_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/client/signer"
)

// later is longer than the validity of any permit.
const later = 2 * time.Hour

// permitDeadlines returns the deadlines of the permits in the flow's transactions.
func permitDeadlines(t *testing.T, flow *client.Flow) []time.Time {
	t.Helper()
	var deadlines []time.Time
	for _, raw := range flow.Transactions {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(raw); err != nil {
			t.Fatal(err)
		}
		expires := chain.PermitDeadline(tx.Data())
		if expires == nil {
			t.Fatalf("transaction %s has no permit", tx.Hash())
		}
		deadlines = append(deadlines, time.Unix(expires.Int64(), 0))
	}
	return deadlines
}

// headTime returns the time of the latest block.
func (w *world) headTime(t *testing.T) time.Time {
	t.Helper()
	head, err := w.Dev.Client().HeaderByNumber(t.Context(), big.NewInt(rpc.LatestBlockNumber.Int64()))
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(int64(head.Time), 0)
}

// recorded returns a journal that records the last saved flow, and the option that sets it.
func (w *world) recorded() (*saved, func(*client.Options)) {
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	return flows, func(o *client.Options) { o.Flows = flows }
}

// The permit in a posting is valid for at most an hour, in the plan and in the transaction, whether the
// chain's clock is behind this machine's or ahead.
func TestPermitLivesAtMostAnHour(t *testing.T) {
	w := newWorld(t)
	for _, ahead := range []time.Duration{0, 40 * 24 * time.Hour} {
		if ahead > 0 {
			w.Warp(t, ahead)
		}
		flows, recording := w.recorded()
		task := request("short-lived " + ahead.String())
		plan, err := w.client(t).Plan(t.Context(), client.Fund(task))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.client(t, recording).CreateTask(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		latest := w.headTime(t)
		if now := time.Now(); now.After(latest) {
			latest = now
		}
		for _, deadline := range append(permitDeadlines(t, flows.last), *plan.Deadline) {
			if left := deadline.Sub(latest); left > time.Hour || left < 30*time.Minute {
				t.Errorf("the permit is valid for another %s", left)
			}
		}
	}
}

// A plan that was agreed to before the journal contained the flow is executed later with the same
// permit. If the permit has expired by then, nothing is signed.
func TestAgreedPlanKeepsItsPermit(t *testing.T) {
	w := newWorld(t)
	flows, recording := w.recorded()
	for name, wait := range map[string]time.Duration{"agreed in time": 10 * time.Minute, "agreed too late": later} {
		task := request(name)
		agreed, err := w.client(t).Plan(t.Context(), client.Fund(task))
		if err != nil {
			t.Fatal(err)
		}
		w.Warp(t, wait)
		paid := len(w.posted(t))
		_, err = w.client(t, recording).Execute(t.Context(), agreed)
		if wait == later {
			if !errors.Is(err, client.ErrOtherPlan) || len(w.posted(t)) != paid {
				t.Errorf("%s: error %v, %d payments", name, err, len(w.posted(t))-paid)
			}
			continue
		}
		if err != nil || !permitDeadlines(t, flows.last)[0].Equal(*agreed.Deadline) {
			t.Errorf("%s: error %v, permit until %v, agreed until %s", name, err, permitDeadlines(t, flows.last), agreed.Deadline)
		}
	}
}

// A payment was signed and saved but not sent, and its permit has expired. Repeating the request plans
// and reviews a new permit, and pays once. The first transaction cannot pay any more.
func TestExpiredPermitIsReplaced(t *testing.T) {
	w := newWorld(t)
	for name, resume := range map[string]func(*client.Client, client.TaskRequest) error{
		"repeated": func(c *client.Client, task client.TaskRequest) error {
			_, err := c.CreateTask(t.Context(), task)
			return err
		},
		"resumed": func(c *client.Client, _ client.TaskRequest) error {
			flows, err := c.Unfinished(t.Context())
			if err != nil || len(flows) != 1 {
				t.Fatalf("%d unfinished flows, error %v", len(flows), err)
			}
			_, err = c.Resume(t.Context(), flows[0].Key)
			return err
		},
	} {
		task := request("left unsent and " + name)
		unsent := w.signedOnly(t, task).Transactions[0]
		if plan, err := w.client(t).Plan(t.Context(), client.Fund(task)); err != nil || !plan.Resumes {
			t.Fatalf("before the permit expires: plan %+v, error %v", plan, err)
		}
		w.Warp(t, later)
		var reviewed []client.Plan
		flows, recording := w.recorded()
		c := w.client(t, recording, func(o *client.Options) {
			o.Allow = func(_ context.Context, p client.Plan) error {
				reviewed = append(reviewed, p)
				return nil
			}
			o.AllowOther = func(context.Context, client.Plan) error { return errors.New("nothing signed is sent") }
		})
		before := w.nonce(t)
		if plan, err := c.Plan(t.Context(), client.Fund(task)); err != nil || plan.Resumes || plan.Signature == nil {
			t.Fatalf("after the permit has expired: plan %+v, error %v", plan, err)
		}
		if err := resume(c, task); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		deadlines := permitDeadlines(t, flows.last)
		if len(reviewed) != 1 || reviewed[0].Resumes || len(deadlines) != 2 || !deadlines[1].Equal(*reviewed[0].Deadline) {
			t.Errorf("%s: reviewed %+v, permits until %v", name, reviewed, deadlines)
		}
		if sent := w.nonce(t) - before; sent != 1 {
			t.Errorf("%s: %d transactions were sent", name, sent)
		}
		if err := send.NewSender(w.Node, w.Agent).Broadcast(t.Context(), unsent); err == nil {
			w.Mine(t, 1)
		}
		w.finish(t, task, name)
	}
}

// The payment was mined before its permit expired, but the journal does not show this. Repeating the
// request signs nothing.
func TestExpiredPermitOfAMinedPayment(t *testing.T) {
	w := newWorld(t)
	task := request("mined unnoticed")
	unsent := w.signedOnly(t, task).Transactions[0]
	if err := send.NewSender(w.Node, w.Agent).Broadcast(t.Context(), unsent); err != nil {
		t.Fatal(err)
	}
	w.Mine(t, 1)
	w.Warp(t, later)
	got, err := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} }).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "mined unnoticed")
}

// The client is killed after each step of the replacement of an expired permit, and resumed when the new
// permit has expired too. It pays once.
func TestReplacedPermitSurvivesEveryCrash(t *testing.T) {
	w := newWorld(t)
	for at := 1; ; at++ {
		task := request("replaced and killed " + big.NewInt(int64(at)).String())
		w.signedOnly(t, task)
		w.Warp(t, later)
		k := &killer{at: at, after: true}
		if !w.killed(t, task, k) {
			if at < 20 {
				t.Errorf("killed at only %d steps", at)
			}
			return
		}
		w.Mine(t, 1) // mines a transaction that the node may have, before its permit expires
		w.Warp(t, later)
		w.finish(t, task, k.done[len(k.done)-1])
	}
}

// cold is an Offline wallet that records the typed data that it is asked to sign.
type cold struct {
	*signer.Offline
	data apitypes.TypedData
}

func (c *cold) SignTypedData(ctx context.Context, data apitypes.TypedData) ([]byte, error) {
	c.data = data
	return c.Offline.SignTypedData(ctx, data)
}

// prepare runs the request with an offline wallet and a signature from another program, which may be
// nil. It returns the plan, the typed data to sign, and the error.
func (w *world) prepare(t *testing.T, task client.TaskRequest, signature []byte) (plan client.Plan, asked apitypes.TypedData, _ error) {
	t.Helper()
	wallet := &cold{Offline: signer.NewOffline(w.Agent.Address(), signature)}
	_, err := w.client(t, func(o *client.Options) {
		o.Signer = wallet
		o.Allow = func(_ context.Context, p client.Plan) error {
			plan = p
			return nil
		}
	}).CreateTask(t.Context(), task)
	return plan, wallet.data, err
}

// A permit that another program is to sign stays the same until shortly before it expires. A later
// signature is rejected with the reason, and the next permit is a new one.
func TestPermitSignedByAnotherProgram(t *testing.T) {
	w := newWorld(t)
	task := request("signed elsewhere")
	sign := func(data apitypes.TypedData) []byte {
		signature, err := w.Agent.SignTypedData(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		return signature
	}
	first, data, err := w.prepare(t, task, nil)
	if !errors.Is(err, signer.ErrNoKey) || data.Message["deadline"] != big.NewInt(first.Deadline.Unix()).String() {
		t.Fatalf("the plan's permit is valid until %s, the typed data has %v; error %v", first.Deadline, data.Message["deadline"], err)
	}
	w.Warp(t, 20*time.Minute)
	again, _, err := w.prepare(t, task, sign(data))
	if !errors.Is(err, signer.ErrNoKey) || errors.Is(err, signer.ErrOtherData) || !again.Deadline.Equal(*first.Deadline) {
		t.Fatalf("signed in time: permit until %s, error %v", again.Deadline, err)
	}
	w.Warp(t, later)
	_, _, err = w.prepare(t, task, sign(data))
	if !errors.Is(err, client.ErrPermitExpired) || !errors.Is(err, signer.ErrOtherData) || !strings.Contains(err.Error(), "expired at "+first.Deadline.Format("2006-01-02")) {
		t.Fatalf("signed late: error %v", err)
	}
	renewed, fresh, err := w.prepare(t, task, nil)
	if !errors.Is(err, signer.ErrNoKey) || !renewed.Deadline.After(*first.Deadline) {
		t.Fatalf("renewed: permit until %s, error %v", renewed.Deadline, err)
	}
	if _, _, err = w.prepare(t, task, sign(fresh)); !errors.Is(err, signer.ErrNoKey) || errors.Is(err, signer.ErrOtherData) {
		t.Errorf("signed again: error %v", err)
	}
	if w.nonce(t) != 0 || len(w.posted(t)) != 0 {
		t.Errorf("%d transactions, %d payments", w.nonce(t), len(w.posted(t)))
	}
	w.finishPrepared(t, task)
}

// finishPrepared creates a task that was prepared before, and checks that it is paid for once.
func (w *world) finishPrepared(t *testing.T, task client.TaskRequest) {
	t.Helper()
	got, err := w.client(t).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, task.Title)
}

// PermitDeadline returns nil for a call without a permit.
func TestPermitDeadlineOfOtherCalls(t *testing.T) {
	w := newWorld(t)
	for _, call := range []chain.Call{{}, w.Contracts.PostTask(big.NewInt(1), 1, common.Hash{1}), w.Contracts.ApproveTask(w.Deployment.Escrow, 1)} {
		if got := chain.PermitDeadline(call.Data); got != nil {
			t.Errorf("call %x has a permit until %s", call.Data, got)
		}
	}
}

// A permit that expires during the review is not signed.
func TestPermitExpiresDuringReview(t *testing.T) {
	w := newWorld(t)
	c := w.client(t, func(o *client.Options) {
		o.Signer = mute{w.Agent, t}
		o.Allow = func(context.Context, client.Plan) error {
			w.Warp(t, later) //nolint:contextcheck // the context ends with the test
			return nil
		}
	})
	if _, err := c.CreateTask(t.Context(), request("slow review")); !errors.Is(err, client.ErrPermitExpired) {
		t.Errorf("got error %v", err)
	}
	w.finish(t, request("slow review"), "slow review")
}

// A pending payment fails if it is mined after its permit has expired. Once the failure is final, the
// payment is abandoned, and repeating the request pays for the task once.
func TestPermitExpiresInThePool(t *testing.T) {
	w := newWorld(t)
	task := request("pending for long")
	unsent := w.signedOnly(t, task).Transactions[0]
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := send.NewSender(w.Node, w.Agent).Broadcast(t.Context(), unsent); err != nil {
		t.Fatal(err)
	}
	w.Warp(t, later)
	if err := w.Dev.SetMining(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	w.Mine(t, 3)
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || !strings.Contains(err.Error(), "did not pay") {
		t.Fatalf("got error %v", err)
	}
	w.finish(t, task, "pending for long")
}
