package auditlog_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"sync"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/auditlog"
)

// log records what a collector writes.
type log struct {
	entries []market.AuditEntry
	err     error
	merged  int
}

func (l *log) write(_ context.Context, entries ...market.AuditEntry) error {
	if l.err == nil {
		l.entries = append(l.entries, entries...)
	}
	return l.err
}

func (l *log) merge(n int) { l.merged += n }

// of returns the entry of a kind with an account and a network.
func (l *log) of(t *testing.T, like market.AuditEntry) market.AuditEntry {
	t.Helper()
	for _, e := range l.entries {
		if e.Kind == like.Kind && e.Account == like.Account && e.Network == like.Network {
			return e
		}
	}
	t.Fatalf("no entry like %+v in %+v", like, l.entries)
	return market.AuditEntry{}
}

func refusal(kind market.AuditKind, network int, request string) market.AuditEntry {
	address := netip.AddrFrom4([4]byte{10, byte(network >> 8), byte(network), 7})
	return market.AuditEntry{Kind: kind, Detail: "getTask", Origin: market.Origin{Network: market.AuditNetwork(address), RequestID: request}}
}

func TestConcurrentRefusalsAreCounted(t *testing.T) {
	t.Parallel()
	var l log
	r := auditlog.New(l.write, l.merge)
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for range 100 {
				r.Note(refusal(market.AuditKeyRefused, 1, "first"))
			}
		})
	}
	group.Wait()
	r.Note(refusal(market.AuditKeyRefused, 1, "second"))
	r.Note(refusal(market.AuditForbidden, 1, "third"))
	account := refusal(market.AuditForbidden, 1, "fourth")
	account.Account = uuid.New()
	r.Note(account)
	for range 2 { // the second call has nothing to write
		if err := r.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.entries) != 3 {
		t.Errorf("entries = %+v, want 3", l.entries)
	}
	first := l.of(t, refusal(market.AuditKeyRefused, 1, ""))
	if first.Count != 1001 || first.RequestID != "first" || first.Detail != "getTask" {
		t.Errorf("refused keys = %+v, want 1001 with the first request", first)
	}
	if got := l.of(t, account); got.Count != 1 || got.RequestID != "fourth" {
		t.Errorf("entry of the account = %+v", got)
	}
}

// Refusals of different operators have separate entries.
func TestRefusalsOfOperatorsAreApart(t *testing.T) {
	t.Parallel()
	var l log
	r := auditlog.New(l.write, l.merge)
	for _, name := range []string{"ada", "bob", "bob"} {
		entry := refusal(market.AuditConsoleRefused, 1, "of "+name)
		entry.Operator = name
		r.Note(entry)
	}
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, e := range l.entries {
		counts[e.Operator+" "+e.RequestID] = e.Count
	}
	if want := map[string]int{"ada of ada": 1, "bob of bob": 2}; !maps.Equal(counts, want) {
		t.Errorf("refusals by operator = %v, want %v", counts, want)
	}
}

// However many networks send requests, the rows are limited, and the sum of the counts stays exact. One
// kind does not displace another.
func TestRefusalsDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	var l log
	r := auditlog.New(l.write, l.merge)
	const networks = 20_000
	for i := range networks {
		r.Note(refusal(market.AuditKeyRefused, i, fmt.Sprint(i)))
	}
	r.Note(refusal(market.AuditForbidden, 9, "forbidden"))
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(l.entries) != auditlog.MaxRows+2 {
		t.Errorf("rows = %d, want %d", len(l.entries), auditlog.MaxRows+2)
	}
	sum := 0
	for _, e := range l.entries {
		if e.Kind == market.AuditKeyRefused {
			sum += e.Count
		}
	}
	if sum != networks || l.merged != networks-auditlog.MaxRows {
		t.Errorf("the rows count %d refusals and %d are merged, want %d and %d", sum, l.merged, networks, networks-auditlog.MaxRows)
	}
	merged := l.of(t, market.AuditEntry{Kind: market.AuditKeyRefused})
	if merged.Detail != auditlog.DetailMerged || merged.RequestID != "" {
		t.Errorf("merged row = %+v", merged)
	}
	l.of(t, refusal(market.AuditForbidden, 9, ""))
}

// An outage of the database neither loses counts nor adds rows.
func TestRefusalsSurviveAnOutage(t *testing.T) {
	t.Parallel()
	l := log{err: errors.New("no database")}
	r := auditlog.New(l.write, l.merge)
	for round := range 3 {
		for i := range auditlog.MaxRows {
			r.Note(refusal(market.AuditKeyRefused, round*1000+i, "r"))
		}
		if err := r.Flush(t.Context()); !errors.Is(err, l.err) {
			t.Fatalf("Flush() = %v, want %v", err, l.err)
		}
	}
	l.err = nil
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, e := range l.entries {
		sum += e.Count
	}
	if sum != 3*auditlog.MaxRows || len(l.entries) != auditlog.MaxRows+1 {
		t.Errorf("%d refusals in %d rows, want %d in %d", sum, len(l.entries), 3*auditlog.MaxRows, auditlog.MaxRows+1)
	}
	l.of(t, refusal(market.AuditKeyRefused, 3, ""))
}
