package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"taskmarket/test/invariant"
	"taskmarket/test/seeds"
)

// sameFailure reports whether b is a failure of the same kind as a: both violate the same invariant, or
// neither violates one.
func sameFailure(a, b error) bool {
	first, ok := errors.AsType[*invariant.Error](a)
	second, also := errors.AsType[*invariant.Error](b)
	return b != nil && ok == also && (!ok || first.Invariant == second.Invariant)
}

// play plays steps under a virtual clock, and checks the invariants at the end.
func (b *base) play(t *testing.T, seed uint64, steps []step, seeded bug) (failure error) {
	t.Helper()
	t.Run("seed", func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, seed)
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			failure = b.playUnder(ctx, steps, seeded)
		})
	})
	return failure
}

func (b *base) playUnder(ctx context.Context, steps []step, seeded bug) error {
	w, err := newWorld(ctx, b, seeded)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.play(w); err != nil {
			return fmt.Errorf("%s: %w", seeds.Describe("simulation_test", s), err)
		}
		if w.violation != nil {
			return fmt.Errorf("%s: %w", seeds.Describe("simulation_test", s), w.violation)
		}
		if err := w.pass(time.Second); err != nil {
			return err
		}
	}
	for _, next := range []func() error{w.countLate, w.heal, w.settle, w.check, w.finish, w.check, w.checkReplay} {
		if err := next(); err != nil {
			return err
		}
	}
	b.last = w.digest()
	return nil
}
