// Package release tests that a copy of the repository can be renamed and released, and that a
// program of another module builds against the published library.
package release

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	modulePath = "example.com/you/taskmarket"
	version    = "v0.1.0"
)

// The commands and the program of docs/clients.md are run as they are written.
func TestReleasedModuleCanBeImported(t *testing.T) {
	guide := readGuide(t)
	root := copyRepository(t)
	shell(t, root, nil, guide.publish)
	dist := filepath.Join(root, "dist")

	binary := filepath.Join(dist, "taskmarket-"+runtime.GOOS+"-"+runtime.GOARCH)
	if out := run(t, root, nil, binary, "version"); !strings.Contains(out, version) {
		t.Errorf("taskmarket version = %q, want %s in it", out, version)
	}
	checkSums(t, dist)
	checkSBOM(t, filepath.Join(dist, "taskmarket.cdx.json"))

	user := filepath.Join(filepath.Dir(root), "agent")
	if err := os.Mkdir(user, 0o755); err != nil {
		t.Fatal(err)
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"status":"ok","reasons":[],"version":"1.2.3","database":"ok","chain":{},"added_later":1}`)
	}))
	defer service.Close()
	forget(t)
	t.Cleanup(func() { forget(t) })
	environment := []string{"GOFLAGS=-modcacherw", "GODEBUG=goindex=0", "TASKMARKET_API_URL=" + service.URL}
	const want = "version 1.2.3 is ok; work can be disputed for 24h0m0s\n"
	shell(t, user, environment, guide.use)
	write(t, filepath.Join(user, "main.go"), guide.program)
	if out := run(t, user, environment, "go", "run", "."); out != want {
		t.Errorf("with a version, the program printed %q", out)
	}
	shell(t, user, environment, guide.replace)
	if out := run(t, user, environment, "go", "run", "."); out != want {
		t.Errorf("with the clone, the program printed %q", out)
	}
}

// importing contains the commands and the program of the section "Import the Go library".
type importing struct{ publish, use, program, replace string }

func readGuide(t *testing.T) importing {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "clients.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Import the Go library\n")
	section, _, _ = strings.Cut(section, "\n## ")
	before, rest, _ := strings.Cut(section, "```go\n")
	program, after, found := strings.Cut(rest, "```\n")
	publish := blocks(before)
	replace := blocks(after)
	if !found || len(publish) != 2 || len(replace) != 1 {
		t.Fatalf("docs/clients.md has %d blocks, a program: %t, and %d blocks", len(publish), found, len(replace))
	}
	return importing{publish: publish[0], use: publish[1], program: program, replace: replace[0]}
}

// blocks returns the indented blocks of a document.
func blocks(text string) []string {
	var list []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(paragraph, "    ") {
			list = append(list, strings.ReplaceAll("\n"+paragraph, "\n    ", "\n"))
		}
	}
	return list
}

// forget removes the module from the module cache, which otherwise keeps the version of an earlier release.
func forget(t *testing.T) {
	t.Helper()
	cache := strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE"))
	for _, folder := range []string{filepath.Join(cache, modulePath+"@"+version), filepath.Join(cache, "cache", "download", modulePath)} {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// shell runs commands of docs/clients.md.
func shell(t *testing.T, dir string, environment []string, commands string) {
	t.Helper()
	identity := []string{
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com",
	}
	run(t, dir, append(identity, environment...), "sh", "-eu", "-c", commands)
}

func TestReleaseRejectsChangedTreeAndInvalidVersion(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module "+modulePath+"\n")
	commit(t, root)
	write(t, filepath.Join(root, "new.go"), "package taskmarket\n")
	for name, number := range map[string]string{"changes": version, "not like v1.2.3": "1.0", "is not like": "v1"} {
		command := exec.Command("go", "run", "-C", "../../tools", "./release", "-root", root, "-version", number)
		out, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(out), name) {
			t.Errorf("release %s: %v, want an error with %q\n%s", number, err, name, out)
		}
	}
}

// copyRepository copies the files of this work tree that git does not ignore to a new folder.
func copyRepository(t *testing.T) string {
	t.Helper()
	source, target := filepath.Join("..", ".."), filepath.Join(t.TempDir(), "taskmarket")
	list := run(t, source, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for path := range strings.SplitSeq(strings.TrimRight(list, "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(source, path))
		if err != nil { // the file was deleted, but is still in the index
			continue
		}
		text, err := os.ReadFile(filepath.Join(source, path))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(target, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, target)
	return target
}

func commit(t *testing.T, root string) {
	t.Helper()
	run(t, root, nil, "git", "init", "--quiet")
	run(t, root, nil, "git", "add", "--all")
	run(t, root, nil, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message", "release")
}

func checkSums(t *testing.T, dist string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	names := string(text)
	for _, want := range []string{"taskmarket-", "taskmarket.cdx.json", version + ".zip"} {
		if !strings.Contains(names, want) {
			t.Errorf("SHA256SUMS lacks %s:\n%s", want, names)
		}
	}
	for line := range strings.Lines(names) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		content, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(content)); got != sum {
			t.Errorf("%s: sum %s, want %s", name, sum, got)
		}
	}
}

func checkSBOM(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		BOMFormat  string
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, component := range document.Components {
		found = found || component.Name == "github.com/ethereum/go-ethereum" && component.Version != ""
	}
	if document.BOMFormat != "CycloneDX" || !found {
		t.Errorf("the SBOM does not list go-ethereum:\n%s", text)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, environment []string, name string, args ...string) string {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), environment...)
	var out, problems strings.Builder
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.String(), problems.String())
	}
	return out.String()
}
