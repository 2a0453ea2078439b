package storetest

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
)

// NewID returns a new record id.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// RandomBytes returns n random bytes.
func RandomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// NewHash returns a random hash.
func NewHash() common.Hash { return common.Hash(RandomBytes(32)) }

// NewWallet returns a random address.
func NewWallet() common.Address { return common.Address(RandomBytes(20)) }

// NewName returns a username that is not in use.
func NewName() string { return "user-" + hex.EncodeToString(RandomBytes(6)) }

// WantKind fails the test unless err has the kind; "" means no error.
func WantKind(t *testing.T, what string, err error, want market.Kind) {
	t.Helper()
	if got := market.KindOf(err); got != want || (want == "") != (err == nil) {
		t.Errorf("%s = %v, want kind %q", what, err, want)
	}
}

// Must returns value, or panics if err is not nil.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Race runs n calls concurrently and returns their errors.
func Race(n int, call func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// WantOneWinner fails the test unless exactly one error is nil and all others have the kind losers.
func WantOneWinner(t *testing.T, what string, errs []error, losers market.Kind) {
	t.Helper()
	winners := 0
	for _, err := range errs {
		if err == nil {
			winners++
			continue
		}
		WantKind(t, what, err, losers)
	}
	if winners != 1 {
		t.Errorf("%s: %d of %d calls won, want 1", what, winners, len(errs))
	}
}

// Execute runs a statement directly on the database.
func Execute(t *testing.T, s *store.Store, statement string, args ...any) {
	t.Helper()
	if _, err := DB(t, s).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
