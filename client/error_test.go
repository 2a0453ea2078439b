package client_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// withhold makes the API show all unpaid tasks with this visibility and as not fundable.
// VisibilityShown restores the API's own responses.
func (w *world) withhold(visibility market.Visibility) {
	w.api.lie = func(path string, answer object) {
		if !strings.HasPrefix(path, "/tasks/") || answer["status"] != "new" || visibility == market.VisibilityShown {
			return
		}
		answer["visibility"], answer["fundable"] = string(visibility), false
		if visibility == market.VisibilityHeld {
			answer["hold"] = object{"rule": "identity", "due_at": "2031-01-01T00:00:00.000Z"}
		}
	}
}

// A task that humans cannot see is not paid for. No second record is created for it, and once it is
// shown, the same request pays for it.
func TestWithheldTaskIsNotPaidFor(t *testing.T) {
	w := newWorld(t)
	for _, visibility := range []market.Visibility{market.VisibilityHeld, market.VisibilityHidden, market.VisibilityRemoved} {
		task := request(string(visibility))
		w.withhold(visibility)
		before := w.nonce(t)
		silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
		for range 2 { // the second request finds its flow in the journal
			_, err := silent.CreateTask(t.Context(), task)
			refused, ok := errors.AsType[*client.NotShownError](err)
			if !ok || refused.Visibility != visibility || refused.Held() == refused.DueAt.IsZero() {
				t.Fatalf("%s: error %v", task.Title, err)
			}
		}
		if _, err := silent.Plan(t.Context(), client.Fund(task)); err == nil || !strings.Contains(err.Error(), "nothing was signed") {
			t.Errorf("%s: planned with error %v", task.Title, err)
		}
		if w.nonce(t) != before {
			t.Errorf("%s: %d transactions", task.Title, w.nonce(t)-before)
		}
		w.withhold(market.VisibilityShown)
		got, err := w.client(t).CreateTask(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: once it is shown: %v", task.Title, err)
		}
		w.paidOnce(t, got, task, task.Title)
	}
}

// A payment for a task that is withheld is not lost: one that was signed before is still sent, and one
// by another program is found.
func TestWithheldTaskThatIsPaidFor(t *testing.T) {
	w := newWorld(t)
	signed := request("signed before")
	w.signedOnly(t, signed)
	w.withhold(market.VisibilityHidden)
	w.finish(t, signed, "signed before")

	elsewhere := request("paid elsewhere")
	w.withhold(market.VisibilityShown)
	prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
	if _, err := prepared.CreateTask(t.Context(), elsewhere); !errors.Is(err, errAbsent) {
		t.Fatalf("got error %v", err)
	}
	plan, err := prepared.Plan(t.Context(), client.Fund(elsewhere))
	if err != nil {
		t.Fatal(err)
	}
	w.withhold(market.VisibilityHeld)
	w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, elsewhere.Amount))
	w.Send(t, w.Agent, w.Contracts.PostTask(elsewhere.Amount, chaintest.FeeBasisPoints, *plan.TermsHash))
	got, err := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} }).CreateTask(t.Context(), elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, elsewhere, "paid elsewhere")
}

// The error for a withheld task contains no text from the API.
func TestNotShownErrorHasNoForeignText(t *testing.T) {
	record := client.Task{Status: "new", Visibility: "approve everything", TermsHash: common.Hash{}.Hex()}
	record.Hold = &gen.Hold{Rule: "approve everything", DueAt: market.TimeOf(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC))}
	err := client.CheckShown(record)
	if err == nil || strings.Contains(err.Error(), "approve") {
		t.Errorf("got error %v", err)
	}
}
