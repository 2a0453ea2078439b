package fold_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestEachPartyIsNotifiedOnce(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t, storetest.WithDeadline(9*24*time.Hour))
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
	w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
	w.Chain.Wait(t, 10*24*time.Hour)
	w.Chain.Mine(t, storetest.Submit(t, of, storetest.NewHash()))
	w.Chain.Wait(t, market.DisputeWindow)
	w.Chain.Mine(t)
	w.Chain.Finalized = w.Chain.Head().Number
	w.Chain.Mine(t, storetest.Decide(t, of, true))

	agent := []string{
		"human_assigned confirmed", "payment_released pending", "review_started confirmed", "stake_locked confirmed",
		"task_expired confirmed", "task_funded confirmed", "work_submitted confirmed",
	}
	if diff := cmp.Diff(agent, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	human := []string{
		"application_accepted confirmed", "payment_released pending", "review_started confirmed", "stake_locked confirmed",
		"stake_returned pending", "task_expired confirmed", "work_submitted confirmed",
	}
	if diff := cmp.Diff(human, storetest.KindsAndStatuses(t, w, w.Human.ID)); diff != "" {
		t.Errorf("the human's feed (-want +got):\n%s", diff)
	}
}

func TestDroppedActivitiesAreReverted(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	post := storetest.Post(t, w.Task, false)
	w.Chain.Mine(t, post)
	w.Chain.Rewind(t, 1)
	want := []string{"event_reverted confirmed", "task_funded reverted"}
	if diff := cmp.Diff(want, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	w.Chain.Mine(t)
	w.Chain.Mine(t, post)
	want = []string{"event_reverted confirmed", "task_funded pending", "task_funded reverted"}
	if diff := cmp.Diff(want, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed after the posting was mined again (-want +got):\n%s", diff)
	}
}

// A posting with a task's terms that does not fund the task is reported to its agent: the second posting of a
// task, and one with another amount. A posting by another wallet with the same terms is not. The items are the
// same when the chain is read again, in one step or in several.
func TestUnlinkedPostingsAreReported(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	less, foreign := w.Task, w.Task
	less.Amount, foreign.AgentWallet = new(big.Int).Sub(w.Task.Amount, big.NewInt(1)), w.Human.Wallet
	w.Chain.Mine(t, storetest.Post(t, less, false))
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Post(t, w.Task, false))
	w.Chain.Mine(t, storetest.Post(t, foreign, false), storetest.Post(t, w.Task, true))
	want := []string{"posting_unlinked pending", "posting_unlinked pending", "task_funded pending"}
	if diff := cmp.Diff(want, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
	before := storetest.Rows(t, w.Store, `SELECT * FROM activities`)
	if err := w.Store.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	w.Chain.Feed(t, w.Store, 10)
	if diff := cmp.Diff(before, storetest.Rows(t, w.Store, `SELECT * FROM activities`)); diff != "" {
		t.Errorf("activities (-before +after):\n%s", diff)
	}
}

func TestResetKeepsTheFeeds(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	w.Chain.Finalized = w.Chain.Head().Number
	w.Chain.Mine(t)
	before := storetest.Rows(t, w.Store, `SELECT * FROM activities`)
	if err := w.Store.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	w.Chain.Feed(t, w.Store, 2)
	if diff := cmp.Diff(before, storetest.Rows(t, w.Store, `SELECT * FROM activities`)); diff != "" {
		t.Errorf("activities (-before +after):\n%s", diff)
	}
}

func TestResetRevertsMissingActivities(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	w.Chain.Finalized = w.Chain.Head().Number
	w.Chain.Mine(t)
	if err := w.Store.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	// Mine a chain that differs from the finalized one, without passing the blocks to the store.
	w.Chain.Store = nil
	w.Chain.Rewind(t, w.Chain.Length())
	w.Chain.Mine(t)
	w.Chain.Mine(t)
	w.Chain.Mine(t)
	w.Chain.Feed(t, w.Store, 1)
	if diff := cmp.Diff([]string{"task_funded reverted"}, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
}

// The text for a party must not attribute its own action to the other party, and must mention the
// loss of a stake.
func TestEachPartyHasASeparateText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		act          func(testing.TB, storetest.Target) []storetest.Tx
		agent, human string
	}{
		"the agent disputes": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Submit(tb, of, storetest.NewHash()), storetest.Dispute(tb, of, true)}
			},
			agent: "You opened a dispute: Validators will decide. If they approve the work or do not decide in time, the human is paid.",
			human: "The agent opened a dispute: Answer it so that validators can read your side. If they reject your work, you are not paid and lose your stake.",
		},
		"the human disputes": {
			act: func(tb testing.TB, of storetest.Target) []storetest.Tx {
				tb.Helper()
				return []storetest.Tx{storetest.Submit(tb, of, storetest.NewHash()), storetest.Dispute(tb, of, false)}
			},
			agent: "The human opened a dispute: Answer it so that validators can read your side.",
			human: "You opened a dispute: Validators will decide. If they reject your work, you are not paid and lose your stake.",
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
			agent: "Task cancelled: The human gave up the task. The amount is back in your wallet.",
			human: "Task cancelled: You gave up the task. Your stake was returned.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			of := storetest.Of(w.Task)
			w.Chain.Mine(t, storetest.Post(t, w.Task, false))
			w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
			w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
			for _, tx := range test.act(t, of) {
				w.Chain.Mine(t, tx)
			}
			for audience, want := range map[market.Principal]string{
				{Kind: market.PrincipalAgent, ID: w.Agent.ID}: test.agent,
				{Kind: market.PrincipalHuman, ID: w.Human.ID}: test.human,
			} {
				var items []market.Activity
				for _, item := range storetest.Must(w.Store.Activities(t.Context(), store.ActivityQuery{Principal: audience})).Items {
					if item.Type != market.ActivityApplication {
						items = append(items, item)
					}
				}
				text, _ := items[0].Content.TextFor(audience.Kind)
				if got := text.Title + ": " + text.Description; got != want {
					t.Errorf("the last item = %q, want %q", got, want)
				}
				if items[0].TaskTitle != w.Task.Title {
					t.Errorf("task title = %q, want %q", items[0].TaskTitle, w.Task.Title)
				}
			}
		})
	}
}
