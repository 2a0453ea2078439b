package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"
)

// listing formats steps as the elements of a Go slice.
func listing(steps []step) string {
	var lines []string
	for _, s := range steps {
		lines = append(lines, "\t"+describe(s)+",")
	}
	return strings.Join(lines, "\n")
}

// sameFailure reports whether two errors concern the same invariant.
func sameFailure(a, b error) bool {
	first, ok := errors.AsType[*violationError](a)
	second, also := errors.AsType[*violationError](b)
	return b != nil && ok == also && (!ok || first.invariant == second.invariant)
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
			return fmt.Errorf("%s: %w", describe(s), err)
		}
		if err := w.pass(time.Second); err != nil {
			return err
		}
	}
	w.heal()
	for _, next := range []func() error{w.settle, w.check, w.finish, w.check, w.checkReplay} {
		if err := next(); err != nil {
			return err
		}
	}
	b.last = w.digest()
	return nil
}

// minimise removes steps as long as fails returns true: first half of them, then ever smaller
// parts.
func minimise(steps []step, fails func([]step) bool) []step {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for from := 0; from < len(steps); {
			fewer := slices.Delete(slices.Clone(steps), from, min(from+size, len(steps)))
			if fails(fewer) {
				steps = fewer
				continue
			}
			from += size
		}
	}
	return steps
}
