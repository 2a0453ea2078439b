package store_test

import (
	"encoding/base64"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

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
