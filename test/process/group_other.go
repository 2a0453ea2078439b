//go:build !unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Suspend and Resume are signals that no system of this kind has.
const (
	Suspend = syscall.Signal(-1)
	Resume  = syscall.Signal(-2)
)

// errUnsupported is why no child can be started here: nothing would end it with
// its parent.
var errUnsupported = errors.New("child processes can be supervised on Linux and macOS only")

func attributes(*User) *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }

func startBound(*Process) error { return errUnsupported }

// As is of no use here: Start refuses.
func As(User) *syscall.SysProcAttr { return nil }

// Apart is of no use here: Start refuses.
func Apart() *syscall.SysProcAttr { return nil }

// Owner knows no file's owner here.
func Owner(fs.FileInfo) (uid int, ok bool) { return 0, false }

// Lock refuses: there is nothing here that children could be held by.
func Lock(*os.File) error { return errUnsupported }

// TryLock refuses as Lock does.
func TryLock(*os.File) (bool, error) { return false, errUnsupported }
