package screening

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A changed file is reloaded. While it is invalid or missing, the previous version stays in force, and
// the file is reported as stale.
func TestReload(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "screening.json")
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
	list := func(a common.Address) string { return `{"sanctioned_wallets": ["` + a.Hex() + `"]}` }
	write(list(first))
	s, err := New(path)
	if err != nil {
		t.Fatal(err)
	}
	want := func(when string, changed bool, listed common.Address, stale bool) {
		t.Helper()
		got, err := s.reload()
		if s.Stale() != stale {
			t.Errorf("%s: Stale() = %v, want %v", when, s.Stale(), stale)
		}
		if got != changed || s.CheckWallet(listed) == nil {
			t.Errorf("%s: reload() = %v, %v; listed: %v", when, got, err, s.CheckWallet(listed) != nil)
		}
	}
	want("unchanged", false, first, false)
	write(`{"sanctioned_wallets": ["not an address"]}`)
	if _, err := s.reload(); err == nil {
		t.Error("an invalid file causes no error")
	}
	want("invalid", false, first, true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	want("missing", false, first, true)
	write(list(second))
	want("changed", true, second, false)
	if s.CheckWallet(first) != nil {
		t.Error("the previous list is still in force")
	}
}
