package outbox_test

import (
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// A keeper that cannot fill a nonce, for example because of a spending limit, requests the cancellation
// repeatedly. The open cancellation keeps its delay and its reason, and the audit log does not grow.
func TestFillNonceChangesNoOpenCancellation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.NewChain(t, s)
	lease := storetest.Must(s.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	nonce := market.AccountNonce{Account: storetest.KeeperAccount, Nonce: 7}
	state := func() (text string) {
		t.Helper()
		if err := storetest.DB(t, s).Get(&text, `
			SELECT format('%s %s %s %s', count(*), min(run_at), min(error), (SELECT count(*) FROM audit_log))
			FROM outbox WHERE kind = 'cancel'`); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if err := s.Outbox.FillNonce(t.Context(), lease.Epoch, nonce); err != nil {
		t.Fatal(err)
	}
	storetest.Execute(t, s, `UPDATE outbox SET error = 'limit', run_at = now() + interval '1 hour'`)
	before := state()
	if err := s.Outbox.FillNonce(t.Context(), lease.Epoch, nonce); err != nil {
		t.Fatal(err)
	}
	if after := state(); after != before {
		t.Errorf("the cancellation changed from %s to %s", before, after)
	}
	storetest.Execute(t, s, `UPDATE outbox SET state = 'done'`)
	if err := s.Outbox.FillNonce(t.Context(), lease.Epoch, nonce); err != nil {
		t.Fatal(err)
	}
	if after := state(); after == before {
		t.Error("the nonce was not requested again after the cancellation had ended")
	}
}
