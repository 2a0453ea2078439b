//go:build unix

package signer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ErrStrange is returned if a file belongs to another user, who could replace its content.
var ErrStrange = errors.New("it belongs to another user")

// access describes who can read and write an open file.
type access struct {
	mode     fs.FileMode
	uid, gid uint32
	readOnly bool // on a read-only mount
}

// checkAccess returns an error if other users than the current one and root can read or write the file.
func checkAccess(file *os.File, path string) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.New("its owner is unknown")
	}
	a := access{info.Mode().Perm(), stat.Uid, stat.Gid, onReadOnlyMount(file)}
	return a.check(int64(os.Geteuid()), path)
}

// check judges who can read the file, for a process of the user:
//
//   - A file on a read-only mount was put there by an administrator, for this machine or container. This is
//     how Kubernetes and Docker mount secrets, with modes such as 0440 and 0444 that cannot be changed.
//   - Otherwise the file must belong to the user or to root, and no other user may write it or, by its mode,
//     read it. A group may read it if it is root's or has the number of the owner, and so is the owner's
//     own, and also if the file is root's, because an administrator then chose the group.
func (a access) check(user int64, path string) error {
	const groupRead, groupWrite, others = 0o040, 0o020, 0o007
	privateGroup := a.gid == 0 || a.gid == a.uid || a.uid == 0 && user != 0
	switch {
	case a.readOnly:
		return nil
	case a.uid != 0 && int64(a.uid) != user:
		return fmt.Errorf("%w (uid %d): run `chown %d %s` as root, or mount it read-only in a container", ErrStrange, a.uid, user, path)
	case a.mode&(groupWrite|others) != 0, a.mode&groupRead != 0 && !privateGroup:
		return fmt.Errorf("other users can access it (mode %04o): run `chmod 600 %s` as its owner, or mount it read-only in a container", a.mode, path)
	}
	return nil
}
