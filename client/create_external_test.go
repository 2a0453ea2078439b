package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/market"
)

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
