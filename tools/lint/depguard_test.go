// Package lint_test checks that the import rules in .golangci.yml work. Otherwise, a rule whose
// pattern matches no file would go unnoticed.
package lint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// forbidden lists, for each file, the imports that the linter must refuse there. A rule for a path
// applies to everything below it, so the test imports <path>/leaf, which has no imports.
var forbidden = map[string][]string{
	"market/bad.go":     {"taskmarket/store", "taskmarket/gen", "github.com/jmoiron/sqlx", "github.com/labstack/echo/v4", "database/sql", "net/http", "os", "testing"},
	"migrations/bad.go": {"taskmarket/store", "taskmarket/market", "taskmarket/server", "taskmarket/chain"},
	"store/bad.go": {
		"taskmarket/server", "taskmarket/chain", "taskmarket/gen", "taskmarket/client",
		"taskmarket/test", "taskmarket/store/localpg", "taskmarket/store/storetest", "testing",
	},
	"store/journal/bad.go":    {"taskmarket/store", "taskmarket/store/outbox", "taskmarket/server", "taskmarket/chain", "taskmarket/store/storetest", "testing"},
	"store/moderation/bad.go": {"taskmarket/store", "taskmarket/store/operators", "taskmarket/server", "testing"},
	"store/operators/bad.go":  {"taskmarket/store", "taskmarket/store/moderation", "taskmarket/server", "testing"},
	"store/outbox/bad.go":     {"taskmarket/store", "taskmarket/store/journal", "taskmarket/server", "testing"},
	"store/schema/bad.go":     {"taskmarket/store", "taskmarket/store/journal", "taskmarket/server", "testing"},
	"store/internal/fold/bad.go": {
		"taskmarket/store", "taskmarket/migrations", "taskmarket/server", "taskmarket/chain", "taskmarket/test", "testing",
	},
	"store/internal/onchain/bad.go":  {"taskmarket/store", "taskmarket/store/internal/fold"},
	"store/internal/feed/bad.go":     {"taskmarket/store", "taskmarket/store/internal/fold"},
	"store/internal/auditlog/bad.go": {"taskmarket/store", "taskmarket/store/internal/fold"},
	"store/internal/pg/bad.go": {
		"taskmarket/store", "taskmarket/store/internal/fold", "taskmarket/store/internal/onchain",
		"taskmarket/store/internal/feed", "taskmarket/store/internal/auditlog",
	},
	"store/bad_test.go":      {"taskmarket/server", "taskmarket/chain"},
	"store/storetest/bad.go": {"taskmarket/server", "taskmarket/chain", "taskmarket/gen"},
	"chain/bad.go": {
		"taskmarket/store", "taskmarket/server", "taskmarket/gen/api", "taskmarket/gen/client", "taskmarket/client",
		"taskmarket/test", "taskmarket/chain/devnet", "taskmarket/chain/chaintest",
		"taskmarket/chain/keeper", "taskmarket/chain/audit", "database/sql", "github.com/jmoiron/sqlx", "testing",
	},
	"chain/keeper/bad.go":           {"taskmarket/store", "taskmarket/chain/audit", "taskmarket/gen/contracts", "taskmarket/chain/devnet", "testing"},
	"chain/audit/bad.go":            {"taskmarket/store", "taskmarket/chain/keeper", "taskmarket/chain/chaintest", "testing"},
	"chain/internal/receipt/bad.go": {"taskmarket/chain", "taskmarket/market", "github.com/ethereum/go-ethereum/ethclient", "testing"},
	"chain/bad_test.go":             {"taskmarket/store", "taskmarket/server"},
	"chain/deeper/bad.go":           {"taskmarket/store", "taskmarket/server"},
	"server/bad.go": {
		"taskmarket/chain", "taskmarket/client", "taskmarket/gen/client", "taskmarket/gen/contracts", "taskmarket/test",
		"github.com/ethereum/go-ethereum/ethclient", "github.com/jmoiron/sqlx", "database/sql", "testing",
	},
	"server/gate/bad.go":       {"taskmarket/server", "taskmarket/server/site", "taskmarket/server/social", "taskmarket/chain", "taskmarket/client", "database/sql"},
	"server/site/bad.go":       {"taskmarket/server", "taskmarket/store", "taskmarket/gen/api", "taskmarket/chain"},
	"server/social/bad.go":     {"taskmarket/server", "taskmarket/server/gate", "taskmarket/store", "taskmarket/gen", "github.com/labstack/echo/v4"},
	"server/strictjson/bad.go": {"taskmarket/server", "taskmarket/server/gate", "taskmarket/store", "taskmarket/gen"},
	"client/bad.go": {
		"taskmarket/store", "taskmarket/server", "taskmarket/gen/api", "taskmarket/test",
		"github.com/labstack/echo/v4", "testing",
		"taskmarket/client/mcp", "taskmarket/client/doctor", "taskmarket/client/rescue", "taskmarket/client/signer",
	},
	"client/watch/bad.go":       {"taskmarket/gen/client", "taskmarket/client/mcp", "taskmarket/client/doctor", "taskmarket/server"},
	"client/signer/bad.go":      {"taskmarket/gen/client", "taskmarket/client/mcp", "taskmarket/client/doctor"},
	"client/rescue/bad.go":      {"taskmarket/gen/client", "taskmarket/client/mcp", "taskmarket/client/doctor"},
	"client/internal/tx/bad.go": {"taskmarket/gen/client", "taskmarket/client/watch"},
	"client/visible/bad.go":     {"taskmarket/store", "taskmarket/client/watch"},
	"cmd/taskmarket/bad.go": {
		"taskmarket/store", "taskmarket/server", "taskmarket/gen/api", "taskmarket/test",
		"taskmarket/chain/devnet", "taskmarket/chain/chaintest", "testing",
	},
	"cmd/taskmarket/hire/bad.go": {
		"taskmarket/cmd/taskmarket/money", "taskmarket/cmd/taskmarket/talk",
		"taskmarket/cmd/taskmarket/account", "taskmarket/cmd/taskmarket/operate", "taskmarket/store", "testing",
	},
	"cmd/taskmarket/money/bad.go":          {"taskmarket/cmd/taskmarket/hire"},
	"cmd/taskmarket/talk/bad.go":           {"taskmarket/cmd/taskmarket/hire"},
	"cmd/taskmarket/account/bad.go":        {"taskmarket/cmd/taskmarket/hire"},
	"cmd/taskmarket/operate/bad.go":        {"taskmarket/cmd/taskmarket/hire"},
	"cmd/taskmarket/internal/cli/bad.go":   {"taskmarket/cmd/taskmarket/hire", "taskmarket/cmd/taskmarket/internal/spend", "testing"},
	"cmd/taskmarket/internal/spend/bad.go": {"taskmarket/cmd/taskmarket/money"},
	"test/bad.go":                          {"taskmarket/cmd"},
	"web/bad.go":                           {"taskmarket/cmd"},
}

