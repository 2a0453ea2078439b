package pg_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

// startCluster starts a separate cluster in a directory that PostgreSQL's system user can enter.
func startCluster(t *testing.T, dir string) *localpg.Cluster {
	t.Helper()
	c, err := localpg.Start(t.Context(), localpg.Options{Dir: dir, Settings: []string{"wal_level=replica"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop() })
	return c
}

// startPair starts a primary and a standby that follows it, and returns the URL of the primary.
func startPair(t *testing.T) (primary, standby *localpg.Cluster, primaryURL string) {
	t.Helper()
	primary, dir := startCluster(t, storetest.OpenDir(t)), storetest.OpenDir(t)
	u, err := url.Parse(primary.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	source := fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s'", primary.Port(), u.User.Username(), password)
	if err := primary.Backup(t.Context(), dir, localpg.StandbySignal, source); err != nil {
		t.Fatal(err)
	}
	return primary, startCluster(t, dir), u.String()
}

// Only a standby that follows the primary is used: neither a server of another cluster nor a standby
// that was promoted, even if it has all records of the former primary.
func TestStandbyMustFollowThePrimary(t *testing.T) {
	t.Parallel()
	primary, standby, primaryURL := startPair(t)
	follows := func(standbyURL string) bool {
		t.Helper()
		s := storetest.Open(t, primaryURL, store.WithStandby(standbyURL))
		opened := time.Now()
		time.Sleep(2 * time.Second)
		age, ok := s.StandbyAge(t.Context())
		if !ok {
			t.Fatal("the store has no standby")
		}
		return age < time.Since(opened)-1500*time.Millisecond // the age uses the wall clock, which can step back by a second
	}
	for end := time.Now().Add(time.Minute); !follows(standby.URL("postgres")); {
		if time.Now().After(end) {
			t.Fatal("the standby is not used")
		}
	}
	if follows(storetest.URL(t, storetest.New(t))) {
		t.Error("a server of another cluster is used")
	}
	if follows(primary.URL("postgres")) {
		t.Error("the primary is used as its own standby")
	}
	direct, err := sqlx.ConnectContext(t.Context(), "postgres", standby.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	direct.MustExecContext(t.Context(), `SELECT pg_promote()`)
	if follows(standby.URL("postgres")) {
		t.Error("a promoted standby is used")
	}
}

// withheldWorld is a store with a standby, and two records of each list that it serves.
type withheldWorld struct {
	s       *store.Store
	standby *sqlx.DB
	tasks   [2]market.Task
	humans  [2]market.Human
	changed int // number of changes to the second records
}

// lists returns the titles of the board and the names of the available humans. stale is true if the
// standby served them, because it does not have the last change to the second records.
func (w *withheldWorld) lists(t *testing.T) (titles, names []string, stale bool) {
	t.Helper()
	for _, task := range storetest.Must(w.s.Board(t.Context(), store.PageQuery{})).Items {
		titles = append(titles, task.Title)
	}
	for _, human := range storetest.Must(w.s.AvailableHumans(t.Context(), store.HumanQuery{})).Items {
		names = append(names, human.Name)
	}
	last := fmt.Sprintf("change %d", w.changed)
	return titles, names, !slices.Contains(titles, last) && !slices.Contains(names, last)
}

// pause brings the standby up to date, stops its replay, and changes the second records.
func (w *withheldWorld) pause(t *testing.T) {
	t.Helper()
	w.standby.MustExecContext(t.Context(), `SELECT pg_wal_replay_resume()`)
	if _, ok := w.s.StandbyAge(t.Context()); !ok {
		t.Fatal("the store has no standby")
	}
	w.standby.MustExecContext(t.Context(), `SELECT pg_wal_replay_pause()`)
	for paused := false; !paused; {
		if err := w.standby.GetContext(t.Context(), &paused, `SELECT pg_get_wal_replay_pause_state() = 'paused'`); err != nil {
			t.Fatal(err)
		}
	}
	w.changed++
	text := fmt.Sprintf("change %d", w.changed)
	storetest.Execute(t, w.s, `UPDATE tasks SET title = $2 WHERE id = $1`, w.tasks[1].ID, text)
	storetest.Execute(t, w.s, `UPDATE users SET name = $2 WHERE id = $1`, w.humans[1].ID, text)
}

// A record that a measure withholds leaves the lists at once, although the standby that serves them still
// has it.
func TestStandbyServesNoWithheldRecords(t *testing.T) {
	t.Parallel()
	primary, standby, primaryURL := startPair(t)
	if _, err := schema.Migrate(t.Context(), primaryURL); err != nil {
		t.Fatal(err)
	}
	w := withheldWorld{s: storetest.Open(t, primary.URL("postgres"), store.WithStandby(standby.URL("postgres")))}
	var err error
	if w.standby, err = sqlx.ConnectContext(t.Context(), "postgres", standby.URL("postgres")); err != nil {
		t.Fatal(err)
	}
	defer w.standby.Close()
	agent := storetest.Agent(t, w.s)
	for i := range w.tasks {
		w.tasks[i] = storetest.Escrowed(t, w.s, storetest.Task(t, w.s, agent, func(task *market.Task) { task.Title = fmt.Sprintf("task %d", i) }), storetest.Genesis, nil)
		w.humans[i] = storetest.Human(t, w.s)
		storetest.Execute(t, w.s, `UPDATE humans SET available = true WHERE id = $1`, w.humans[i].ID)
	}
	for end := time.Now().Add(time.Minute); ; {
		w.pause(t)
		hidden := storetest.Must(w.s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(w.tasks[0]), market.MeasureHide, "ada")))
		suspended := storetest.Must(w.s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: w.humans[0].ID}, market.MeasureSuspend, "ada")))
		titles, names, stale := w.lists(t)
		if slices.Contains(titles, w.tasks[0].Title) || slices.Contains(names, w.humans[0].Name) {
			t.Errorf("withheld records are listed: %q and %q", titles, names)
		}
		if len(titles) != 1 || len(names) != 1 {
			t.Errorf("%d tasks and %d humans are listed, want one of each", len(titles), len(names))
		}
		if stale {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the standby served no list in a minute")
		}
		storetest.Must(w.s.Moderation.Lift(t.Context(), hidden.ID, "ada"))
		storetest.Must(w.s.Moderation.Lift(t.Context(), suspended.ID, "ada"))
	}
}

// Only two lists read from the standby. It must never be used for authorisation, suspensions, keys,
// sessions, decisions or the position of events.
func TestStandbyServesOnlyPublicLists(t *testing.T) {
	t.Parallel()
	files := slices.Concat(storetest.Must(filepath.Glob("../../*.go")), storetest.Must(filepath.Glob("../../*/*.go")))
	users := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && isFunc && (s.Sel.Name == "standby" || s.Sel.Name == "SelectRecentPage") {
					users[f.Name.Name] = true
				}
				return true
			})
		}
	}
	got := slices.Sorted(maps.Keys(users))
	want := []string{"AvailableHumans", "Board", "Close", "New", "StandbyAge"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("functions that use the standby (-want +got):\n%s", diff)
	}
}
