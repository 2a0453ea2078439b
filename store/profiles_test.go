package store_test

import (
	"testing"

	"taskmarket/store/storetest"
)

// A cancellation after acceptance counts against the agent if the agent cancelled, and against the
// human if the human resigned. It counts against neither if it happened before acceptance or if the
// caller is unknown.
func TestCancellationsCountForTheSideThatCancelled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		accepted     bool
		cancel       func(testing.TB, storetest.Target) storetest.Tx
		agent, human int
	}{
		"the agent cancels after acceptance":  {true, storetest.Cancel, 1, 0},
		"the human resigns":                   {true, storetest.Resign, 0, 1},
		"the agent cancels before acceptance": {false, storetest.Cancel, 0, 0},
		"a contract cancels for a party":      {true, storetest.CancelUnknown, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			of := storetest.Of(w.Task)
			w.Chain.Mine(t, storetest.Post(t, w.Task, false))
			w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
			if test.accepted {
				w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
			}
			w.Chain.Mine(t, test.cancel(t, of))
			agent, human := storetest.Must(w.Store.Profile(t.Context(), w.Agent.Username)), storetest.Must(w.Store.Profile(t.Context(), w.Human.Username))
			if got := agent.Record.CancelledLate; got != test.agent {
				t.Errorf("the agent's record counts %d cancellations, want %d", got, test.agent)
			}
			if got := human.Record.CancelledLate; got != test.human {
				t.Errorf("the human's record counts %d cancellations, want %d", got, test.human)
			}
		})
	}
}
