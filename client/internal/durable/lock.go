//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks the file. It returns false if the file is already locked through another open file,
// in this or another process.
func TryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
