//go:build !unix

package hire

import (
	"context"
	"os"
)

// surviveReader does nothing: writing to a closed pipe is an error here anyway.
func surviveReader() {}

func isReaderGone(error) bool { return false }

// awaitRoom returns at once: whether there is room cannot be asked here.
func awaitRoom(ctx context.Context, _ *os.File) bool { return ctx.Err() == nil }

// awaitReaderGone cannot know before something is written.
func awaitReaderGone(ctx context.Context, _ *os.File) bool {
	<-ctx.Done()
	return false
}

// endOf knows no file by an identity of its own.
func endOf(*os.File) (spot, bool) { return spot{}, false }
