//go:build !linux

package measure

import (
	"errors"
	"time"
)

var errNoProc = errors.New("measure a process: this requires /proc, which only Linux has")

// CPU returns the processor time that a process has used. It works only on Linux.
func CPU(int) (time.Duration, error) { return 0, errNoProc }

// TreeCPU returns the processor time of a process and its children. It works only on Linux.
func TreeCPU(int) (time.Duration, error) { return 0, errNoProc }

// Parent returns the id of a process's parent process. It works only on Linux.
func Parent(int) (int, error) { return 0, errNoProc }

// PeakMemory returns a process's peak memory. It works only on Linux.
func PeakMemory(int) (int64, error) { return 0, errNoProc }

// Memory returns a process's resident memory. It works only on Linux.
func Memory(int) (int64, error) { return 0, errNoProc }
