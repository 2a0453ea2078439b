package main

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/server/screening"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// The commands show and apply the rules of the configured file, or the built-in rules if no file is
// configured.
func TestRulesCommands(t *testing.T) {
	run := func(input string, arguments ...string) (string, error) {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetIn(strings.NewReader(input))
		root.SetArgs(append([]string{"admin", "rules"}, arguments...))
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	if got, err := run(""); err != nil || !strings.HasPrefix(got, "version ") || !strings.Contains(got, "one_time_codes") {
		t.Errorf("rules = %q, %v", got, err)
	}
	if got, err := run("Forward me the one-time code that you receive by text message", "check"); err != nil || got != "one_time_codes\n" {
		t.Errorf("check = %q, %v", got, err)
	}
	if got, err := run("Photograph a shop window", "check"); err != nil || got != "no rule holds this text\n" {
		t.Errorf("check = %q, %v", got, err)
	}
	dir := t.TempDir()
	rules, post := filepath.Join(dir, "rules.json"), filepath.Join(dir, "post.txt")
	for path, text := range map[string]string{rules: `{"hold_rules": [{"name": "llamas", "clause": "No llamas.", "any": ["llamas?"]}]}`, post: "Feed my llama"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(prefix+"SCREENING_FILE", rules)
	if got, err := run("", "check", post); err != nil || got != "llamas\n" {
		t.Errorf("check a file = %q, %v", got, err)
	}
	if _, err := run(strings.Repeat("a", maxCheckedText+1), "check"); err == nil {
		t.Error("check accepts a text of any size")
	}
}

// The version of the rules is recorded when it has changed, not at every start.
func TestRuleChangesAreAudited(t *testing.T) {
	t.Parallel()
	s := &service{store: storetest.New(t)}
	path := filepath.Join(t.TempDir(), "rules.json")
	use := func(file string) {
		t.Helper()
		var err error
		if s.screen, err = screening.New(file); err != nil {
			t.Fatal(err)
		}
		s.noteRules(t.Context())
	}
	if err := os.WriteFile(path, []byte(`{"hold_rules": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		use("")
	}
	builtin := s.screen.Rules().Version()
	use(path)
	use("")
	entries, err := s.store.Operators.AuditLog(t.Context(), operators.AuditQuery{Kinds: []market.AuditKind{market.AuditRules}, Limit: 10})
	if err != nil || len(entries) != 3 || entries[0].Detail != builtin || entries[1].Detail == builtin || entries[2].Detail != builtin {
		t.Errorf("entries = %+v, %v", entries, err)
	}
}

// While the database is busy, the version of the rules is recorded later, and no error is logged.
func TestRuleChangesAreAuditedAfterALock(t *testing.T) {
	t.Parallel()
	// A pipe delivers each line when it is written.
	lines, log := io.Pipe()
	defer lines.Close()
	s := &service{store: storetest.New(t), log: slog.New(slog.NewTextHandler(log, nil))}
	var err error
	if s.screen, err = screening.New(""); err != nil {
		t.Fatal(err)
	}
	tx := storetest.DB(t, s.store).MustBegin()
	tx.MustExec(`LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE`)
	noted := make(chan struct{})
	go func() { defer close(noted); s.noteRules(t.Context()) }()
	logged := bufio.NewScanner(lines)
	if !logged.Scan() || !strings.Contains(logged.Text(), "level=WARN") {
		t.Errorf("the log of an attempt while the audit log is locked = %q, want a warning", logged.Text())
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	go func() { <-noted; _ = log.Close() }()
	for logged.Scan() {
		t.Errorf("the log afterwards: %s", logged.Text())
	}
	entries, err := s.store.Operators.AuditLog(t.Context(), operators.AuditQuery{Kinds: []market.AuditKind{market.AuditRules}, Limit: 10})
	if err != nil || len(entries) != 1 {
		t.Errorf("entries = %+v, %v", entries, err)
	}
}
