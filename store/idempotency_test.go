package store_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := storetest.NewHash(), storetest.NewHash()
	begin := func(request [32]byte) (*store.Answer, error) {
		_, answer, err := s.BeginRequest(t.Context(), scope, request, uuid.New())
		return answer, err
	}

	if answer, err := begin(body); answer != nil || err != nil {
		t.Fatalf("BeginRequest() = %v, %v; want a new request", answer, err)
	}
	_, err := begin(body)
	storetest.WantKind(t, "BeginRequest() while the first runs", err, market.KindRequestInProgress)
	_, err = begin(storetest.NewHash())
	storetest.WantKind(t, "BeginRequest() with another body", err, market.KindIdempotencyReused)

	storetest.WantKind(t, "DiscardRequest()", s.DiscardRequest(t.Context(), scope), "")
	if answer, err := begin(body); answer != nil || err != nil {
		t.Fatalf("BeginRequest() of a discarded key = %v, %v; want a new request", answer, err)
	}
	want := store.Answer{Status: 201, Body: []byte("{\"a\": \"\x00\xff\"}")}
	storetest.WantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, want), "")
	for range 2 {
		if diff := cmp.Diff(&want, storetest.Must(begin(body))); diff != "" {
			t.Errorf("BeginRequest() of a finished request (-want +got):\n%s", diff)
		}
	}
	_, err = begin(storetest.NewHash())
	storetest.WantKind(t, "BeginRequest() with another body", err, market.KindIdempotencyReused)
	storetest.WantKind(t, "DiscardRequest() of a finished request", s.DiscardRequest(t.Context(), scope), "")
	storetest.WantKind(t, "AbandonRequest() of a finished request", s.AbandonRequest(t.Context(), scope), "")
	if answer := storetest.Must(begin(body)); answer == nil {
		t.Error("BeginRequest() lost the stored response")
	}
}

// While a request stores its response, other requests with the same key are immediately rejected as
// in progress.
func TestIdempotencyDoesNotWaitForLocks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := storetest.NewHash(), storetest.NewHash()
	begin(t, s, scope, body)
	tx := storetest.Must(storetest.DB(t, s).BeginTxx(t.Context(), nil))
	storetest.Must(tx.ExecContext(t.Context(), `SELECT FROM idempotency_keys WHERE scope = $1 FOR UPDATE`, scope))
	_, _, err := s.BeginRequest(t.Context(), scope, body, uuid.New())
	storetest.WantKind(t, "BeginRequest() while the key's row is locked", err, market.KindRequestInProgress)
	// This is not in t.Cleanup, because the test's context is cancelled before cleanup functions
	// run.
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
}

func TestIdempotencyOfEmptyResponse(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := storetest.NewHash(), storetest.NewHash()
	begin(t, s, scope, body)
	storetest.WantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, store.Answer{Status: 204}), "")
	if _, got := begin(t, s, scope, body); got == nil || got.Status != 204 || len(got.Body) != 0 {
		t.Errorf("BeginRequest() = %+v, want the empty answer", got)
	}
}

// begin starts a request and fails the test if it is rejected.
func begin(t *testing.T, s *store.Store, scope, body common.Hash) (uuid.UUID, *store.Answer) {
	t.Helper()
	record, answer, err := s.BeginRequest(t.Context(), scope, body, uuid.New())
	if err != nil {
		t.Fatalf("BeginRequest() = %v", err)
	}
	return record, answer
}

// A key expires after a day. After that, any request can use the key and creates a new record.
func TestIdempotencyExpires(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, finish := range map[string]bool{"finished": true, "interrupted": false} {
		scope := storetest.NewHash()
		first, _ := begin(t, s, scope, storetest.NewHash())
		if finish {
			storetest.WantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, store.Answer{Status: 200}), "")
		}
		var left float64
		if err := storetest.DB(t, s).Get(&left, `SELECT extract(epoch FROM expires_at - now()) FROM idempotency_keys WHERE scope = $1`, scope); err != nil {
			t.Fatal(err)
		}
		if got := time.Duration(left * float64(time.Second)); got > market.IdempotencyLifetime || got < market.IdempotencyLifetime-time.Minute {
			t.Errorf("a %s request reserves its key for %s, want %s", name, got, market.IdempotencyLifetime)
		}
		storetest.Execute(t, s, `UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE scope = $1`, scope)
		if record, answer := begin(t, s, scope, storetest.NewHash()); answer != nil || record == first {
			t.Errorf("BeginRequest() after a %s request = %v, %v; want a request with a new record", name, record, answer)
		}
	}
}

// If its server crashes, a request can be repeated soon afterwards and creates the same record.
func TestIdempotencyAfterACrash(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := storetest.NewHash(), storetest.NewHash()
	first, _ := begin(t, s, scope, body)
	storetest.Execute(t, s, `UPDATE idempotency_keys SET held_until = now() - interval '1 s' WHERE scope = $1`, scope)
	_, _, err := s.BeginRequest(t.Context(), scope, storetest.NewHash(), uuid.New())
	storetest.WantKind(t, "BeginRequest() with another body", err, market.KindIdempotencyReused)
	if again, answer := begin(t, s, scope, body); again != first || answer != nil {
		t.Errorf("BeginRequest() = %v, %v; want a request with record %v", again, answer, first)
	}
	_, _, err = s.BeginRequest(t.Context(), scope, body, uuid.New())
	storetest.WantKind(t, "BeginRequest() while the second runs", err, market.KindRequestInProgress)
	storetest.WantKind(t, "AbandonRequest()", s.AbandonRequest(t.Context(), scope), "")
	if third, answer := begin(t, s, scope, body); third != first || answer != nil {
		t.Errorf("BeginRequest() of an abandoned request = %v, %v; want a request with record %v", third, answer, first)
	}
}

// If several requests use one key concurrently, exactly one of them runs, even if the key had
// expired.
func TestIdempotencyRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 5 {
		scope, body := storetest.NewHash(), storetest.NewHash()
		for _, column := range []string{"expires_at", "held_until", ""} {
			var going atomic.Int32
			for _, err := range storetest.Race(8, func(int) error {
				_, answer, err := s.BeginRequest(t.Context(), scope, body, uuid.New())
				if answer == nil && err == nil {
					going.Add(1)
				}
				return err
			}) {
				if err != nil {
					storetest.WantKind(t, "BeginRequest()", err, market.KindRequestInProgress)
				}
			}
			if got := going.Load(); got != 1 {
				t.Errorf("%d requests with one key run, want 1", got)
			}
			if column != "" {
				storetest.Execute(t, s, `UPDATE idempotency_keys SET `+column+` = now() - interval '1 s' WHERE scope = $1`, scope)
			}
		}
	}
}
