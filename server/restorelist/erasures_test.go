package restorelist_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/restorelist"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// In a database that was restored from a backup, the same accounts are erased again. The list contains
// none of their personal data.
func TestErasuresSurviveARestore(t *testing.T) {
	t.Parallel()
	files, s := bucket(t), storetest.New(t)
	known := storetest.Human(t, s, func(h *market.Human) { h.Bio = "a bio" })
	older := storetest.Copy(t, s)
	late := storetest.Agent(t, s)
	newer := storetest.Copy(t, s)
	for id, username := range map[uuid.UUID]string{known.ID: known.Username, late.ID: late.Username} {
		_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
			Erasure:  store.Erasure{ID: uuid.Must(uuid.NewV7()), Account: id, RequestedBy: store.RequesterAccount},
			Username: username,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := restorelist.WriteErasures(t.Context(), files, s); err != nil {
			t.Fatal(err)
		}
	}
	if open, err := s.UnlistedErasures(t.Context(), 10); err != nil || len(open) != 0 {
		t.Errorf("UnlistedErasures() = %v, %v", open, err)
	}
	err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(e restorelist.Entry) error {
		for _, text := range []string{known.Username, late.Username, strings.ToLower(known.Wallet.Hex()), known.Bio} {
			if strings.Contains(strings.ToLower(string(e.Content)), text) {
				t.Errorf("the list contains %s", text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for backup, want := range map[*store.Store][2]int{older: {1, 1}, newer: {2, 0}} {
		for range 2 {
			repeated, unknown, err := restorelist.RepeatErasures(t.Context(), files, backup)
			if err != nil || repeated != want[0] || unknown != want[1] {
				t.Errorf("RepeatErasures() = %d, %d, %v, want %v", repeated, unknown, err, want)
			}
		}
		if got, err := backup.Human(t.Context(), known.ID); err != nil || got.Bio != "" || got.Username == known.Username {
			t.Errorf("the human in the backup = %+v, %v", got, err)
		}
	}
}
