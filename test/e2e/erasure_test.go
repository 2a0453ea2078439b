package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"taskmarket/store/storetest"
)

// TestRestoreRepeatsErasures restores a backup from before an account was erased. after-restore
// erases the account again, from the list in the file store, and its wallet can recover a key for the
// empty account.
func TestRestoreRepeatsErasures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	me, err := w.agent.Me(w.ctx)
	w.must(err)
	const description = "It is in the street where I live."
	created := w.ask("POST", "/tasks/", `{"title":"Photograph my shop","description":"`+description+`","escrow_amount":"10000000000000000"}`, "X-API-Key", w.agent.Key)
	if created.status != http.StatusCreated {
		t.Fatalf("create = %d %s", created.status, created.body)
	}
	w.must(w.server.stop())
	backup := storetest.Copy(t, w.records)
	w.must(w.server.start(w.ctx))
	if _, err := w.agent.EraseAccount(w.ctx, me.Username); err != nil {
		t.Fatal(err)
	}
	if got := w.ask("GET", "/agents/me", "", "X-API-Key", w.agent.Key); got.status != http.StatusUnauthorized {
		t.Errorf("the key after the erasure = %d %s", got.status, got.body)
	}
	w.must(w.server.stop())
	w.records, w.database = backup, storetest.URL(t, backup)
	w.holds(true, me.Username, description)
	for range 2 {
		if out := w.operate(w.database, "after-restore"); !strings.Contains(out, "1 erasures have been applied") {
			t.Errorf("after-restore = %s", out)
		}
		w.holds(false, me.Username, description)
	}
	w.operate(w.database, "adopt-files")
	w.must(w.server.start(w.ctx))
	recovered, err := w.agent.RecoverKey(w.ctx)
	w.must(err)
	again, err := w.agent.WithAPIKey(recovered.APIKey)
	w.must(err)
	defer again.Close()
	if got, err := again.Me(w.ctx); err != nil || got.ID != me.ID || got.Username == me.Username {
		t.Errorf("the account after the restore = %+v, %v", got, err)
	}
}

// holds fails the test unless the tables of users and tasks contain every text, or none if want is false.
func (w *world) holds(want bool, texts ...string) {
	w.t.Helper()
	rows := strings.Join(append(storetest.Rows(w.t, w.records, `SELECT * FROM users`), storetest.Rows(w.t, w.records, `SELECT * FROM tasks`)...), "\n")
	for _, text := range texts {
		if strings.Contains(rows, text) != want {
			w.t.Errorf("the database contains %q: %t", text, !want)
		}
	}
}
