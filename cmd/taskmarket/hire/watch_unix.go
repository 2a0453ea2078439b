//go:build unix

package hire

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// glance is how long the end of a context may go unseen.
const glance = 100 * time.Millisecond

// surviveReader makes writing to a closed pipe an error instead of the end.
func surviveReader() { signal.Ignore(syscall.SIGPIPE) }

func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// awaitRoom returns true once a line can be written without waiting: until then
// a signal can end the process without cutting the line, because a pipe with
// room takes a line whole. It returns false when ctx ends first.
func awaitRoom(ctx context.Context, file *os.File) bool {
	for ctx.Err() == nil {
		if poll(file, unix.POLLOUT, glance) != 0 {
			return true // also when the reader is gone, which the write says
		}
	}
	return false
}

// awaitReaderGone returns true when nobody can read any more what is written, and
// false when ctx ends first, or when that cannot be known.
func awaitReaderGone(ctx context.Context, file *os.File) bool {
	for ctx.Err() == nil {
		switch happened := poll(file, 0, glance); {
		case happened&unix.POLLNVAL != 0:
			return false
		case happened&(unix.POLLERR|unix.POLLHUP) != 0:
			return true
		}
	}
	return false
}

// poll waits a while for one of the events, or for the other side's end.
func poll(file *os.File, events int16, patience time.Duration) (happened int16) {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: events}} //nolint:gosec // descriptors are small numbers
	if _, err := unix.Poll(fds, int(patience.Milliseconds())); err != nil {
		return 0 // interrupted: the caller looks again
	}
	return fds[0].Revents
}

// endOf returns the end of a regular file.
func endOf(file *os.File) (spot, bool) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return spot{}, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return spot{}, false
	}
	return spot{Device: uint64(stat.Dev), Inode: stat.Ino, Size: info.Size()}, true //nolint:unconvert // the type differs between systems
}
