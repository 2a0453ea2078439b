//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// errUnsupported is why no child can be started here; nil where one can.
var errUnsupported error

// attributes puts the child into a process group of its own, as another user if
// one is named.
func attributes(user *User) *syscall.SysProcAttr {
	group := &syscall.SysProcAttr{Setpgid: true}
	if user != nil {
		group.Credential = &syscall.Credential{Uid: user.UID, Gid: user.GID}
	}
	return group
}

// killGroup ends the process group that the child leads. It answers
// os.ErrProcessDone when nobody is left in it.
func killGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
