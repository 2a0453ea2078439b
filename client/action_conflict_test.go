package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/market"
)

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
