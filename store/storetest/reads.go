package storetest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
)

// Titles returns the titles in a principal's feed, newest first.
func Titles(t *testing.T, s *store.Store, p market.Principal) []string {
	t.Helper()
	titles := []string{}
	for _, item := range Must(s.Activities(t.Context(), store.ActivityQuery{Principal: p})).Items {
		text, _ := item.Content.TextFor(p.Kind)
		titles = append(titles, text.Title)
	}
	return titles
}

// BoardLength returns the number of tasks on the public board. It fails the test unless the totals,
// the task list and a search agree.
func BoardLength(t *testing.T, s *store.Store) int {
	t.Helper()
	page := Must(s.Board(t.Context(), store.PageQuery{PageSize: 100}))
	if page.Total != len(page.Items) {
		t.Errorf("the board has %d tasks and a total of %d", len(page.Items), page.Total)
	}
	list := Must(s.Tasks(t.Context(), store.TaskQuery{Scope: store.ScopeBoard, PageQuery: store.PageQuery{PageSize: 100}}))
	found := Must(s.Tasks(t.Context(), store.TaskQuery{Scope: store.ScopeBoard, Q: "shop", PageQuery: store.PageQuery{PageSize: 100}}))
	if list.Total != page.Total || len(list.Items) != page.Total || found.Total != page.Total || len(found.Items) != page.Total {
		t.Errorf("board = %d, list = %d of %d, search = %d of %d", page.Total, len(list.Items), list.Total, len(found.Items), found.Total)
	}
	return page.Total
}

// WantCounted fails the test unless the stored numbers of activities are correct.
func WantCounted(t *testing.T, s *store.Store) {
	t.Helper()
	if diff := cmp.Diff([]string(nil), Rows(t, s, Miscounted)); diff != "" {
		t.Errorf("feeds with wrong counts (-want +got):\n%s", diff)
	}
}

// Miscounted selects the feeds and types whose stored and actual numbers of activities differ in one snapshot.
const Miscounted = `
	WITH stored AS (SELECT audience_id, type, sum(items) AS items FROM activity_counts GROUP BY 1, 2 HAVING sum(items) <> 0),
	     counted AS (SELECT audience_id, type, count(*) AS items FROM activities GROUP BY 1, 2)
	SELECT audience_id, type, s.items AS stored, c.items AS counted
	FROM stored s FULL JOIN counted c USING (audience_id, type)
	WHERE s.items IS DISTINCT FROM c.items`

// DerivedWithFeeds returns the queries from Derived and one for the activities that refer to
// blocks.
func DerivedWithFeeds() map[string]string {
	all := Derived()
	all["activities"] = `SELECT id, audience_id, type, kind, actor, amount, tx_hash, related_id, block_hash, dedupe_key, status, created_at
		FROM activities WHERE block_hash IS NOT NULL AND status <> 'reverted'`
	return all
}

// WantSameRows fails the test unless both stores have the same derived rows.
func WantSameRows(t *testing.T, lived, replayed *store.Store) {
	t.Helper()
	for table, query := range DerivedWithFeeds() {
		if diff := cmp.Diff(Rows(t, lived, query), Rows(t, replayed, query)); diff != "" {
			t.Errorf("%s (-lived +replayed):\n%s", table, diff)
		}
	}
}

// Explain executes a statement and returns its plan, parsed and as text.
func Explain(t *testing.T, db *sqlx.DB, statement string, args ...any) (Plan, string) {
	t.Helper()
	var text string
	err := db.GetContext(t.Context(), &text, `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) `+statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	var plans []struct{ Plan Plan }
	if err := json.Unmarshal([]byte(text), &plans); err != nil {
		t.Fatal(err)
	}
	return plans[0].Plan, text
}

// Plan is a node of an executed query plan.
type Plan struct {
	Type  string `json:"Node Type"`
	Table string `json:"Relation Name"`
	Hit   int    `json:"Shared Hit Blocks"`
	Read  int    `json:"Shared Read Blocks"`
	Plans []Plan `json:"Plans"`
}

// Scans reports whether the plan has a full scan of the table.
func (p Plan) Scans(table string) bool {
	return p.Type == "Seq Scan" && p.Table == table ||
		slices.ContainsFunc(p.Plans, func(p Plan) bool { return p.Scans(table) })
}
