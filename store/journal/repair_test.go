package journal_test

import (
	"slices"
	"testing"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// A block below the deployment's first block is never followed, so a request to read it again would never be
// deleted.
func TestRereadsBelowTheStartBlockAreDropped(t *testing.T) {
	t.Parallel()
	d := storetest.New(t).Deployment()
	d.StartBlock = 100
	s := storetest.NewFor(t, d)
	for _, number := range []uint64{0, 1, 99, 100, 250} {
		if err := s.Journal.RequestReread(t.Context(), number, market.RereadConfirmation); err != nil {
			t.Errorf("RequestReread(%d) = %v, want nil", number, err)
		}
	}
	if got := storetest.Rows(t, s, `SELECT number FROM chain_rereads ORDER BY number`); len(got) != 2 {
		t.Errorf("stored requests = %v, want 100 and 250", got)
	}
	// This request was stored by an earlier version.
	storetest.Execute(t, s, `INSERT INTO chain_rereads (chain_id, number, reason) VALUES ($1, 1, 'confirmation')`, d.ChainID)
	if got, err := s.Journal.Rereads(t.Context(), 0, 10); err != nil || !slices.Equal(got, []uint64{100, 250}) {
		t.Errorf("Rereads() = %v, %v, want 100 and 250", got, err)
	}
	if got, err := s.Journal.Rereads(t.Context(), 100, 1); err != nil || !slices.Equal(got, []uint64{250}) {
		t.Errorf("Rereads() after 100 = %v, %v, want 250", got, err)
	}
	if got, err := s.Journal.Rereads(t.Context(), 250, 10); err != nil || !slices.Equal(got, []uint64{100, 250}) {
		t.Errorf("Rereads() after 250 = %v, %v, want 100 and 250", got, err)
	}
	if got := storetest.Rows(t, s, `SELECT number FROM chain_rereads WHERE number < 100`); len(got) != 0 {
		t.Errorf("requests below the start block = %v, want none", got)
	}
}
