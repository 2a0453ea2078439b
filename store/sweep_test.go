package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now()
	for _, at := range []time.Time{now.Add(-2 * time.Hour), now.Add(time.Hour)} {
		wallet := newWallet()
		ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), newcomer(wallet), store.Session{IDHash: newHash(), ExpiresAt: at}))
		saveChallenge(t, s, store.Challenge{Hash: newHash(), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: at})
		ok(s.Take(t.Context(), newName(), time.Minute, 1, at))
		scope := newHash()
		begin(t, s, scope, newHash())
		execute(t, s, `UPDATE idempotency_keys SET expires_at = $2 WHERE scope = $1`, scope, at)
	}
	// Insert more rows than one batch deletes.
	execute(t, s, `
		INSERT INTO challenges (hash, purpose, wallet, expires_at)
		SELECT sha256(i::text::bytea), 'login', substr(sha256(i::text::bytea), 1, 20), $1 FROM generate_series(1, 10001) i`,
		now.Add(-2*time.Hour))
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	left := map[string]int{}
	for _, table := range []string{"challenges", "sessions", "idempotency_keys", "rate_limits"} {
		var n int
		if err := storetest.DB(t, s).Get(&n, `SELECT count(*) FROM `+table); err != nil {
			t.Fatal(err)
		}
		left[table] = n
	}
	want := map[string]int{"challenges": 1, "sessions": 1, "idempotency_keys": 1, "rate_limits": 1}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("rows left by Sweep() (-want +got):\n%s", diff)
	}
}
