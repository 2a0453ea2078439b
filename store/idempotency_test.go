package store_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := newHash(), newHash()
	begin := func(request [32]byte) (*store.Answer, error) { return s.BeginRequest(t.Context(), scope, request) }

	if answer, err := begin(body); answer != nil || err != nil {
		t.Fatalf("BeginRequest() = %v, %v; want to go on", answer, err)
	}
	_, err := begin(body)
	wantKind(t, "BeginRequest() while it runs", err, market.KindRequestInProgress)
	_, err = begin(newHash())
	wantKind(t, "BeginRequest() with another body", err, market.KindIdempotencyReused)

	wantKind(t, "FinishRequest() without an answer", s.FinishRequest(t.Context(), scope, nil), "")
	if answer, err := begin(body); answer != nil || err != nil {
		t.Fatalf("BeginRequest() of a forgotten key = %v, %v; want to go on", answer, err)
	}
	want := &store.Answer{Status: 201, Body: []byte("{\"a\": \"\x00\xff\"}")}
	wantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, want), "")
	for range 2 {
		if diff := cmp.Diff(want, ok(begin(body))); diff != "" {
			t.Errorf("BeginRequest() of a finished request (-want +got):\n%s", diff)
		}
	}
	_, err = begin(newHash())
	wantKind(t, "BeginRequest() with another body", err, market.KindIdempotencyReused)
	wantKind(t, "FinishRequest() to forget an answer", s.FinishRequest(t.Context(), scope, nil), "")
	if answer := ok(begin(body)); answer == nil {
		t.Error("BeginRequest() forgot an answer that was given")
	}
}

func TestIdempotencyOfEmptyAnswer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scope, body := newHash(), newHash()
	ok(s.BeginRequest(t.Context(), scope, body))
	wantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, &store.Answer{Status: 204}), "")
	if got := ok(s.BeginRequest(t.Context(), scope, body)); got == nil || got.Status != 204 || len(got.Body) != 0 {
		t.Errorf("BeginRequest() = %+v, want the empty answer", got)
	}
}

// A key is free again after a day, and after two minutes when its request died.
func TestIdempotencyExpires(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, finish := range map[string]bool{"finished": true, "died": false} {
		scope := newHash()
		ok(s.BeginRequest(t.Context(), scope, newHash()))
		lifetime := 2 * time.Minute
		if finish {
			wantKind(t, "FinishRequest()", s.FinishRequest(t.Context(), scope, &store.Answer{Status: 200}), "")
			lifetime = market.IdempotencyLifetime
		}
		var left float64
		if err := storetest.DB(t, s).Get(&left, `SELECT extract(epoch FROM expires_at - now()) FROM idempotency_keys WHERE scope = $1`, scope); err != nil {
			t.Fatal(err)
		}
		if got := time.Duration(left * float64(time.Second)); got > lifetime || got < lifetime-time.Minute {
			t.Errorf("a %s request keeps its key for %s, want %s", name, got, lifetime)
		}
		execute(t, s, `UPDATE idempotency_keys SET expires_at = now() WHERE scope = $1`, scope)
		if answer, err := s.BeginRequest(t.Context(), scope, newHash()); answer != nil || err != nil {
			t.Errorf("BeginRequest() after a %s request = %v, %v; want to go on", name, answer, err)
		}
	}
}

// Of many with one key at once exactly one goes on, also when the key is old.
func TestIdempotencyRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 5 {
		scope, body := newHash(), newHash()
		for range 2 {
			var going atomic.Int32
			for _, err := range race(8, func(int) error {
				answer, err := s.BeginRequest(t.Context(), scope, body)
				if answer == nil && err == nil {
					going.Add(1)
				}
				return err
			}) {
				if err != nil {
					wantKind(t, "BeginRequest()", err, market.KindRequestInProgress)
				}
			}
			if got := going.Load(); got != 1 {
				t.Errorf("%d requests with one key go on, want 1", got)
			}
			execute(t, s, `UPDATE idempotency_keys SET expires_at = now() WHERE scope = $1`, scope)
		}
	}
}
