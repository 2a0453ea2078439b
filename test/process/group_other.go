//go:build !unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// errUnsupported is why no child can be started here: nothing would end it with
// its parent.
var errUnsupported = errors.New("child processes can be supervised on Linux and macOS only")

func attributes(*User) *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }

func startBound(*Process) error { return errUnsupported }
