package main

import (
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	shown := newUser(t).run("version").ok().stdout
	if !strings.HasPrefix(shown, "taskmarket "+version+", ") {
		t.Errorf("taskmarket version prints %q", shown)
	}
	if got := newUser(t).run("--version").ok().stdout; got != shown {
		t.Errorf("taskmarket --version prints %q, want %q", got, shown)
	}
}
