package test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixedGenerator matches the versions of oapi-codegen that escape text from the API document in the
// generated code (CVE-2026-119027): 2.8.1 and later.
var fixedGenerator = regexp.MustCompile(`oapi-codegen/v2 v2\.(?:8\.[1-9]|9\.|[1-9]\d+\.)`)

// TestCodeFromOthersIsPinned: packages are installed from lockfiles with hashes and without their
// scripts, images and actions are named by digest, and the committed client and server are the output of
// the pinned generator for openapi.yaml. CI compares all other generated files, too.
func TestCodeFromOthersIsPinned(t *testing.T) {
	t.Parallel()
	t.Run("generated code", func(t *testing.T) { t.Parallel(); wantGenerated(t) })
	t.Run("packages", wantPinnedPackages)
	install := regexp.MustCompile(`npm (?:ci|install) .*`)
	for _, path := range []string{"Makefile", "Dockerfile", "docs/clients.md"} {
		for _, command := range install.FindAllString(read(t, path), -1) {
			if !strings.Contains(command, "--ignore-scripts") && !strings.Contains(command, "$(NPM_FLAGS)") {
				t.Errorf("%s: %s runs the scripts of packages", path, command)
			}
		}
	}
	if flags := variable(t, read(t, "Makefile"), "NPM_FLAGS"); !strings.Contains(flags, "--ignore-scripts") {
		t.Errorf("NPM_FLAGS = %s", flags)
	}
	for pattern, files := range map[string][]string{
		`(?m)^FROM (\S+)`:                      {"Dockerfile"},
		`(?m)^\s+image: (?:&\w+ )?([^*\s]\S*)`: {"docker-compose.yml", ".github/workflows/nightly.yml"},
		`uses: (\S+)`:                          {".github/workflows/ci.yml", ".github/workflows/nightly.yml"},
	} {
		for _, path := range files {
			for _, used := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, path), -1) {
				if !digest.MatchString(used[1]) && !strings.HasPrefix(used[1], "taskmarket") && used[1] != "scratch" {
					t.Errorf("%s: %s has no digest", path, used[1])
				}
			}
		}
	}
	if !strings.Contains(read(t, ".ci/run"), "make gen-check") {
		t.Error(".ci/run does not compare the generated files")
	}
}

var digest = regexp.MustCompile(`@(?:sha256:[0-9a-f]{64}|[0-9a-f]{40})$`)

// read returns a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wantGenerated runs the pinned generator and compares its output with the committed files.
func wantGenerated(t *testing.T) {
	t.Helper()
	if !fixedGenerator.MatchString(read(t, "tools/go.mod")) {
		t.Error("tools/go.mod has a vulnerable version of oapi-codegen")
	}
	prepare := exec.CommandContext(t.Context(), "make", "--silent", ".dev/openapi.yaml")
	prepare.Dir = ".."
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("prepare openapi.yaml: %v\n%s", err, out)
	}
	for config, committed := range map[string]string{".oapi-server.yaml": "gen/api/api.gen.go", ".oapi-client.yaml": "gen/client/client.gen.go"} {
		made, settings := filepath.Join(t.TempDir(), "made.go"), filepath.Join(t.TempDir(), "config.yaml")
		text := strings.Replace(read(t, config), "output: "+committed, "output: "+made, 1)
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		generate := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools/go.mod", "oapi-codegen", "-config", settings, ".dev/openapi.yaml")
		generate.Dir = ".."
		if out, err := generate.CombinedOutput(); err != nil {
			t.Fatalf("generate %s: %v\n%s", committed, err, out)
		}
		raw, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(raw, []byte(read(t, committed))) {
			t.Errorf("%s is not the output of the generator for openapi.yaml: run make gen", committed)
		}
	}
}

// wantPinnedPackages fails the test if a lockfile contains a package without a hash, or a module has no
// checksums.
func wantPinnedPackages(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || len(entry.Name()) > 2 && entry.Name()[0] == '.'):
			return filepath.SkipDir
		case entry.Name() == "package-lock.json":
			found++
			wantHashes(t, path)
		case entry.Name() == "requirements.txt":
			found++
			wantRequirements(t, path)
		case entry.Name() == "Cargo.lock":
			found++
			wantCrates(t, path)
		case entry.Name() == "go.mod":
			found++
			if _, err := os.Stat(strings.TrimSuffix(path, "mod") + "sum"); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	if err != nil || found < 8 {
		t.Errorf("%d lists of packages, %v", found, err)
	}
}

// wantHashes fails the test if the lockfile has a package without a hash. Programs for platforms other
// than that of CI may lack one, because npm records a hash only for packages that it could download.
func wantHashes(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Integrity      string
			Link, Optional bool
			CPU, OS        []string
		}
	}
	if err := json.Unmarshal(raw, &lock); err != nil || len(lock.Packages) < 2 {
		t.Fatalf("%s: %d packages, %v", path, len(lock.Packages), err)
	}
	for name, each := range lock.Packages {
		here := slices.Contains(each.OS, "linux") && slices.Contains(each.CPU, "x64") && !strings.HasSuffix(name, "-musl")
		if name != "" && !each.Link && (here || !each.Optional) && !strings.HasPrefix(each.Integrity, "sha512-") {
			t.Errorf("%s: %s has no hash", path, name)
		}
	}
}

// wantCrates fails the test if the lockfile has a crate from the registry without a hash.
func wantCrates(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	crates := strings.Split(string(raw), "[[package]]")[1:]
	if len(crates) < 2 {
		t.Fatalf("%s: %d crates", path, len(crates))
	}
	for _, crate := range crates {
		if strings.Contains(crate, "source =") && !strings.Contains(crate, "checksum =") {
			t.Errorf("%s: no hash in%s", path, crate)
		}
	}
}

func wantRequirements(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), "\\\n", " ")
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "--") && !strings.Contains(line, "--hash=sha256:") {
			t.Errorf("%s: %s has no hash", path, line)
		}
	}
}

// variable returns the value of a variable that is set on one line of a Makefile.
func variable(t *testing.T, makefile, name string) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^` + name + ` *:= (.+)$`).FindStringSubmatch(makefile)
	if match == nil {
		t.Fatalf("the Makefile does not set %s", name)
	}
	return match[1]
}
