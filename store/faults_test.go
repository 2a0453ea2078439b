package store_test

import (
	"net/url"
	"os"
	"testing"
	"time"

	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// behindGate opens a second store on the database of s that connects through a gate, which can
// simulate faults.
func behindGate(t *testing.T, s *store.Store) (*store.Store, *gate.Gate) {
	t.Helper()
	u, err := url.Parse(storetest.URL(t, s))
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	return storetest.Open(t, u.String()), g
}

// recovery is the maximum time between a fault and the next successful query.
const recovery = 5 * time.Second

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
