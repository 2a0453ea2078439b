package store_test

import (
	"encoding/base64"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func titles(page store.Page[store.TaskView]) []string {
	titles := []string{}
	for _, task := range page.Items {
		titles = append(titles, task.Title)
	}
	return titles
}

func TestTasksFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	one, two := storetest.Agent(t, s), storetest.Agent(t, s)
	due := time.Now().UTC().Add(48 * time.Hour).Truncate(time.Second)
	before := due.Add(-time.Second)
	for _, agent := range []market.Agent{one, two} {
		place := map[bool]string{true: "Graz, Austria", false: "100%_\\ off"}[agent.ID == one.ID]
		folded := map[bool]string{true: "graz austria", false: "100%_\\ off"}[agent.ID == one.ID] // normalisation never yields the second value; it tests that wildcard characters are matched literally
		task := storetest.NewTask(s, agent)
		task.Title, task.Location, task.Place, task.Remote = "of "+place, place, folded, agent.ID == two.ID
		task.Deadline = nil
		if agent.ID == two.ID {
			task.Skills, task.Amount, task.Description = []string{"driving"}, storetest.Token(5), "Fetch a parcel."
			task.Deadline = &due
		}
		task.TermsHash = task.Terms().Hash()
		storetest.Escrowed(t, s, storetest.Must(s.CreateTask(t.Context(), task)), storetest.Genesis, nil)
	}
	storetest.Task(t, s, one) // a new task, which must not be on the board
	graz, other := "of Graz, Austria", "of 100%_\\ off"
	yes, no := true, false
	for name, test := range map[string]struct {
		query store.TaskQuery
		want  []string
	}{
		"no filter":                  {store.TaskQuery{}, []string{other, graz}},
		"words":                      {store.TaskQuery{Q: "park RIVER"}, []string{graz}},
		"unmatched words":            {store.TaskQuery{Q: "park parcel"}, []string{}},
		"either word":                {store.TaskQuery{Q: "park or parcel"}, []string{other, graz}},
		"operators are words":        {store.TaskQuery{Q: `& | ! ( ) :* <-> "`}, []string{}},
		"skill":                      {store.TaskQuery{Skill: "driving"}, []string{other}},
		"prefix of the location":     {store.TaskQuery{Place: "graz aus"}, []string{graz}},
		"suffix of the location":     {store.TaskQuery{Place: "austria"}, []string{}},
		"wildcards are literal":      {store.TaskQuery{Place: `100%_\`}, []string{other}},
		"one wildcard":               {store.TaskQuery{Place: `_`}, []string{}},
		"remote":                     {store.TaskQuery{Remote: &yes}, []string{other}},
		"not remote":                 {store.TaskQuery{Remote: &no}, []string{graz}},
		"minimum amount":             {store.TaskQuery{MinAmount: storetest.Token(5)}, []string{other}},
		"minimum above every amount": {store.TaskQuery{MinAmount: new(big.Int).Add(storetest.Token(5), big.NewInt(1))}, []string{}},
		"maximum amount":             {store.TaskQuery{MaxAmount: storetest.Token(2)}, []string{graz}},
		"due later":                  {store.TaskQuery{DueAfter: &before}, []string{other, graz}},
		"without a deadline":         {store.TaskQuery{DueAfter: &due}, []string{graz}},
		"agent":                      {store.TaskQuery{AgentUsername: one.Username}, []string{graz}},
		"unknown agent":              {store.TaskQuery{AgentUsername: "nobody"}, []string{}},
		"status":                     {store.TaskQuery{Status: []market.Status{market.StatusFunded}}, []string{other, graz}},
		"another status":             {store.TaskQuery{Status: []market.Status{market.StatusActive, market.StatusNew}}, []string{}},
		"all filters":                {store.TaskQuery{Q: "parcel", Skill: "driving", Place: "100", Remote: &yes, MinAmount: big.NewInt(1)}, []string{other}},
		"largest first":              {store.TaskQuery{Sort: store.SortAmount}, []string{other, graz}},
		"mine includes new tasks":    {store.TaskQuery{Scope: store.ScopeMine, Viewer: storetest.AgentPrincipal(one)}, []string{"Photograph a shop window", graz}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.query.Scope == "" {
				test.query.Scope = store.ScopeBoard
			}
			page := storetest.Must(s.Tasks(t.Context(), test.query))
			if diff := cmp.Diff(test.want, titles(page)); diff != "" {
				t.Errorf("Tasks() (-want +got):\n%s", diff)
			}
			if page.Total != len(test.want) || page.NextCursor != "" {
				t.Errorf("Tasks() total %d, next %q; want %d and none", page.Total, page.NextCursor, len(test.want))
			}
		})
	}
}

func TestTasksOfHuman(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, worker, applicant := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	work := storetest.NewHash()
	task := storetest.Task(t, s, agent)
	storetest.Must(s.CreateSubmission(t.Context(), market.Submission{ID: storetest.NewID(), TaskID: task.ID, HumanID: worker.ID, Note: "done", WorkHash: work}))
	storetest.Application(t, s, task, worker)
	storetest.Application(t, s, task, applicant)
	storetest.Panel(t, s, 3)
	task = storetest.Escrowed(t, s, task, storetest.Genesis.Add(3*time.Hour), storetest.Submitted(worker, work))
	back := storetest.Task(t, s, agent) // has an application, but a reorganisation dropped its funding
	storetest.Application(t, s, back, applicant)
	verdict(t, s, task, storetest.Human(t, s), true)

	for name, test := range map[string]struct {
		viewer market.Principal
		note   bool
	}{
		"its agent":    {storetest.AgentPrincipal(agent), true},
		"assigned":     {storetest.HumanPrincipal(worker), true},
		"an applicant": {storetest.HumanPrincipal(applicant), false},
	} {
		t.Run(name, func(t *testing.T) {
			page := storetest.Must(s.Tasks(t.Context(), store.TaskQuery{
				Scope: store.ScopeMine, Viewer: test.viewer, Status: []market.Status{market.StatusSubmitted, market.StatusNew},
			}))
			i := slices.IndexFunc(page.Items, func(t store.TaskView) bool { return t.ID == task.ID })
			if i < 0 {
				t.Fatalf("Tasks() = %v, want the task", titles(page))
			}
			if got := page.Items[i].Submission != nil; got != test.note {
				t.Errorf("Tasks() shows the work: %t, want %t", got, test.note)
			}
			if got := page.Items[i].Tally; got != (store.Tally{Approvals: 1}) {
				t.Errorf("Tasks() tally = %+v, want one approval", got)
			}
			if test.viewer.Kind == market.PrincipalHuman && len(page.Items) != 1 {
				t.Errorf("Tasks() = %v, want no new task of a human", titles(page))
			}
		})
	}
}

// When the list grows while it is read, its pages contain each initial item exactly once.
func TestTasksCursor(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	add := func(i int) uuid.UUID {
		return storetest.Task(t, s, agent, func(task *market.Task) {
			task.Amount = storetest.Token(int64(1 + i%3))
			if i%4 != 0 {
				deadline := storetest.Genesis.Add(time.Duration(i%2) * time.Hour)
				task.Deadline = &deadline
			}
		}).ID
	}
	var ids []uuid.UUID
	for i := range 23 {
		ids = append(ids, add(i))
	}
	// Give all tasks the same creation time, so that only the ids determine the order.
	storetest.Execute(t, s, `UPDATE tasks SET created_at = $1`, storetest.Genesis)
	for _, sort := range []store.TaskSort{store.SortNewest, store.SortAmount, store.SortDeadline} {
		t.Run(string(sort), func(t *testing.T) {
			query := store.TaskQuery{Scope: store.ScopeMine, Viewer: storetest.AgentPrincipal(agent), Sort: sort}
			query.PageSize = 5
			seen := map[uuid.UUID]int{}
			for pages := 0; ; pages++ {
				page := storetest.Must(s.Tasks(t.Context(), query))
				for _, task := range page.Items {
					seen[task.ID]++
				}
				if query.Cursor = page.NextCursor; query.Cursor == "" || pages > 20 {
					break
				}
				add(pages)
			}
			for _, id := range ids {
				if seen[id] != 1 {
					t.Errorf("task %s was listed %d times, want once", id, seen[id])
				}
			}
		})
	}
}

func TestTasksPages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	for range 7 {
		storetest.Task(t, s, agent)
	}
	for name, test := range map[string]struct {
		page, size, items int
	}{
		"the first":             {1, 3, 3},
		"the last":              {3, 3, 1},
		"exactly full":          {1, 7, 7},
		"past the end":          {4, 3, 0},
		"the defaults":          {0, 0, 7},
		"the last allowed page": {50, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			query := store.TaskQuery{Scope: store.ScopeMine, Viewer: storetest.AgentPrincipal(agent)}
			query.Page, query.PageSize = test.page, test.size
			page := storetest.Must(s.Tasks(t.Context(), query))
			if len(page.Items) != test.items || page.Total != 7 {
				t.Errorf("Tasks() = %d items of %d, want %d of 7", len(page.Items), page.Total, test.items)
			}
			if page.Items == nil {
				t.Error("Tasks().Items = nil, want an empty list")
			}
		})
	}
}

func TestTasksRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	raw := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	id := storetest.NewID().String()
	for name, query := range map[string]store.TaskQuery{
		"page -1":                   {PageQuery: store.PageQuery{Page: -1}},
		"page 51":                   {PageQuery: store.PageQuery{Page: 51}},
		"page size -1":              {PageQuery: store.PageQuery{PageSize: -1}},
		"page size 101":             {PageQuery: store.PageQuery{PageSize: 101}},
		"page and cursor":           {PageQuery: store.PageQuery{Page: 2, Cursor: raw("newest " + storetest.Genesis.Format(time.RFC3339) + " " + id)}},
		"cursor not in base64":      {PageQuery: store.PageQuery{Cursor: "!"}},
		"cursor of another order":   {PageQuery: store.PageQuery{Cursor: raw("amount 5 " + id)}},
		"cursor without a key":      {PageQuery: store.PageQuery{Cursor: raw("newest  " + id)}},
		"cursor with a bad key":     {PageQuery: store.PageQuery{Cursor: raw("newest now " + id)}},
		"cursor with a bad id":      {PageQuery: store.PageQuery{Cursor: raw("newest " + storetest.Genesis.Format(time.RFC3339) + " x")}},
		"cursor with an odd id":     {PageQuery: store.PageQuery{Cursor: raw("newest " + storetest.Genesis.Format(time.RFC3339) + " urn:uuid:" + id)}},
		"cursor with a bad amount":  {PageQuery: store.PageQuery{Cursor: raw("amount -1 " + id)}, Sort: store.SortAmount},
		"cursor with SQL":           {PageQuery: store.PageQuery{Cursor: raw("amount 1)--  " + id)}, Sort: store.SortAmount},
		"sort":                      {Sort: "random()"},
		"scope":                     {Scope: "all"},
		"mine without a viewer":     {Scope: store.ScopeMine},
		"NUL in the words":          {Q: "a\x00b"},
		"broken UTF-8 in the words": {Q: "a\xffb"},
	} {
		t.Run(name, func(t *testing.T) {
			if query.Scope == "" {
				query.Scope = store.ScopeBoard
			}
			_, err := s.Tasks(t.Context(), query)
			storetest.WantKind(t, "Tasks()", err, market.KindInvalid)
		})
	}
}

// A page past the end of a list has the same total as the first page. An ad hoc list is counted by a statement of
// its own.
func TestTotalsPastTheEnd(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	for name, query := range map[string]store.TaskQuery{
		"an agent's":        {Viewer: storetest.AgentPrincipal(w.Agent), Scope: store.ScopeMine},
		"a human's":         {Viewer: storetest.HumanPrincipal(w.Human), Scope: store.ScopeMine},
		"on the board":      {Viewer: storetest.AgentPrincipal(w.Agent), Scope: store.ScopeBoard},
		"ad hoc":            {Viewer: storetest.AgentPrincipal(w.Agent), Scope: store.ScopeBoard, Q: "window"},
		"of other statuses": {Viewer: storetest.AgentPrincipal(w.Agent), Scope: store.ScopeBoard, Status: []market.Status{market.StatusActive}},
	} {
		first := storetest.Must(w.Store.Tasks(t.Context(), query))
		query.Page = 50
		if past := storetest.Must(w.Store.Tasks(t.Context(), query)); past.Total != first.Total || len(past.Items) > 0 {
			t.Errorf("tasks %s: total = %d past the end, %d at the beginning", name, past.Total, first.Total)
		}
	}
}

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

// hostile contains texts that are special to a text-search or SQL parser.
var hostile = []string{
	"'", `"`, `""`, `\`, `\\`, "%", "_", "%_%", "&", "|", "!", "!!", "-", "--", "- -", "(", ")", "((", "<->", "<2>", ":*", ":A", " or ", " OR or ",
	"and", "*", ";", "; DROP TABLE tasks", "$1", "$$", "$x$", "{", "}", "[", "]", "?", "??", "::text", "/*", "*/", "`", "\t", "\n", "\r", "\u00a0",
	"\u202e", "\u200b", "\ufeff", "é", "e\u0301", "ß", "İ", "日本", "😀", "\U0010ffff", "0x", "1e999", "http://x/?a=%00", "a@b.c", "a/b/c", "-1.5e-7",
	"window", strings.Repeat("x", 2_000), strings.Repeat("-", 100), strings.Repeat("- ", 100), strings.Repeat("-(", 100),
	strings.Repeat(`-""`, 100), strings.Repeat(`-"a`, 100), strings.Repeat("-\u200b", 100), strings.Repeat("(", 100), strings.Repeat(`"a" or `, 100),
}

// Any search text returns a page or is rejected, and never causes an internal error.
func TestHostileSearches(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	storetest.Human(t, s, func(h *market.Human) { h.Available = true })
	random := rand.New(rand.NewPCG(7, 7))
	const searches = 500
	for range searches {
		var text strings.Builder
		for range 1 + random.IntN(6) {
			text.WriteString(hostile[random.IntN(len(hostile))])
		}
		wantAnswered(t, s, text.String())
	}
	wantAnswered(t, s, strings.Repeat("word ", 2_000))
	wantAnswered(t, s, strings.Repeat("w", 10_000))
	if page := storetest.Must(s.Board(t.Context(), store.PageQuery{})); len(page.Items) != 1 {
		t.Errorf("the board has %d tasks after all searches, want 1", len(page.Items))
	}
}

func wantAnswered(t *testing.T, s *store.Store, text string) {
	t.Helper()
	tasks := store.TaskQuery{Scope: store.ScopeBoard}
	for name, change := range map[string]func(*store.TaskQuery){
		"q":     func(q *store.TaskQuery) { q.Q = text },
		"skill": func(q *store.TaskQuery) { q.Skill = text },
		"place": func(q *store.TaskQuery) { q.Place = text },
		"agent": func(q *store.TaskQuery) { q.AgentUsername = text },
	} {
		query := tasks
		change(&query)
		if _, err := s.Tasks(t.Context(), query); err != nil && market.KindOf(err) != market.KindInvalid {
			t.Errorf("Tasks(%s %q) error = %v", name, text, err)
		}
	}
	for name, query := range map[string]store.HumanQuery{"q": {Q: text}, "skill": {Skill: text}, "place": {Place: text}} {
		if _, err := s.AvailableHumans(t.Context(), query); err != nil && market.KindOf(err) != market.KindInvalid {
			t.Errorf("AvailableHumans(%s %q) error = %v", name, text, err)
		}
	}
}
