package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// titlesAndStatuses returns one party's feed, sorted by title.
func titlesAndStatuses(t *testing.T, w world, audience uuid.UUID) []string {
	t.Helper()
	var items []string
	err := storetest.DB(t, w.s).Select(&items, `
		SELECT title || ' ' || status FROM activities WHERE audience_id = $1 ORDER BY 1`, audience)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestEachPartyIsNotifiedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, deadline(9*24*time.Hour))
	of := storetest.Of(w.task)
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	w.chain.Mine(t, storetest.Stake(t, of, w.human.Wallet))
	w.chain.Mine(t, storetest.Accept(t, of, w.human.Wallet))
	w.chain.Wait(t, 10*24*time.Hour)
	w.chain.Mine(t, storetest.Submit(t, of, newHash()))
	w.chain.Wait(t, market.DisputeWindow)
	w.chain.Mine(t)
	w.chain.Finalized = w.chain.Head().Number
	w.chain.Mine(t, storetest.Decide(t, of, true))

	agent := []string{
		"Application staked confirmed", "Human assigned confirmed", "Payment released pending", "Task expired confirmed",
		"Task funded confirmed", "Work in review confirmed", "Work submitted confirmed",
	}
	if diff := cmp.Diff(agent, titlesAndStatuses(t, w, w.agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	human := []string{
		"Application accepted confirmed", "Payment received pending", "Stake locked confirmed", "Stake returned pending",
		"Task expired confirmed", "Work in review confirmed", "Work submitted confirmed",
	}
	if diff := cmp.Diff(human, titlesAndStatuses(t, w, w.human.ID)); diff != "" {
		t.Errorf("the human's feed (-want +got):\n%s", diff)
	}
}

func TestDroppedActivitiesAreReverted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := storetest.Post(t, w.task, false)
	w.chain.Mine(t, post)
	w.chain.Rewind(t, 1)
	want := []string{"Task funded reverted", "Undone by the chain: Task funded confirmed"}
	if diff := cmp.Diff(want, titlesAndStatuses(t, w, w.agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	w.chain.Mine(t)
	w.chain.Mine(t, post)
	want = []string{"Task funded pending", "Task funded reverted", "Undone by the chain: Task funded confirmed"}
	if diff := cmp.Diff(want, titlesAndStatuses(t, w, w.agent.ID)); diff != "" {
		t.Errorf("the agent's feed after the posting came back (-want +got):\n%s", diff)
	}
}

func TestResetKeepsTheFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	w.chain.Finalized = w.chain.Head().Number
	w.chain.Mine(t)
	before := storetest.Rows(t, w.s, `SELECT * FROM activities`)
	if err := w.s.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	w.chain.Feed(t, w.s, 2)
	if diff := cmp.Diff(before, storetest.Rows(t, w.s, `SELECT * FROM activities`)); diff != "" {
		t.Errorf("activities (-before +after):\n%s", diff)
	}
}

func TestResetRevertsMissingActivities(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	w.chain.Finalized = w.chain.Head().Number
	w.chain.Mine(t)
	if err := w.s.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	// A chain other than the one that was final.
	w.chain.Store = nil
	w.chain.Rewind(t, w.chain.Length())
	w.chain.Mine(t)
	w.chain.Mine(t)
	w.chain.Mine(t)
	w.chain.Feed(t, w.s, 1)
	if diff := cmp.Diff([]string{"Task funded reverted"}, titlesAndStatuses(t, w, w.agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
}

// A party gets no item about its own act as if the other party had acted, and the loss of a stake
// is mentioned.
func TestEachPartyGetsItsOwnWording(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		act          func(testing.TB, storetest.Target) []storetest.Tx
		agent, human string
	}{
		"the agent disputes": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Submit(tb, of, newHash()), storetest.Dispute(tb, of, true)}
			},
			agent: "You opened a dispute: Validators decide it. If they approve the work or do not decide in time, the human is paid.",
			human: "The agent opened a dispute: Answer it so that validators read your side. If they reject your work, you are not paid and lose your stake.",
		},
		"the human disputes": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Submit(tb, of, newHash()), storetest.Dispute(tb, of, false)}
			},
			agent: "The human opened a dispute: Answer it so that validators read your side.",
			human: "You opened a dispute: Validators decide it. If they reject your work, you are not paid and lose your stake.",
		},
		"the agent cancels": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Cancel(tb, of)}
			},
			agent: "Task cancelled: You cancelled the task. The amount is back in your wallet.",
			human: "Task cancelled: The agent cancelled the task before work was submitted. Your stake was returned.",
		},
		"the human resigns": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Resign(tb, of)}
			},
			agent: "Task cancelled: The human gave the task back. The amount is back in your wallet.",
			human: "Task cancelled: You gave the task back. Your stake was returned.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			of := storetest.Of(w.task)
			w.chain.Mine(t, storetest.Post(t, w.task, false))
			w.chain.Mine(t, storetest.Stake(t, of, w.human.Wallet))
			w.chain.Mine(t, storetest.Accept(t, of, w.human.Wallet))
			for _, tx := range test.act(t, of) {
				w.chain.Mine(t, tx)
			}
			for audience, want := range map[uuid.UUID]string{w.agent.ID: test.agent, w.human.ID: test.human} {
				var got string
				err := storetest.DB(t, w.s).Get(&got, `
					SELECT title || ': ' || description FROM activities
					WHERE audience_id = $1 AND type IN ('task', 'payout', 'dispute')
					ORDER BY block_number DESC LIMIT 1`, audience)
				if err != nil || got != want {
					t.Errorf("the last item = %q, %v; want %q", got, err, want)
				}
			}
		})
	}
}
