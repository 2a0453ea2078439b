package storetest

import (
	"net/url"
	"os"
	"testing"
	"time"

	"taskmarket/store"
	"taskmarket/test/gate"
)

// BehindGate opens a second store on the database of s that connects through a gate, which can
// simulate faults.
func BehindGate(t *testing.T, s *store.Store) (*store.Store, *gate.Gate) {
	t.Helper()
	u, err := url.Parse(URL(t, s))
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	return Open(t, u.String()), g
}

// Recovery is the maximum time between a fault and the next successful query.
const Recovery = 5 * time.Second

// OpenDir returns a new folder that PostgreSQL's user can enter, which the parents of TempDir prevent.
func OpenDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "taskmarket-cluster-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return dir
}
