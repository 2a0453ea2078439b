package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// moderates returns a function that runs `taskmarketd admin moderation`.
func moderates(t *testing.T, s *store.Store) func(arguments ...string) (string, error) {
	t.Helper()
	t.Setenv(prefix+"DATABASE_URL", storetest.URL(t, s))
	t.Setenv(prefix+"ALLOW_PLAINTEXT", "database")
	return func(arguments ...string) (string, error) {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetArgs(append([]string{"admin", "moderation"}, arguments...))
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
}

// The commands list, show, decide and lift, and another person decides an appeal. The audit log has the
// moderators' names.
func TestModerationCommands(t *testing.T) {
	s := storetest.New(t)
	run := moderates(t, s)
	must := func(arguments ...string) string {
		t.Helper()
		out, err := run(arguments...)
		if err != nil {
			t.Fatalf("%q = %v", arguments, err)
		}
		return out
	}
	human, reporter := storetest.Human(t, s), storetest.Human(t, s)
	_, err := s.AddReport(t.Context(), store.NewReport{
		ID: uuid.Must(uuid.NewV7()), Reporter: market.Principal{Kind: market.PrincipalHuman, ID: reporter.ID},
		Kind: market.SubjectProfile, Subject: human.Username, Category: market.ReportFraud, Comment: "A fraud\x1b[2J.",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := must("queue"); !strings.Contains(got, "1 reports, 0 held tasks (0 overdue), 0 appeals") || !strings.Contains(got, human.ID.String()) {
		t.Errorf("queue = %s", got)
	}
	if got := must("show", "profile", human.Username, "--as", "ada"); !strings.Contains(got, `A fraud\x1b[2J.`) || strings.Contains(got, reporter.ID.String()) {
		t.Errorf("show = %s", got)
	}
	if out, err := run("decide", "profile", human.Username, "suspend", "--as", "ada"); err == nil {
		t.Errorf("decide without a statement = %s", out)
	}
	id := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(must("decide", "profile", human.Username, "suspend", "--facts", "A fraud.", "--clause", "3", "--as", "ada"))
	a := market.Appeal{ID: uuid.Must(uuid.NewV7()), DecisionID: uuid.MustParse(id), Statement: "No."}
	if _, err := s.AddAppeal(t.Context(), a, human.ID); err != nil {
		t.Fatal(err)
	}
	if got := must("show", "profile", human.ID.String(), "--as", "ben"); !strings.Contains(got, id) || !strings.Contains(got, a.ID.String()) {
		t.Errorf("show = %s", got)
	}
	if _, err := run("appeal", a.ID.String(), "reversed", "--reasons", "Right.", "--as", "ada"); market.KindOf(err) != market.KindForbidden {
		t.Errorf("an appeal decided by the first person = %v", err)
	}
	must("appeal", a.ID.String(), "upheld", "--reasons", "It was a fraud.", "--as", "ben")
	must("lift", id, "--as", "cyd")
	if _, err := run("lift", id, "--as", "cyd"); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("lift twice = %v", err)
	}
	for _, name := range []string{"a b", strings.Repeat("x", 98)} {
		if _, err := run("queue", "--as", name); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
	entries, err := s.AuditLog(t.Context(), store.AuditQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var acts []string
	for _, e := range slices.Backward(entries) {
		if e.Operator != "" {
			acts = append(acts, string(e.Kind)+" "+e.Operator)
		}
	}
	want := []string{"report_read cli:ada", "decision cli:ada", "report_read cli:ben", "appeal_decision cli:ben", "decision_lifted cli:cyd"}
	if !slices.Equal(acts, want) {
		t.Errorf("acts = %q, want %q", acts, want)
	}
}
