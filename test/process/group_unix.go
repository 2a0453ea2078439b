//go:build unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Suspend and Resume are the signals that suspend a child, so that it appears hung, and resume it.
const (
	Suspend = syscall.SIGSTOP
	Resume  = syscall.SIGCONT
)

// errUnsupported is the reason why children cannot be started; nil on systems where they can.
var errUnsupported error

// attributes puts the child into a separate process group, and runs it as the user if there is one.
func attributes(user *User) *syscall.SysProcAttr {
	group := &syscall.SysProcAttr{Setpgid: true}
	if user != nil {
		group.Credential = &syscall.Credential{Uid: user.UID, Gid: user.GID}
	}
	return group
}

// killGroup ends the process group that the child leads. It returns os.ErrProcessDone when the
// group is empty.
func killGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// As returns the process attributes for running a program as another user.
func As(user User) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user.UID, Gid: user.GID}}
}

// Apart returns the process attributes for running a program in a separate session, which receives
// neither Ctrl-C nor the terminal's hang-up.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Owner returns the id of the file's owner.
func Owner(info fs.FileInfo) (uid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// Lock waits for the file's lock. The lock is released when the file is closed or this process ends
// in any way.
func Lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }

// TryLock is like Lock without waiting: it returns false if another process has the lock.
func TryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
