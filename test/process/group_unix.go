//go:build unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Suspend and Resume make a child look hung, and let it go on.
const (
	Suspend = syscall.SIGSTOP
	Resume  = syscall.SIGCONT
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

// As are the attributes of a program that is run as another user.
func As(user User) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user.UID, Gid: user.GID}}
}

// Apart are the attributes of a program in a session of its own: neither Ctrl-C nor
// the terminal's end is meant for it.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Owner returns the id of the user to whom a file belongs.
func Owner(info fs.FileInfo) (uid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// Lock waits until no other process holds the file's lock, then holds it until the
// file is closed or this process ends, however it ends.
func Lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }

// TryLock is Lock for those who would rather not wait: false means another holds it.
func TryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
