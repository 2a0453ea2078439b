package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"gocloud.dev/blob/fileblob"

	"taskmarket/market"
	"taskmarket/server/restorelist"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// suspend suspends the human, and writes the list of suspensions into the folder.
func suspend(t *testing.T, s *store.Store, human uuid.UUID, folder string) {
	t.Helper()
	_, err := s.Moderation.Decide(t.Context(), market.Decision{
		ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: market.SubjectProfile, ID: human}, Measure: market.MeasureSuspend,
		Territory: "worldwide", Facts: "Fraud.", Clause: "4", DecidedBy: "ada",
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := fileblob.OpenBucket(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	if err := restorelist.WriteSuspensions(t.Context(), files, s); err != nil {
		t.Fatal(err)
	}
}

// If a suspended account is newer than the backup, the command suspends it once it has registered again. The
// command needs no node, and revokes no credentials.
func TestAfterRestoreRepeatsOnlySuspensions(t *testing.T) {
	backup := storetest.New(t)
	original, folder := storetest.Copy(t, backup), t.TempDir()
	suspended := storetest.Human(t, original)
	suspend(t, original, suspended.ID, folder)
	storetest.Agent(t, backup)
	keys := storetest.Rows(t, backup, `SELECT * FROM agents`)
	t.Setenv(prefix+"DATABASE_URL", storetest.URL(t, backup))
	run := func() (string, error) {
		var out bytes.Buffer
		root := command()
		root.SetOut(&out)
		root.SetArgs([]string{"after-restore", "--suspensions-only"})
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := run(); err == nil || !strings.Contains(err.Error(), "BLOB_URL") {
		t.Errorf("after-restore --suspensions-only without a file store = %v", err)
	}
	t.Setenv(prefix+"BLOB_URL", "file://"+folder)
	const advice = "1 suspended accounts are not in the database; when they have registered again, run `taskmarketd after-restore --suspensions-only`\n"
	if out, err := run(); err != nil || out != "0 suspensions are in force\n"+advice {
		t.Errorf("before the registration, after-restore --suspensions-only = %q, %v", out, err)
	}
	again := storetest.Human(t, backup, func(h *market.Human) { h.Wallet = suspended.Wallet })
	for range 2 {
		if out, err := run(); err != nil || out != "1 suspensions are in force\n" {
			t.Errorf("after the registration, after-restore --suspensions-only = %q, %v", out, err)
		}
	}
	states := storetest.Rows(t, backup, `SELECT id FROM users WHERE account_state <> 'good'`)
	if len(states) != 1 || !strings.Contains(states[0], again.ID.String()) {
		t.Errorf("accounts under a measure = %v, want %s", states, again.ID)
	}
	if got := storetest.Rows(t, backup, `SELECT * FROM agents`); !slices.Equal(got, keys) {
		t.Errorf("the API keys were %v and are %v", keys, got)
	}
}
