package store_test

import (
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// staked inserts a human's pending application with a live stake.
func staked(t *testing.T, s *store.Store, task market.Task, human market.Human) market.Application {
	t.Helper()
	a, d, id := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, human))), s.Deployment(), time.Now().UnixNano()
	storetest.Execute(t, s, `
		INSERT INTO onchain_applications (chain_id, escrow, id, task_id, human, agent, amount, expires_at, status,
			locked_at, locked_tx, locked_ordinal, locked_block, locked_index)
		VALUES ($1, $2, $3, $4, $5, $6, 50, $7, 'live', $8, $9, 0, 9, 3)`,
		d.ChainID, d.Escrow, id, task.Escrow.ID, human.Wallet, task.AgentWallet, storetest.Genesis.Add(market.StakeLifetime), storetest.Genesis, storetest.NewHash())
	storetest.Execute(t, s, `UPDATE applications SET status = 'pending', onchain_application_id = $2 WHERE id = $1`, a.ID, id)
	return a
}

// forfeited marks the application's stake as forfeited by a rejection at the given time.
func forfeited(t *testing.T, s *store.Store, a market.Application, at time.Time) {
	t.Helper()
	storetest.Execute(t, s, `
		UPDATE onchain_applications o SET status = 'forfeited', rejected = true, ended_at = $2
		FROM applications a WHERE a.id = $1 AND o.id = a.onchain_application_id`, a.ID, at)
	storetest.Execute(t, s, `UPDATE applications SET status = 'rejected' WHERE id = $1`, a.ID)
}

// Concurrent requests can prepare only as many rejections as the limit for a task allows, although none of
// them is on the chain yet.
func TestExplainRejectionLimitsATask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.SetChainTime(t, s, storetest.Genesis)
	agent := storetest.Agent(t, s)
	task := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	applications := make([]market.Application, market.MaxForfeits+3)
	for i := range applications {
		applications[i] = staked(t, s, task, storetest.Human(t, s))
	}
	explain := func(i int) error {
		_, err := s.ExplainRejection(t.Context(), storetest.AgentPrincipal(agent), task.ID, applications[i].ID, "Spam.")
		return err
	}
	var allowed, refused []int
	for i, err := range storetest.Race(len(applications), explain) {
		if err == nil {
			allowed = append(allowed, i)
			continue
		}
		refused = append(refused, i)
		storetest.WantKind(t, "ExplainRejection() above the limit", err, market.KindWrongStatus)
	}
	if len(allowed) != market.MaxForfeits {
		t.Fatalf("%d rejections were prepared, want %d", len(allowed), market.MaxForfeits)
	}
	storetest.WantKind(t, "ExplainRejection() repeated", explain(allowed[0]), "")
	forfeited(t, s, applications[allowed[0]], storetest.Genesis)
	storetest.WantKind(t, "ExplainRejection() with one on the chain", explain(refused[0]), market.KindWrongStatus)
	if reason := storetest.Must(s.Applications(t.Context(), task.ID, store.PageQuery{})); len(reason.Items) != len(applications) {
		t.Fatalf("%d applications, want %d", len(reason.Items), len(applications))
	} else {
		for _, a := range reason.Items {
			if a.ID == applications[refused[0]].ID && a.RejectionReason != "" {
				t.Error("a refused rejection has stored its reason")
			}
		}
	}
	storetest.Execute(t, s, `UPDATE applications SET status = 'withdrawn' WHERE id = $1`, applications[allowed[1]].ID)
	storetest.WantKind(t, "ExplainRejection() after a withdrawal", explain(refused[0]), "")
}

// The daily limit counts the rejections of all tasks of the agent: those on the chain within the last
// day, and those that are only prepared.
func TestExplainRejectionLimitsADay(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := storetest.Genesis.Add(48 * time.Hour)
	storetest.SetChainTime(t, s, now)
	agent := storetest.Agent(t, s)
	explain := func(a market.Application) error {
		_, err := s.ExplainRejection(t.Context(), storetest.AgentPrincipal(agent), a.TaskID, a.ID, "Spam.")
		return err
	}
	var task market.Task
	var on []market.Application
	for i := range market.MaxDailyForfeits {
		if i%(market.MaxForfeits-1) == 0 {
			task = storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
		}
		a := staked(t, s, task, storetest.Human(t, s))
		if err := explain(a); err != nil {
			t.Fatalf("ExplainRejection() number %d = %v", i+1, err)
		}
		if i%2 == 0 {
			forfeited(t, s, a, now.Add(-time.Hour))
			on = append(on, a)
		}
	}
	next := staked(t, s, task, storetest.Human(t, s))
	storetest.WantKind(t, "ExplainRejection() above the daily limit", explain(next), market.KindRateLimited)
	other := storetest.Escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), storetest.Genesis, nil)
	a := staked(t, s, other, storetest.Human(t, s))
	_, err := s.ExplainRejection(t.Context(), market.Principal{Kind: market.PrincipalAgent, ID: other.AgentID, Wallet: other.AgentWallet}, other.ID, a.ID, "Spam.")
	storetest.WantKind(t, "ExplainRejection() by another agent", err, "")
	forfeited(t, s, on[0], now.Add(-market.ForfeitInterval))
	storetest.WantKind(t, "ExplainRejection() a day later", explain(next), "")
}
