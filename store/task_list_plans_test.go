package store_test

import (
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// planSize returns how many tasks and humans to insert in tests of query plans. `make search-deep`
// uses a million.
func planSize(t *testing.T) int {
	t.Helper()
	text := os.Getenv("TASKMARKET_TEST_TASKS")
	if text == "" {
		return 100_000
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 {
		t.Fatalf("TASKMARKET_TEST_TASKS=%q is not a number of tasks", text)
	}
	return size
}

// mostBlocks returns the maximum number of blocks that a page query or its count may touch. A query
// returns and skips up to 5,000 records. Assume that a share p of the records has the filtered value and that
// half of them match the other filter. The query finds its records among the first 2 · 5,000 / p
// records in list order, or among the p · size records in the index on the value. The smaller of
// the two is at most sqrt(2 · 5,000 · size), which is 100,000 for a million records.
func mostBlocks(size int) int { return int(math.Sqrt(2 * 5_000 * float64(size))) }

// wantPlans fails the test if a page query or its count scans the table or touches too many blocks.
func wantPlans(t *testing.T, db *sqlx.DB, table string, most int, statements []store.Statement, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i, statement := range statements {
		p, text := storetest.Explain(t, db, statement.SQL, statement.Args...)
		touched := p.Hit + p.Read
		t.Logf("%s: %d blocks", [...]string{"page", "count"}[i], touched)
		if touched > most || p.Scans(table) {
			t.Errorf("%s with %v touches %d blocks, want at most %d and no Seq Scan on %s:\n%s",
				statement.SQL, statement.Args, touched, most, table, text)
		}
	}
}

// TestPlans checks the query plans for each filter with a rare and with a common value, for each
// pair of filters, for each order, and for distant pages.
func TestPlans(t *testing.T) {
	t.Parallel()
	s, size := storetest.New(t), planSize(t)
	agent := storetest.Agent(t, s)
	fill(t, s, strings.NewReplacer("$size", strconv.Itoa(size), "$agent", agent.ID.String()))
	db, most := storetest.DB(t, s), mostBlocks(size)
	for name, query := range taskQueries(agent) {
		t.Run("tasks "+name, func(t *testing.T) {
			t.Parallel()
			statements, err := s.TaskStatements(t.Context(), query)
			wantPlans(t, db, "tasks", most, statements, err)
		})
	}
	for name, query := range humanQueries() {
		t.Run("humans "+name, func(t *testing.T) {
			t.Parallel()
			statements, err := s.HumanStatements(query)
			wantPlans(t, db, "humans", most, statements, err)
		})
	}
}

// fill inserts planSize tasks and humans.
func fill(t *testing.T, s *store.Store, values *strings.Replacer) {
	t.Helper()
	session, err := storetest.DB(t, s).Connx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, statement := range manyRecords {
		if _, err := session.ExecContext(t.Context(), values.Replace(statement)); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// condition is a filter with a value.
type condition[Q any] struct {
	name string
	on   string // name of the filter; two conditions on the same filter are not combined
	add  func(*Q)
}

// combined returns the query with each single condition and with each pair of conditions.
func combined[Q any](query Q, conditions []condition[Q]) (single, pairs map[string]Q) {
	single, pairs = make(map[string]Q), make(map[string]Q)
	for i, one := range conditions {
		alone := query
		one.add(&alone)
		single[one.name] = alone
		for _, two := range conditions[i+1:] {
			if one.on == two.on {
				continue
			}
			pair := alone
			two.add(&pair)
			pairs[one.name+", "+two.name] = pair
		}
	}
	return single, pairs
}

func taskQueries(agent market.Agent) map[string]store.TaskQuery {
	yes, no, late := true, false, time.Now().Add(999*time.Hour)
	tokens := func(thousandths int64) *big.Int { return new(big.Int).Mul(big.NewInt(thousandths), big.NewInt(1e15)) }
	board := store.TaskQuery{Scope: store.ScopeBoard}
	single, queries := combined(board, []condition[store.TaskQuery]{
		{"rare words", "q", func(q *store.TaskQuery) { q.Q = "rare7" }},
		{"common words", "q", func(q *store.TaskQuery) { q.Q = "window -rare7" }},
		{"no words", "q", func(q *store.TaskQuery) { q.Q = `& | ! "` }},
		{"rare skill", "skill", func(q *store.TaskQuery) { q.Skill = "skill-7" }},
		{"common skill", "skill", func(q *store.TaskQuery) { q.Skill = "photography" }},
		{"one place", "place", func(q *store.TaskQuery) { q.Place = "place 77" }},
		{"all places", "place", func(q *store.TaskQuery) { q.Place = "p" }},
		{"not remote", "remote", func(q *store.TaskQuery) { q.Remote = &no }},
		{"remote", "remote", func(q *store.TaskQuery) { q.Remote = &yes }},
		{"large", "min", func(q *store.TaskQuery) { q.MinAmount = tokens(99_900) }},
		{"not small", "min", func(q *store.TaskQuery) { q.MinAmount = tokens(110) }},
		{"small", "max", func(q *store.TaskQuery) { q.MaxAmount = tokens(110) }},
		{"not large", "max", func(q *store.TaskQuery) { q.MaxAmount = tokens(99_900) }},
		{"not due soon", "due", func(q *store.TaskQuery) { q.DueAfter = &late }},
		{"an agent's", "agent", func(q *store.TaskQuery) { q.AgentUsername = "made-7" }},
		{"a busy agent's", "agent", func(q *store.TaskQuery) { q.AgentUsername = "made-0" }},
		{"unknown agent", "agent", func(q *store.TaskQuery) { q.AgentUsername = "nobody" }},
	})
	mine := store.TaskQuery{Scope: store.ScopeMine, Viewer: storetest.AgentPrincipal(agent)}
	single["board"], single["mine"] = board, mine
	mine.Status = []market.Status{market.StatusNew}
	single["mine, new"] = mine
	for name, query := range single {
		for _, sort := range []store.TaskSort{store.SortNewest, store.SortAmount, store.SortDeadline} {
			query.Sort, query.Page = sort, 1
			queries[name+" by "+string(sort)] = query
			query.Page, query.PageSize = 50, 100
			queries[name+" by "+string(sort)+", page 50"] = query
		}
	}
	return queries
}

func humanQueries() map[string]store.HumanQuery {
	yes, no, good, best := true, false, 2.5, 5.0
	single, queries := combined(store.HumanQuery{}, []condition[store.HumanQuery]{
		{"rare words", "q", func(q *store.HumanQuery) { q.Q = "rare7" }},
		{"common words", "q", func(q *store.HumanQuery) { q.Q = "human -rare7" }},
		{"no words", "q", func(q *store.HumanQuery) { q.Q = `& | ! "` }},
		{"rare skill", "skill", func(q *store.HumanQuery) { q.Skill = "skill-7" }},
		{"common skill", "skill", func(q *store.HumanQuery) { q.Skill = "photography" }},
		{"one place", "place", func(q *store.HumanQuery) { q.Place = "place 77" }},
		{"all places", "place", func(q *store.HumanQuery) { q.Place = "p" }},
		{"not remote", "remote", func(q *store.HumanQuery) { q.Remote = &no }},
		{"remote", "remote", func(q *store.HumanQuery) { q.Remote = &yes }},
		{"the best", "rating", func(q *store.HumanQuery) { q.MinRating = &best }},
		{"good", "rating", func(q *store.HumanQuery) { q.MinRating = &good }},
		{"verified", "verified", func(q *store.HumanQuery) { q.Verified = &yes }},
		{"not verified", "verified", func(q *store.HumanQuery) { q.Verified = &no }},
	})
	single["all"] = store.HumanQuery{}
	for name, query := range single {
		queries[name] = query
		query.Page, query.PageSize = 50, 100
		queries[name+", page 50"] = query
	}
	return queries
}

// manyRecords inserts many records whose columns have independent values. Triggers are disabled, as
// when a dump is restored.
var manyRecords = []string{
	`SET session_replication_role = replica`,
	`INSERT INTO users (id, kind, username, name, bio, wallet, verification_code, code_expires_at)
	SELECT md5('agent' || n)::uuid, 'agent', 'made-' || n, 'Agent ' || n, '', substr(sha256(('agent' || n)::bytea), 1, 20), 'agent' || n, now()
	FROM generate_series(0, 999) n`,
	`INSERT INTO agents (id, key_hash, key_prefix) SELECT id, sha256(username::bytea), 'tmk_made' FROM users WHERE username LIKE 'made-%'`,

	// Two thirds of the tasks are on the board. A fifth belong to the agent made-0, and a tenth to
	// the test's agent.
	`INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, amount, fee_basis_points, posted_at, posted_tx, posted_ordinal,
	                            posted_block, posted_index)
	SELECT 31337, '\xe5c0000000000000000000000000000000000002', n, 1, substr(sha256('agent0'), 1, 20), 10000000000000000, 500, now(),
	       sha256(n::text::bytea), 0, 1, n
	FROM generate_series(1, $size) n WHERE n % 3 > 0`,
	`INSERT INTO tasks (id, agent_id, title, description, skills, location, place, remote, amount, fee_basis_points, deadline,
	                    terms_hash, chain_id, escrow, status, escrow_task_id, created_at)
	SELECT md5('task' || n)::uuid,
	       CASE WHEN r % 10 = 0 THEN '$agent' WHEN r % 5 = 1 THEN md5('agent0')::uuid ELSE md5('agent' || r % 1000)::uuid END,
	       'Photograph window ' || n, 'Words like rare' || r / 7 % 1000 || ' and shop.',
	       ARRAY['skill-' || r / 11 % 1000] || CASE WHEN r / 13 % 2 = 0 THEN '{photography}'::text[] ELSE '{}' END,
	       'Place ' || r / 17 % 1000, 'place ' || r / 17 % 1000, r / 19 % 1000 > 0,
	       10000000000000000 + (r / 23 % 100000) * 1000000000000000::numeric, 500,
	       CASE WHEN r / 29 % 2 = 0 THEN now() + (r / 31 % 1000) * interval '1 hour' END,
	       sha256(('task' || n)::bytea), 31337, '\xe5c0000000000000000000000000000000000002',
	       CASE WHEN n % 3 > 0 THEN 'funded' ELSE 'new' END, CASE WHEN n % 3 > 0 THEN n END, now() - n * interval '1 minute'
	FROM (SELECT n, ('x' || substr(md5(n::text), 1, 8))::bit(32)::bigint AS r FROM generate_series(1, $size) n) made`,

	`INSERT INTO users (id, kind, username, name, bio, wallet, verification_code, code_expires_at, reviews, ratings, stars,
	                    social_network, social_handle, social_account_id, social_post_id, verified_at, social_posted_at)
	SELECT md5('human' || n)::uuid, 'human', 'human-' || n, 'Human ' || n, 'Words like rare' || r / 7 % 1000,
	       substr(sha256(('human' || n)::bytea), 1, 20), 'human' || n, now(), rated, rated AS ratings, rated * (1 + r / 37 % 5),
	       verified, verified AS handle, verified AS account, verified AS post, CASE WHEN verified IS NOT NULL THEN now() END, CASE WHEN verified IS NOT NULL THEN now() END
	FROM (SELECT n, r, CASE WHEN r / 29 % 2 = 0 THEN 1 ELSE 0 END AS rated, CASE WHEN r / 31 % 1000 = 0 THEN 'made-' || n END AS verified
	      FROM (SELECT n, ('x' || substr(md5(n::text), 1, 8))::bit(32)::bigint AS r FROM generate_series(1, $size) n) made) made`,
	`INSERT INTO humans (id, skills, location, place, remote, available, search, verified, rating)
	SELECT u.id, skills, 'Place ' || place, 'place ' || place, r / 19 % 1000 > 0, r / 41 % 3 > 0,
	       to_tsvector('simple', u.name || ' ' || u.bio || ' ' || array_to_string(skills, ' ')), u.verified_at IS NOT NULL,
	       CASE WHEN u.ratings > 0 THEN u.stars END
	FROM (SELECT md5('human' || n)::uuid AS id, r, r / 17 % 1000 AS place,
	             ARRAY['skill-' || r / 11 % 1000] || CASE WHEN r / 13 % 2 = 0 THEN '{photography}'::text[] ELSE '{}' END AS skills
	      FROM (SELECT n, ('x' || substr(md5(n::text), 1, 8))::bit(32)::bigint AS r FROM generate_series(1, $size) n) made) made
	JOIN users u USING (id)`,
	`VACUUM (ANALYZE)`,
}
