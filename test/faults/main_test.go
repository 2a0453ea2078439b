package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"taskmarket/test/process"
)

// For the alert of each fault, the runbook states when the alert is over.
func TestEndOfEachFaultIsInTheRunbook(t *testing.T) {
	root, err := process.ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(runbook(root))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range faults {
		if got := end(string(text), f.alert); !strings.HasPrefix(got, "when ") || !strings.HasSuffix(got, ".") || strings.ContainsAny(got, "#\n") {
			t.Errorf("%s: the section %s ends %q, want one sentence or more that begin with when", name, f.alert, got)
		}
	}
	const two = "\n### A\n\n**Meaning:** x.\n\n**Over** when a\nis 0. Then\nwait.\n\n### B\n\n**Over** within b.\n"
	for section, want := range map[string]string{"A": "when a is 0. Then wait.", "B": "within b.", "C": ""} {
		if got := end(two, section); got != want {
			t.Errorf("end(%s) = %q, want %q", section, got, want)
		}
	}
}

// The files remain for a while after the end of the exercise, so that the operator can read them. On a
// terminal, Enter or the end of the input ends the wait.
func TestFilesRemainAfterTheEnd(t *testing.T) {
	for name, test := range map[string]struct {
		in        io.Reader // nil if it is not a terminal
		cancelled bool
		want      time.Duration
	}{
		"no terminal":          {nil, false, 10 * time.Second},
		"a terminal":           {new(silence), false, 30 * time.Second},
		"Enter on a terminal":  {strings.NewReader("\n"), false, 0},
		"the end of the input": {strings.NewReader(""), false, 0},
		"an interrupt":         {new(silence), true, 0},
	} {
		synctest.Test(t, func(t *testing.T) { // with a virtual clock
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.cancelled {
				cancel()
			}
			var out bytes.Buffer
			began := time.Now()
			linger(ctx, test.in, &out)
			if took := time.Since(began); took != test.want {
				t.Errorf("%s: the files remain for %s, want %s", name, took, test.want)
			}
			if out.Len() == 0 {
				t.Errorf("%s: nothing was printed", name)
			}
			time.Sleep(time.Minute) // until the read of the input returns
		})
	}
}

// silence is an input that provides nothing for a minute and then ends.
type silence struct{}

func (silence) Read([]byte) (int, error) {
	time.Sleep(time.Minute)
	return 0, io.EOF
}
