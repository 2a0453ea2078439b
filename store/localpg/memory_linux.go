package localpg

import "golang.org/x/sys/unix"

// minMemory is the size, in bytes, of a file system in memory that is large enough for all tests.
const minMemory = 8 << 30

// memoryFolder returns a folder on a file system in memory, or "" if none is large enough.
// It checks the total size, not the free space, so that all processes choose the same folder.
func memoryFolder() string {
	const folder = "/dev/shm"
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil || stat.Type != unix.TMPFS_MAGIC {
		return ""
	}
	if stat.Blocks*uint64(stat.Bsize) < minMemory {
		return ""
	}
	return folder
}
