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

// glance is the interval at which a blocking wait checks whether the context has ended.
const glance = 100 * time.Millisecond

// ignoreSIGPIPE makes a write to a closed pipe return an error instead of raising a signal.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// awaitRoom waits until a whole line can be written to the pipe without blocking and returns true,
// or returns false if ctx ends first. A line is shorter than PIPE_BUF, for which POLLOUT reports room.
// The wait ensures that a signal cannot interrupt a write midway.
func awaitRoom(ctx context.Context, file *os.File) bool {
	for ctx.Err() == nil {
		if poll(file, unix.POLLOUT, glance) != 0 {
			return true // this includes a closed pipe, for which the write returns the error
		}
	}
	return false
}

// awaitReaderGone waits until the reader closes the pipe and returns true. It returns false if ctx
// ends first or the state of the pipe cannot be determined.
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

// poll waits up to timeout for one of the events, or until the other end of the pipe is closed.
func poll(file *os.File, events int16, timeout time.Duration) (happened int16) {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: events}} //nolint:gosec // file descriptors fit into 32 bits
	if _, err := unix.Poll(fds, int(timeout.Milliseconds())); err != nil {
		return 0 // interrupted by a signal; the caller polls again
	}
	return fds[0].Revents
}

// endOf returns the identity of a regular file and the position of its end.
func endOf(file *os.File) (spot, bool) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return spot{}, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return spot{}, false
	}
	return spot{Device: uint64(stat.Dev), Inode: stat.Ino, Size: info.Size()}, true //nolint:unconvert // the field types differ between operating systems
}
