package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files with secrets are neither committed nor sent to an image build: .env files of any name in any
// folder, the secrets of Compose, and the state of the development world. Programs that were built are not committed.
func TestSecretsAndProgramsAreIgnored(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "--quiet", folder).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(read(t, ".gitignore")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".env", ".env.production", "deploy/.env", "web/.env.local", ".secrets/session_keys", ".dev/env", "cmd/taskmarket/taskmarket", "cmd/taskmarketd/taskmarketd", "taskmarketd"} {
		ignores := exec.CommandContext(t.Context(), "git", "-C", folder, "check-ignore", "--quiet", "--no-index", path)
		if out, err := ignores.CombinedOutput(); err != nil {
			t.Errorf(".gitignore does not ignore %s: %v: %s", path, err, out)
		}
	}
	docker := strings.Fields(read(t, ".dockerignore"))
	for _, pattern := range []string{"**/.env", "**/.env.*", ".secrets", ".dev", ".git"} {
		if !slices.Contains(docker, pattern) {
			t.Errorf(".dockerignore does not list %s", pattern)
		}
	}
	for _, line := range docker {
		if strings.HasPrefix(line, "!") {
			t.Errorf(".dockerignore includes files again: %s", line)
		}
	}
}
