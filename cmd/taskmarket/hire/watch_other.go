//go:build !unix

package hire

import (
	"context"
	"os"
)

// ignoreSIGPIPE does nothing: on these systems, writing to a closed pipe already returns an error.
func ignoreSIGPIPE() {}

func isReaderGone(error) bool { return false }

// awaitRoom returns at once: on these systems, the free space of a pipe cannot be determined.
func awaitRoom(ctx context.Context, _ *os.File) bool { return ctx.Err() == nil }

// awaitReaderGone cannot detect that the reader closed the pipe; it waits until ctx ends.
func awaitReaderGone(ctx context.Context, _ *os.File) bool {
	<-ctx.Done()
	return false
}

// endOf is not supported on these systems, because their files have no device and inode numbers.
func endOf(*os.File) (spot, bool) { return spot{}, false }
