//go:build !unix && !windows

package durable

import (
	"errors"
	"os"
)

// TryLock always fails, because without locks between processes, two of them could pay for the same
// task.
func TryLock(*os.File) (bool, error) {
	return false, errors.New("file locks are not supported on this system; use another store for the journal")
}
