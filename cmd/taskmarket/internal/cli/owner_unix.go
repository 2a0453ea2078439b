//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// strangers reports whether somebody else than this user and the system's
// administrator owns the file.
func strangers(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid != 0 && int64(stat.Uid) != int64(os.Geteuid())
}

// administrator reports whether this is the system's own user, who is at home in the
// folders of others.
func administrator() bool { return os.Geteuid() == 0 }

// openToOthers reports whether others than the user may read or write the file.
func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// writableByOthers reports whether others can put files into a folder, or in the
// place of those in it. A group of the user's own is no others, and where only a
// file's owner may replace it, as in /tmp, nobody else can.
func writableByOthers(info fs.FileInfo) bool {
	const group, others = 0o020, 0o002
	mode := info.Mode()
	if mode&fs.ModeSticky != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	ownGroup := ok && int64(stat.Gid) == int64(os.Getegid())
	return mode.Perm()&others != 0 || mode.Perm()&group != 0 && !ownGroup
}
