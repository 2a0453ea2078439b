package signer

import (
	"os"

	"golang.org/x/sys/unix"
)

// onReadOnlyMount reports whether no process can write the file through its mount.
func onReadOnlyMount(file *os.File) bool {
	var stat unix.Statfs_t
	return unix.Fstatfs(int(file.Fd()), &stat) == nil && stat.Flags&unix.ST_RDONLY != 0
}
