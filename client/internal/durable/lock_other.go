//go:build !unix && !windows

package durable

import (
	"errors"
	"os"
)

// TryLock refuses: a lock that does not hold across processes could let two of
// them pay for one task.
func TryLock(*os.File) (bool, error) {
	return false, errors.New("files cannot be locked on this system; give Options.Flows another store")
}
