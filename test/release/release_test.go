// Package release tests that a copy of the repository can be renamed and released, and that a
// program of another module builds against the published library.
package release

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// program is a program that uses the library.
const program = `package main

import (
	"fmt"

	"example.com/you/taskmarket/client"
	"example.com/you/taskmarket/market"
)

func main() {
	fmt.Println(market.DisputeWindow, client.ErrUnavailable != nil)
}
`

func TestReleasedModuleCanBeImported(t *testing.T) {
	root := copyRepository(t)
	run(t, root, nil, "make", "--no-print-directory", "module-path", "MODULE="+modulePath)
	commit(t, root)
	platform := runtime.GOOS + "/" + runtime.GOARCH
	run(t, root, nil, "go", "run", "-C", "tools", "./release", "-version", version, "-platforms", platform, "-programs", "taskmarket")
	dist := filepath.Join(root, "dist")

	binary := filepath.Join(dist, "taskmarket-"+runtime.GOOS+"-"+runtime.GOARCH)
	if out := run(t, root, nil, binary, "version"); !strings.Contains(out, version) {
		t.Errorf("taskmarket version = %q, want %s in it", out, version)
	}
	checkSums(t, dist)
	checkSBOM(t, filepath.Join(dist, "taskmarket.cdx.json"))

	user := t.TempDir()
	write(t, filepath.Join(user, "main.go"), program)
	proxies := strings.TrimSpace(run(t, user, nil, "go", "env", "GOPROXY"))
	environment := []string{
		"GOPROXY=file://" + filepath.Join(dist, "proxy") + "," + proxies, "GONOSUMDB=" + modulePath, "GOFLAGS=-mod=mod -modcacherw",
	}
	run(t, user, environment, "go", "mod", "init", "example.com/user")
	run(t, user, environment, "go", "get", modulePath+"@"+version)
	if out := run(t, user, environment, "go", "run", "."); out != "24h0m0s true\n" {
		t.Errorf("the user's program printed %q", out)
	}
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
	source, target := filepath.Join("..", ".."), t.TempDir()
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
