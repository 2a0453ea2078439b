//go:build operations

package e2e_test

import (
	"os"
	"testing"

	"taskmarket/store/localpg"
	"taskmarket/store/storetest"
)

// restorePoint is the name of the point in the write-ahead log to which the test restores.
const restorePoint = "before the disaster"

// TestOperationsRestore: a base backup and an archive of the write-ahead log are made during
// writes, and restored to a point in time. No write that was acknowledged before that point is
// missing. Work that was submitted before and paid after it is paid once, and the next hire
// succeeds. The writes after that point are missing, which shows that the test can detect a lost
// write.
func TestOperationsRestore(t *testing.T) {
	archive, copied := openDir(t), openDir(t)
	if err := os.Chmod(archive, 0o777); err != nil { // PostgreSQL may run as another user
		t.Fatal(err)
	}
	lived := startCluster(t, openDir(t), "wal_level=replica", "archive_mode=on",
		"archive_command=test ! -f "+archive+"/%f && cp %p "+archive+"/%f")
	createMigrated(t, lived)
	w := newWorldOn(t, failoverTimeout, site{records: storetest.Open(t, lived.URL(databaseName))})
	defer w.end()
	before := w.balances()
	clients := w.startWriters(0)
	w.pay(w.submitted())
	w.must(lived.Backup(w.ctx, copied, localpg.RecoverySignal, "restore_command = 'cp "+archive+"/%f %p'",
		"recovery_target_name = '"+restorePoint+"'", "recovery_target_action = promote"))
	w.pay(w.submitted())
	submitted := w.submitted()
	kept := clients.acknowledged()
	w.must(execute(lived, `SELECT pg_create_restore_point('`+restorePoint+`')`))
	w.pay(submitted)
	written := clients.stop()

	w.must(w.server.stop())
	w.must(execute(lived, `CHECKPOINT`, `SELECT pg_switch_wal()`))
	w.must(lived.Stop()) // archives the last segment
	restored := startCluster(t, copied)
	w.must(awaitTrue(w.ctx, restored, `SELECT NOT pg_is_in_recovery()`))
	w.records = storetest.Open(t, restored.URL(databaseName))
	w.database = restored.URL(databaseName)
	w.operate(w.database, "after-restore")
	w.operate(w.database, "adopt-files")
	w.server.expected = keyShared // the backup lacks the keeper's last transactions
	w.must(w.server.start(w.ctx))

	if lost := w.missing(w.records, kept); len(lost) > 0 {
		t.Errorf("%d of %d writes that were acknowledged before the point are missing", len(lost), len(kept))
	}
	lost := w.missing(w.records, written)
	if len(lost) == 0 {
		t.Error("no write after the point is missing")
	}
	t.Logf("%d writes before the point, %d after it, of which %d are missing", len(kept), len(written)-len(kept), len(lost))
	w.recoverAccounts()
	w.pay(w.submitted())
	w.net.Mine(t, 5) // a second payment by the keeper would be mined in these blocks
	w.settle()
	w.wantPaidOnce(before, 4)
}

// recoverAccounts gives the agent a new key, and makes all users sign in again when they are next used,
// because the restore has revoked all credentials.
func (w *world) recoverAccounts() {
	w.t.Helper()
	recovered, err := w.agent.RecoverKey(w.ctx)
	w.must(err)
	w.agent.Client, err = w.agent.WithAPIKey(recovered.APIKey)
	w.must(err)
	w.t.Cleanup(w.agent.Close)
	w.agent.Key, w.agent.API = recovered.APIKey, w.keyed(w.server, recovered.APIKey)
	clear(w.people)
}
