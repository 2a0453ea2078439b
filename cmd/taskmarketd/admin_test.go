package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"
	"gocloud.dev/blob/fileblob"

	"taskmarket/market"
	"taskmarket/server/restorelist"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// An operator erases an account and confirms it with the account's username. The audit log names the
// operator, and the restore list in the file store contains the erasure when the command ends.
func TestEraseCommand(t *testing.T) {
	s := storetest.New(t)
	human, folder := storetest.Human(t, s), t.TempDir()
	t.Setenv(prefix+"DATABASE_URL", storetest.URL(t, s))
	answer := "n\n"
	run := func(arguments ...string) (string, error) {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetErr(io.Discard)
		root.SetIn(strings.NewReader(answer))
		root.SetArgs(append([]string{"admin", "erase"}, arguments...))
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := run(human.ID.String(), human.Username); !errors.Is(err, errNotConfirmed) {
		t.Errorf("erase without a yes = %v", err)
	}
	answer = "y\n"
	if _, err := run(human.ID.String(), human.Username); err == nil || !strings.Contains(err.Error(), "BLOB_URL") {
		t.Errorf("erase without a file store = %v", err)
	}
	t.Setenv(prefix+"BLOB_URL", "file://"+folder)
	for _, arguments := range [][]string{{"x", human.Username}, {human.ID.String(), "another"}, {uuid.NewString(), human.Username}} {
		if out, err := run(arguments...); err == nil {
			t.Errorf("erase %v = %s", arguments, out)
		}
	}
	answer = ""
	out, err := run(human.ID.String(), human.Username, "--yes")
	if err != nil || !strings.Contains(out, "deleted-") {
		t.Fatalf("erase = %s, %v", out, err)
	}
	if got, err := s.Human(t.Context(), human.ID); err != nil || got.Username == human.Username {
		t.Errorf("the account = %+v, %v", got, err)
	}
	entries, err := s.Operators.AuditLog(t.Context(), operators.AuditQuery{Kinds: []market.AuditKind{market.AuditErasure}, Limit: 10})
	if err != nil || len(entries) != 1 || !strings.HasPrefix(entries[0].Operator, market.CommandPrefix) || entries[0].Subject != human.ID.String() {
		t.Errorf("audit log = %+v, %v", entries, err)
	}
	files, err := fileblob.OpenBucket(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	listed := 0
	if err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(restorelist.Entry) error { listed++; return nil }); err != nil || listed != 1 {
		t.Errorf("the list has %d erasures, %v", listed, err)
	}
}