// allowed lists imports that no rule may refuse.
var allowed = map[string][]string{
	"market/good.go":                 {"github.com/ethereum/go-ethereum/common", "time"},
	"market/good_test.go":            {"testing", "github.com/jmoiron/sqlx"},
	"store/good.go":                  {"taskmarket/market", "taskmarket/migrations", "database/sql", "github.com/jmoiron/sqlx"},
	"store/ok.go":                    {"taskmarket/store/journal", "taskmarket/store/operators", "taskmarket/store/internal/pg"},
	"store/journal/good.go":          {"taskmarket/market", "taskmarket/store/internal/fold", "taskmarket/store/internal/pg"},
	"store/operators/good.go":        {"taskmarket/market", "taskmarket/store/outbox", "taskmarket/store/internal/pg"},
	"store/schema/good.go":           {"taskmarket/migrations", "taskmarket/store/internal/pg"},
	"store/internal/fold/good.go":    {"taskmarket/market", "taskmarket/store/internal/onchain", "taskmarket/store/internal/pg"},
	"store/internal/pg/good.go":      {"taskmarket/market", "database/sql", "github.com/jmoiron/sqlx"},
	"store/internal/pg/good_test.go": {"testing", "taskmarket/store/storetest"},
	"store/localpg/good.go":          {"taskmarket/test", "database/sql"},
	"chain/good.go":                  {"taskmarket/market", "taskmarket/gen/contracts", "github.com/ethereum/go-ethereum/ethclient"},
	"chain/keeper/good.go":           {"taskmarket/chain", "taskmarket/market"},
	"chain/audit/good.go":            {"taskmarket/chain", "taskmarket/market", "taskmarket/gen/contracts"},
	"chain/chaintest/ok.go":          {"testing", "taskmarket/chain/devnet"},
	"server/good.go":                 {"taskmarket/market", "taskmarket/gen/api", "taskmarket/store", "github.com/labstack/echo/v4"},
	"server/good_test.go":            {"taskmarket/gen/client", "taskmarket/store/storetest", "taskmarket/chain", "testing"},
	"server/gate/good.go":            {"taskmarket/server/device", "taskmarket/server/strictjson", "taskmarket/store", "taskmarket/gen/api", "github.com/labstack/echo/v4"},
	"server/gate/ok_test.go":         {"taskmarket/server", "taskmarket/store/storetest"},
	"server/site/good.go":            {"taskmarket/server/gate", "taskmarket/server/social", "taskmarket/server/site/reference", "taskmarket/market"},
	"server/social/good.go":          {"taskmarket/server/strictjson", "taskmarket/market", "net/http"},
	"client/good.go":                 {"taskmarket/market", "taskmarket/gen/client", "taskmarket/gen/contracts", "taskmarket/chain"},
	"client/watch/good.go":           {"taskmarket/market", "taskmarket/chain", "taskmarket/client/internal/node"},
	"client/rescue/good.go":          {"taskmarket/client", "taskmarket/chain", "taskmarket/gen/contracts"},
	"client/doctor/good.go":          {"taskmarket/client", "taskmarket/client/rescue", "taskmarket/gen/client"},
	"client/mcp/good.go":             {"taskmarket/client", "taskmarket/client/visible", "taskmarket/gen/client"},
	"cmd/taskmarket/ok.go":           {"taskmarket/client", "taskmarket/chain", "taskmarket/gen/client"},
	"cmd/taskmarketd/ok.go":          {"taskmarket/store", "taskmarket/chain", "taskmarket/server", "taskmarket/cmd/leaf"},
	"test/e2e/good.go":               {"taskmarket/store", "taskmarket/chain", "taskmarket/server", "taskmarket/client"},
	"gen/contracts/fine.go":          {"github.com/ethereum/go-ethereum/common"},
	"migrations/good.go":             {"embed"},
	"migrations/good_test.go":        {"taskmarket/store", "taskmarket/store/localpg"},

	"cmd/taskmarket/hire/ok.go":             {"taskmarket/cmd/taskmarket/internal/cli", "taskmarket/cmd/taskmarket/internal/spend"},
	"cmd/taskmarket/internal/clitest/ok.go": {"testing"},
	"cmd/taskmarket/internal/spend/ok.go":   {"taskmarket/cmd/taskmarket/internal/cli"},
}

