//go:build !unix

package hire

import (
	"context"
	"os"
)

// ignoreSIGPIPE does nothing: writing to a closed pipe returns an error on these systems.
func ignoreSIGPIPE() {}

func isReaderGone(error) bool { return false }

// awaitRoom returns at once: the space in the pipe is unknown on these systems.
func awaitRoom(ctx context.Context, _ *os.File) bool { return ctx.Err() == nil }

// awaitReaderGone cannot detect a closed pipe before a write.
func awaitReaderGone(ctx context.Context, _ *os.File) bool {
	<-ctx.Done()
	return false
}

// endOf is not supported: files have no identity on these systems.
func endOf(*os.File) (spot, bool) { return spot{}, false }
