package store_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

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
