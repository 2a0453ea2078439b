package localpg

import (
	"fmt"
	"os"

	"taskmarket/test/process"
)

// lock waits for a lock on the file. The lock is released when the file is closed or this process
// ends for any reason.
func lock(path string) (*os.File, error) {
	f, err := openLock(path)
	if err != nil {
		return nil, err
	}
	if err := process.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// tryLock is like lock but does not wait. It returns false if another process has the lock.
func tryLock(path string) (*os.File, bool, error) {
	f, err := openLock(path)
	if err != nil {
		return nil, false, err
	}
	locked, err := process.TryLock(f)
	if locked {
		return f, true, nil
	}
	f.Close()
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	return nil, false, nil
}

func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock %s: %w", path, err)
	}
	return f, nil
}
