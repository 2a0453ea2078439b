package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	for _, arg := range []string{"version", "--version"} {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetArgs([]string{arg})
		if err := root.ExecuteContext(t.Context()); err != nil || !strings.HasPrefix(out.String(), "taskmarketd "+version+", ") {
			t.Errorf("taskmarketd %s prints %q, %v", arg, out.String(), err)
		}
	}
}
