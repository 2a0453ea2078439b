package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// moderates returns a function that runs `taskmarketd admin moderation`.
func moderates(t *testing.T, s *store.Store) func(arguments ...string) (string, error) {
	t.Helper()
	t.Setenv(prefix+"DATABASE_URL", storetest.URL(t, s))
	return func(arguments ...string) (string, error) {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetArgs(append([]string{"admin", "moderation"}, arguments...))
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
}

// The commands list reports, show records, impose measures and lift them. The moderator of a decision cannot
// decide an appeal against it. The audit log contains the name of the operating system's user.
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
	_, err := s.Moderation.AddReport(t.Context(), moderation.NewReport{
		ID: uuid.Must(uuid.NewV7()), Reporter: market.Principal{Kind: market.PrincipalHuman, ID: reporter.ID},
		Kind: market.SubjectProfile, Subject: human.Username, Category: market.ReportFraud, Comment: "A fraud\x1b[2J.",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := must("queue"); !strings.Contains(got, "1 reports, 0 held tasks (0 overdue), 0 appeals") || !strings.Contains(got, human.ID.String()) {
		t.Errorf("queue = %s", got)
	}
	if got := must("show", "profile", human.Username); !strings.Contains(got, `A fraud\x1b[2J.`) || strings.Contains(got, reporter.ID.String()) {
		t.Errorf("show = %s", got)
	}
	if out, err := run("decide", "profile", human.Username, "suspend"); err == nil {
		t.Errorf("decide without a statement = %s", out)
	}
	id := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(must("decide", "profile", human.Username, "suspend", "--facts", "A fraud.", "--clause", "3"))
	a := market.Appeal{ID: uuid.Must(uuid.NewV7()), DecisionID: uuid.MustParse(id), Statement: "No."}
	if _, err := s.Moderation.AddAppeal(t.Context(), a, human.ID); err != nil {
		t.Fatal(err)
	}
	if got := must("show", "profile", human.ID.String()); !strings.Contains(got, id) || !strings.Contains(got, a.ID.String()) {
		t.Errorf("show = %s", got)
	}
	if _, err := run("appeal", a.ID.String(), "reversed", "--reasons", "Right."); market.KindOf(err) != market.KindForbidden {
		t.Errorf("an appeal decided by the first person = %v", err)
	}
	must("lift", id)
	if _, err := run("lift", id); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("lift twice = %v", err)
	}
	entries, err := s.Operators.AuditLog(t.Context(), operators.AuditQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var acts []string
	for _, e := range slices.Backward(entries) {
		if e.Operator != "" {
			acts = append(acts, string(e.Kind)+" "+e.Operator)
		}
	}
	name := market.OriginOf(byOperator(t.Context())).Operator
	want := []string{"report_read " + name, "decision " + name, "report_read " + name, "decision_lifted " + name}
	if !slices.Equal(acts, want) {
		t.Errorf("acts = %q, want %q", acts, want)
	}
}

// The download command writes a reported file to a new file, and refuses a file without a report.
func TestDownloadReportedFile(t *testing.T) {
	s := storetest.New(t)
	run := moderates(t, s)
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "evidence")
	t.Setenv(prefix+"BLOB_URL", "file://"+dir)
	agent := storetest.Agent(t, s)
	file := market.File{
		ID: uuid.Must(uuid.NewV7()), TaskID: storetest.Task(t, s, agent).ID, Filename: "photo.jpg", ContentType: "image/jpeg", Size: 3,
		UploaderKind: market.PrincipalAgent, UploaderID: agent.ID,
	}
	if err := s.AddFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	bucket, err := openFiles(t.Context(), "file://"+dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(bucket.WriteAll(t.Context(), file.ID.String(), []byte("jpg"), nil), bucket.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := run("download", file.ID.String(), to); market.KindOf(err) != market.KindForbidden {
		t.Errorf("download without a report = %v", err)
	}
	storetest.DB(t, s).MustExec(`
		INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		VALUES ($1, $2, 'human', 'file', $3, $4, 'fraud')`, uuid.Must(uuid.NewV7()), storetest.Human(t, s).ID, file.ID, agent.ID)
	if _, err := run("download", file.ID.String(), to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "jpg" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if _, err := run("download", file.ID.String(), to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("download over a file = %v", err)
	}
}
