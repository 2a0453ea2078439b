//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the file's lock unless another process or open file has it.
func TryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
