//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByOther reports whether the file belongs to a user other than the current user or root.
func ownedByOther(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid != 0 && int64(stat.Uid) != int64(os.Geteuid())
}

// administrator reports whether the current user is root, which can use other users' directories.
func administrator() bool { return os.Geteuid() == 0 }

// writableByOthers reports whether other users can replace files in a directory. It ignores write
// permission for the current user's own group, which usually has no other member. It also ignores
// all write permissions of a sticky directory such as /tmp, in which users can rename only their
// own files.
func writableByOthers(info fs.FileInfo) bool {
	const group, others = 0o020, 0o002
	mode := info.Mode()
	if mode&fs.ModeSticky != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	userGroup := ok && int64(stat.Gid) == int64(os.Getegid())
	return mode.Perm()&others != 0 || mode.Perm()&group != 0 && !userGroup
}
