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

// glance is the interval at which the context is checked.
const glance = 100 * time.Millisecond

// ignoreSIGPIPE makes writing to a closed pipe an error instead of a signal.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// awaitRoom returns true once a line can be written without blocking. A pipe with enough space
// accepts a whole line, so a signal cannot cut it. It returns false if ctx ends first.
func awaitRoom(ctx context.Context, file *os.File) bool {
	for ctx.Err() == nil {
		if poll(file, unix.POLLOUT, glance) != 0 {
			return true // also for a closed pipe: the write returns the error
		}
	}
	return false
}

// awaitReaderGone returns true when the reader has closed the pipe, and false when ctx ends first
// or the state is unknown.
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

// poll waits up to timeout for one of the events, or for the other end to close.
func poll(file *os.File, events int16, timeout time.Duration) (happened int16) {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: events}} //nolint:gosec // descriptors are small numbers
	if _, err := unix.Poll(fds, int(timeout.Milliseconds())); err != nil {
		return 0 // interrupted: the caller polls again
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
	return spot{Device: uint64(stat.Dev), Inode: stat.Ino, Size: info.Size()}, true //nolint:unconvert // the types differ between systems
}