// modules lists the versions of modules that local modules replace, so that nothing is downloaded.
var modules = map[string]string{
	"github.com/ethereum/go-ethereum": "v1.0.0",
	"github.com/jmoiron/sqlx":         "v1.0.0",
	"github.com/labstack/echo/v4":     "v4.0.0",
}

func TestImportRules(t *testing.T) {
	root := t.TempDir()
	copyFile(t, filepath.Join("..", "..", ".golangci.yml"), filepath.Join(root, ".golangci.yml"))
	writeModule(t, root)
	want := map[string]bool{}
	for _, group := range []map[string][]string{forbidden, allowed} {
		for file, imports := range group {
			writeImports(t, root, file, imports)
		}
	}
	for file, imports := range forbidden {
		for _, path := range imports {
			want[file+" imports "+target(path)] = true
		}
	}
	got := findings(t, root)
	for _, finding := range slices.Sorted(maps.Keys(want)) {
		if !got[finding] {
			t.Errorf("not refused: %s", finding)
		}
	}
	for _, finding := range slices.Sorted(maps.Keys(got)) {
		if !want[finding] {
			t.Errorf("refused: %s", finding)
		}
	}
}

// findings runs only depguard on the module and returns "<file> imports <path>" for each finding.
func findings(t *testing.T, root string) map[string]bool {
	t.Helper()
	program, err := exec.Command("go", "tool", "-n", "golangci-lint").Output() // builds the linter if necessary
	if err != nil {
		t.Fatalf("build the linter: %v", err)
	}
	cmd := exec.Command(strings.TrimSpace(string(program)), "run", "--enable-only=depguard", "--issues-exit-code=0",
		"--max-issues-per-linter=0", "--max-same-issues=0", "--show-stats=false", "--output.json.path=stdout")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("run the linter: %v: %s", err, raw)
	}
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct{ Filename string }
		}
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		t.Fatalf("read the linter's report: %v: %s", err, raw)
	}
	found := map[string]bool{}
	for _, issue := range report.Issues {
		quoted := strings.Split(issue.Text, "'") // import 'path' is not allowed from list '…'
		if issue.FromLinter != "depguard" || len(quoted) < 2 {
			t.Fatalf("unexpected finding in %s: %s", issue.Pos.Filename, issue.Text)
		}
		found[filepath.ToSlash(issue.Pos.Filename)+" imports "+quoted[1]] = true
	}
	return found
}

// target returns the package to import for a path: its package leaf, or the path itself for the
// standard library.
func target(path string) string {
	first, _, _ := strings.Cut(path, "/")
	if first != "taskmarket" && !strings.Contains(first, ".") || strings.HasSuffix(path, "/leaf") {
		return path
	}
	return path + "/leaf"
}

func writeImports(t *testing.T, root, file string, imports []string) {
	t.Helper()
	dir := filepath.Dir(file)
	text := fmt.Sprintf("package %s\n\nimport (\n", filepath.Base(dir))
	for _, path := range imports {
		text += fmt.Sprintf("\t_ %q\n", target(path))
		writeLeaf(t, root, target(path))
	}
	write(t, filepath.Join(root, file), text+")\n")
}

// writeLeaf writes an empty package for a path outside the standard library.
func writeLeaf(t *testing.T, root, path string) {
	t.Helper()
	if local, ours := strings.CutPrefix(path, "taskmarket/"); ours {
		write(t, filepath.Join(root, local, "leaf.go"), "package leaf\n")
	} else if strings.Contains(path, ".") {
		write(t, filepath.Join(root, "replaced", path, "leaf.go"), "package leaf\n")
	}
}

func writeModule(t *testing.T, root string) {
	t.Helper()
	text := "module taskmarket\n\ngo 1.26.0\n"
	for path, version := range modules {
		text += fmt.Sprintf("\nrequire %s %s\n\nreplace %s => ./replaced/%s\n", path, version, path, path)
		write(t, filepath.Join(root, "replaced", path, "go.mod"), "module "+path+"\n")
	}
	write(t, filepath.Join(root, "go.mod"), text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(raw))
}
