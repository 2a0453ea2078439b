package store_test

import (
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// The query for one agent's pending actions does not scan all tasks.
func TestAgentActionsUseIndexes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	busy, agent := storetest.Agent(t, s), storetest.Agent(t, s)
	storetest.Execute(t, s, `
		INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, amount, fee_basis_points, posted_at, posted_tx,
			posted_ordinal, posted_block, posted_index)
		SELECT $1, $2, n, 1, substr(sha256((n / 10)::text::bytea), 1, 20), 10000000000000000, 500, now(), sha256(n::text::bytea), 0, 1, 1
		FROM generate_series(1, 20000) n`, s.Deployment().ChainID, s.Deployment().Escrow)
	storetest.Execute(t, s, `
		INSERT INTO tasks (id, agent_id, title, description, amount, fee_basis_points, terms_hash, chain_id, escrow, status, escrow_task_id)
		SELECT gen_random_uuid(), $3, 'T', 'D', 10000000000000000, 500, sha256(n::text::bytea), $1, $2, 'funded', n
		FROM generate_series(1, 20000) n`, s.Deployment().ChainID, s.Deployment().Escrow, busy.ID)
	storetest.Execute(t, s, `ANALYZE`)
	var plan []string
	err := storetest.DB(t, s).SelectContext(t.Context(), &plan, `EXPLAIN SELECT * FROM `+store.AgentActionsSQL+`
		WHERE c.agent_id = '`+agent.ID.String()+`' ORDER BY c.deadline, c.id LIMIT 21`)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan, "\n")
	for _, table := range []string{"tasks", "onchain_tasks"} {
		if strings.Contains(text, "Seq Scan on "+table+" ") {
			t.Errorf("sequential scan of %s:\n%s", table, text)
		}
	}
	if page := storetest.Must(s.AgentActions(t.Context(), agent.ID, store.PageQuery{})); page.Total != 0 || page.Items == nil {
		t.Errorf("AgentActions() = %+v, want none", page)
	}
	_, err = s.AgentActions(t.Context(), agent.ID, store.PageQuery{Cursor: "x"})
	storetest.WantKind(t, "AgentActions() with an invalid cursor", err, market.KindInvalid)
}
