//go:build !unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Suspend and Resume are placeholders, because this system has no such signals.
const (
	Suspend = syscall.Signal(-1)
	Resume  = syscall.Signal(-2)
)

// errUnsupported is the error that Start returns, because on this system a child would not end with
// its parent.
var errUnsupported = errors.New("child processes can be supervised on Linux and macOS only")

func attributes(*User) *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }

func startBound(*Process) error { return errUnsupported }

// As does nothing on this system: Start returns an error anyway.
func As(User) *syscall.SysProcAttr { return nil }

// Apart does nothing on this system: Start returns an error anyway.
func Apart() *syscall.SysProcAttr { return nil }

// Owner is not supported on this system; ok is false.
func Owner(fs.FileInfo) (uid int, ok bool) { return 0, false }

// Lock returns an error, because this system has no file locks that end with a process.
func Lock(*os.File) error { return errUnsupported }

// TryLock returns an error, like Lock.
func TryLock(*os.File) (bool, error) { return false, errUnsupported }
