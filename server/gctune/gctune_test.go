package gctune

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 400, 1: 400, 10 << 20: 400, 12 << 20: 400, 24 << 20: 200, 32 << 20: 150, 48 << 20: 100, 1 << 40: 100,
	} {
		if got := percent(live); got != want {
			t.Errorf("percent(%d MiB) = %d, want %d", live>>20, got, want)
		}
	}
}

// This test must run before the next one, because the effect of Start lasts until the process ends.
func TestStartKeepsTheOperatorsChoice(t *testing.T) {
	t.Setenv("GOGC", "70")
	before := debug.SetGCPercent(70)
	defer debug.SetGCPercent(before)
	Start()
	if got := debug.SetGCPercent(70); got != 70 {
		t.Errorf("the percentage is %d, want that of GOGC, 70", got)
	}
}

// The percentage falls when the live objects grow large, and rises again when they are freed.
func TestStartFollowsLiveObjects(t *testing.T) {
	t.Setenv("GOGC", "")
	Start()
	func() {
		large := make([]byte, 120<<20)
		defer runtime.KeepAlive(large)
		waitForPercent(t, defaultPercent)
	}()
	waitForPercent(t, mostPercent)
}

func waitForPercent(t *testing.T, want int) {
	t.Helper()
	var got int
	for range 100 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		got = debug.SetGCPercent(-1)
		debug.SetGCPercent(got)
		if got == want {
			return
		}
	}
	t.Fatalf("the percentage is %d, want %d", got, want)
}
