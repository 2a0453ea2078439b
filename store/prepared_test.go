package store_test

import (
	"sync"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// A transaction holds locks, so it must not wait for a connection besides its
// own, not even to meet a query for the first time: all others may be waiting
// for those locks.
func TestTransactionsNeedOneConnection(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	s.LimitConns(2)
	db := storetest.DB(t, s)
	tx, err := db.Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(`LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() { _, err := s.AgentByKey(t.Context(), newHash()); read <- err }()
	awaitBlocked(t, db, 1)

	saveChallenge(t, s, store.Challenge{Hash: newHash(), Purpose: store.PurposeLogin, Wallet: newWallet(), ExpiresAt: time.Now()})
	select {
	case err := <-read:
		t.Fatalf("the transaction waited for another connection, which was free after: %v", err)
	default:
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "read of a key that nobody has", <-read, market.KindUnauthorized)
}

// Some transactions meet queries for the first time while others end, which is
// when what was met is prepared for all. It is the race detector that fails.
func TestTransactionsMeetQueriesAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 100 {
				s.PrepareWanted(t.Context())
			}
		})
		group.Go(func() {
			for range 100 {
				s.Want(`SELECT 1`)
			}
		})
	}
	group.Wait()
}
