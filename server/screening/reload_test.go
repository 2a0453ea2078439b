package screening

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A changed file is reloaded. While it is invalid or missing, the previous version stays in force, and
// the file is reported as stale.
func TestReload(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sanctions.txt")
	at := time.Now().Add(-time.Hour)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	first, second := common.Address{1}, common.Address{2}
	write(first.Hex())
	s, err := New(Files{Sanctions: path})
	if err != nil {
		t.Fatal(err)
	}
	want := func(when string, changed bool, listed common.Address, stale ...File) {
		t.Helper()
		got, err := s.reload()
		if !slices.Equal(s.Stale(), stale) {
			t.Errorf("%s: Stale() = %v, want %v", when, s.Stale(), stale)
		}
		if got != changed || s.CheckWallet(listed) == nil {
			t.Errorf("%s: reload() = %v, %v; listed: %v", when, got, err, s.CheckWallet(listed) != nil)
		}
	}
	want("unchanged", false, first)
	write("not an address")
	if _, err := s.reload(); err == nil {
		t.Error("an invalid file causes no error")
	}
	want("invalid", false, first, FileSanctions)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	want("missing", false, first, FileSanctions)
	write(second.Hex())
	want("changed", true, second)
	if s.CheckWallet(first) != nil {
		t.Error("the previous list is still in force")
	}
}
