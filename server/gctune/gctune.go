// Package gctune collects garbage less often while a process uses little memory. With Go's default, a
// server with 10 MiB of live objects collects after each 10 MiB of garbage. Under load, this happens more
// than ten times a second and takes a tenth of the processor time.
package gctune

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostGarbage is the maximum garbage that accumulates between two collections, in bytes, unless the
	// live objects are larger. A server with 2,000 event streams then uses less than 200 MiB.
	mostGarbage = 48 << 20

	defaultPercent = 100 // the default of GOGC
	mostPercent    = 400
)

// Start adjusts the collector after each collection until the process ends. It does nothing if the
// environment variable GOGC is set. Call it once.
func Start() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(mostPercent)
	await(mostPercent)
}

// await adjusts the collector after the next collection and after each one that follows. current is the
// percentage in use.
func await(current int) {
	// Nothing refers to the object, so the next collection frees it.
	runtime.AddCleanup(new(cycle), func(current int) {
		if next := percent(live()); next != current {
			debug.SetGCPercent(next)
			current = next
		}
		await(current)
	}, current)
}

// cycle contains a pointer, because small objects without pointers can share a block of memory, which delays
// their cleanups.
type cycle struct{ _ *int }

// live returns the size of the objects that the last collection found in use, in bytes.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// percent returns the garbage that may accumulate as a percentage of the live objects. It rounds the percentage
// down to a multiple of ten to change it less often, because each change stops all goroutines for a moment.
func percent(live uint64) int {
	share := mostGarbage * 100 / max(live, 1) / 10 * 10
	return int(min(max(share, defaultPercent), mostPercent))
}
