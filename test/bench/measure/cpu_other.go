//go:build !linux

package measure

import (
	"errors"
	"time"
)

var errNoProc = errors.New("measure processor time: this needs the /proc of Linux")

// CPU returns the processor time that a process has used; on Linux only.
func CPU(int) (time.Duration, error) { return 0, errNoProc }

// TreeCPU returns the processor time that a process has used with its
// children; on Linux only.
func TreeCPU(int) (time.Duration, error) { return 0, errNoProc }

// Parent returns the process that started the given one; on Linux only.
func Parent(int) (int, error) { return 0, errNoProc }

// PeakMemory returns a process's peak memory; on Linux only.
func PeakMemory(int) (int64, error) { return 0, errNoProc }
