//go:build !unix && !windows

package client

import (
	"errors"
	"os"
)

// tryLock refuses: a lock that does not hold across processes could let two of
// them pay for one task.
func tryLock(*os.File) (bool, error) {
	return false, errors.New("files cannot be locked on this system; give Options.Flows another store")
}
