package store_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/store"
	"taskmarket/store/localpg"
	"taskmarket/store/storetest"
)

// startCluster starts a cluster of its own, in a directory that PostgreSQL's system user can enter.
func startCluster(t *testing.T, dir string) *localpg.Cluster {
	t.Helper()
	c, err := localpg.Start(t.Context(), localpg.Options{Dir: dir, Settings: []string{"wal_level=replica"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop() })
	return c
}

func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "taskmarket-standby-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Only a standby that follows the primary is used: neither a server of another cluster nor a standby
// that was promoted, even if it has all records of the former primary.
func TestStandbyMustFollowThePrimary(t *testing.T) {
	t.Parallel()
	primary, dir := startCluster(t, openDir(t)), openDir(t)
	u, err := url.Parse(primary.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	source := fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s'", primary.Port(), u.User.Username(), password)
	if err := primary.Backup(t.Context(), dir, localpg.StandbySignal, source); err != nil {
		t.Fatal(err)
	}
	standby := startCluster(t, dir)
	follows := func(standbyURL string) bool {
		t.Helper()
		s := storetest.Open(t, u.String(), store.WithStandby(standbyURL))
		opened := time.Now()
		time.Sleep(50 * time.Millisecond)
		age, ok := s.StandbyAge(t.Context())
		if !ok {
			t.Fatal("the store has no standby")
		}
		return age < time.Since(opened)-25*time.Millisecond
	}
	if !follows(standby.URL("postgres")) {
		t.Error("the standby is not used")
	}
	if follows(storetest.URL(t, storetest.New(t))) {
		t.Error("a server of another cluster is used")
	}
	if follows(primary.URL("postgres")) {
		t.Error("the primary is used as its own standby")
	}
	direct, err := sqlx.ConnectContext(t.Context(), "postgres", standby.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	direct.MustExecContext(t.Context(), `SELECT pg_promote()`)
	if follows(standby.URL("postgres")) {
		t.Error("a promoted standby is used")
	}
}
