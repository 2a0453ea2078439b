package restorelist_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"

	"taskmarket/market"
	"taskmarket/server/restorelist"
	"taskmarket/store/storetest"
)

func bucket(t *testing.T) *blob.Bucket {
	t.Helper()
	files, err := fileblob.OpenBucket(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	return files
}

// Entries are listed in order, adding one again has no effect, and no entry can be replaced.
func TestEntriesAreAppended(t *testing.T) {
	t.Parallel()
	files := bucket(t)
	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	var want []uuid.UUID
	for i := range 5 {
		e := restorelist.Entry{Kind: restorelist.Erasure, ID: uuid.Must(uuid.NewV7()), At: at, Content: json.RawMessage(`{"n":1}`)}
		want = append(want, e.ID)
		for range 2 {
			if err := restorelist.Add(t.Context(), files, e); err != nil {
				t.Fatal(err)
			}
		}
		e.Content = json.RawMessage(`{"n":2}`)
		if err := restorelist.Add(t.Context(), files, e); err == nil {
			t.Errorf("entry %d was replaced", i)
		}
	}
	var got []uuid.UUID
	err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(e restorelist.Entry) error {
		if string(e.Content) != `{"n":1}` || !e.At.Equal(at) {
			t.Errorf("entry = %+v", e)
		}
		got = append(got, e.ID)
		return nil
	})
	if err != nil || len(got) != len(want) {
		t.Fatalf("Each() = %v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("entry %d = %s, want %s", i, got[i], want[i])
		}
	}
	failed := errors.New("no")
	if err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(restorelist.Entry) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("Each() with an error = %v", err)
	}
	moved := "after-restore/erasure/" + uuid.NewString() + ".json"
	if err := files.Copy(t.Context(), moved, "after-restore/erasure/"+want[0].String()+".json", nil); err != nil {
		t.Fatal(err)
	}
	if err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(restorelist.Entry) error { return nil }); err == nil {
		t.Error("an entry under another id is accepted")
	}
}

// In a database that was restored from a backup, the same accounts are suspended again.
func TestSuspensionsSurviveARestore(t *testing.T) {
	t.Parallel()
	files, s := bucket(t), storetest.New(t)
	suspended, freed := storetest.Agent(t, s), storetest.Human(t, s)
	backup := storetest.Copy(t, s)
	late := storetest.Human(t, s)
	for _, id := range []uuid.UUID{suspended.ID, freed.ID, late.ID} {
		d, err := s.Moderation.Decide(t.Context(), market.Decision{
			ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: market.SubjectProfile, ID: id}, Measure: market.MeasureSuspend,
			Territory: "worldwide", Facts: "Fraud.", Clause: "4", DecidedBy: "ada",
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := restorelist.WriteSuspensions(t.Context(), files, s); err != nil {
			t.Fatal(err)
		}
		if id == freed.ID {
			if _, err := s.Moderation.Lift(t.Context(), d.ID, "ben"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := restorelist.WriteSuspensions(t.Context(), files, s); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		repeated, unknown, err := restorelist.RepeatSuspensions(t.Context(), files, backup)
		if err != nil || repeated != 1 || unknown != 1 {
			t.Errorf("RepeatSuspensions() = %d, %d, %v, want 1 repeated and 1 unknown", repeated, unknown, err)
		}
	}
	states := storetest.Rows(t, backup, `SELECT account_state FROM users WHERE account_state <> 'good'`)
	if len(states) != 1 {
		t.Errorf("accounts under a measure = %v, want one", states)
	}
}
