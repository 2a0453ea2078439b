//go:build linux || darwin

package diskspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Free returns the number of bytes that a process without privileges can still write to the file
// system of the folder.
func Free(folder string) (uint64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil {
		return 0, fmt.Errorf("read the free space of %s: %w", folder, err)
	}
	return stat.Bavail * uint64(stat.Bsize), nil //nolint:gosec // a block size is positive
}
