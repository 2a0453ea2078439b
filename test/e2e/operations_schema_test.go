//go:build operations

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskmarket/test/process"
)

// TestOperationsReleasedMigrations: no release's migrations have changed since, because they have run on its
// databases.
func TestOperationsReleasedMigrations(t *testing.T) {
	root, err := process.ModuleRoot()
	must(t, err)
	checkHistory(t, root)
	for _, tag := range strings.Fields(git(t, root, "tag", "--list", "v[0-9]*")) {
		if changed := git(t, root, "diff", "--name-only", "--no-renames", "--diff-filter=a", tag, "--", "migrations/*.sql"); changed != "" {
			t.Errorf("these migrations of %s have changed; undo it and write new ones:\n%s", tag, changed)
		}
	}
}

// TestOperationsOldCodeNewSchema: at the commit before the newest migration, the tests of the store and
// the server pass with the current schema, because servers of the previous version run during and
// after a migration. If the newest migration is not committed, that commit is HEAD. The first migration has no
// previous version: as long as it is the only one, the tests run with the code of HEAD.
func TestOperationsOldCodeNewSchema(t *testing.T) {
	root, err := process.ModuleRoot()
	must(t, err)
	checkHistory(t, root)
	migrations, err := filepath.Glob(filepath.Join(root, "migrations", "*_*.sql"))
	must(t, err)
	newest, commit := slices.Max(migrations), "HEAD"
	if len(migrations) > 1 {
		commit = commitBefore(t, root, newest)
	}
	old := git(t, root, "rev-parse", commit)
	t.Logf("code of %s, schema of %s", git(t, root, "log", "-1", "--format=%h (%s)", old), filepath.Base(newest))

	dir := openDir(t)
	archive := filepath.Join(dir, "old.tar")
	git(t, root, "archive", "--output", archive, old)
	if output, err := exec.Command("tar", "-xf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("extract the old code: %v: %s", err, output)
	}
	replaced, err := filepath.Glob(filepath.Join(dir, "migrations", "*_*.sql"))
	must(t, err)
	for _, path := range replaced {
		must(t, os.Remove(path))
	}
	for _, path := range migrations {
		statements, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "migrations", filepath.Base(path)), statements, 0o600))
	}

	tools, err := process.ToolsDir()
	must(t, err)
	// The skipped test compares the old code's list of columns with the schema. It fails after each migration
	// that adds a column, although the behaviour is correct.
	tests := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-timeout", "40m", "-skip", "^TestEveryColumnHasAClass$",
		"./store", "./store/internal/...", "./server/...")
	tests.Dir, tests.Env = dir, append(os.Environ(), "TASKMARKET_TOOLS_DIR="+tools)
	tests.Stdout, tests.Stderr = t.Output(), t.Output()
	if err := tests.Run(); err != nil {
		t.Errorf("the old code does not work with the new schema: %v", err)
	}
}

// checkHistory fails the test if the repository lacks a part of its history.
func checkHistory(tb testing.TB, root string) {
	tb.Helper()
	if git(tb, root, "rev-parse", "--is-shallow-repository") == "true" {
		tb.Fatal("the history is incomplete: run `git fetch --unshallow --tags`, or check out with the full history")
	}
}

// commitBefore returns the parent of the commit that added the file, or HEAD if the file is not
// committed.
func commitBefore(tb testing.TB, root, path string) string {
	tb.Helper()
	added := strings.Fields(git(tb, root, "log", "--no-renames", "--diff-filter=A", "--format=%H", "--", path))
	if len(added) == 0 {
		return "HEAD"
	}
	return added[len(added)-1] + "^"
}

// git returns the output of a Git command in the repository.
func git(tb testing.TB, root string, args ...string) string {
	tb.Helper()
	output, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
	if err != nil {
		tb.Fatalf("this test needs the Git history: git %s: %v: %s", strings.Join(args, " "), err, output)
	}
	return strings.TrimSpace(string(output))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
