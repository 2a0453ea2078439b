package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A control file disappears when its action is done, so that the operator can wait for it.
func TestControlFileRemainsUntilTheActionIsDone(t *testing.T) {
	s := &server{dir: t.TempDir()}
	// A signal before the trap would end the program at once.
	const slow = "#!/bin/sh\ntrap 'sleep 0.3; echo stopped; exit 0' TERM\necho started\nwhile :; do sleep 0.05; done\n"
	if err := os.WriteFile(s.program(), []byte(slow), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.write(nil), s.start()); err != nil {
		t.Fatal(err)
	}
	logged := func(text string) bool {
		log, _ := os.ReadFile(s.log())
		return strings.Count(string(log), text) > 0
	}
	await := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("timeout: %s", what)
			}
		}
	}
	await("the program", func() bool { return logged("started") })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.obey(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("obey() = %v", err)
		}
	}()
	if err := os.WriteFile(s.path("STOP"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await("the file to disappear", func() bool {
		done := logged("stopped") // read first, because the file disappears after the action
		_, err := os.Stat(s.path("STOP"))
		if err != nil && !done && !logged("stopped") {
			t.Fatal("the file disappeared before the server had stopped")
		}
		return err != nil
	})
}

// A program that no folder contains, or that cannot be executed, is missing.
func TestMissingPrograms(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for path, mode := range map[string]os.FileMode{
		filepath.Join(first, "cast"): 0o700, filepath.Join(second, "curl"): 0o700, filepath.Join(second, "psql"): 0o600,
	} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	path := first + string(os.PathListSeparator) + second
	if got := missingPrograms(path); !slices.Equal(got, []string{"psql"}) {
		t.Errorf("missingPrograms() = %v, want psql", got)
	}
	if err := os.Chmod(filepath.Join(second, "psql"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := missingPrograms(path); len(got) > 0 {
		t.Errorf("missingPrograms() = %v, want none", got)
	}
}
