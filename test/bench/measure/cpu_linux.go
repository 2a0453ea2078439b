package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is the unit of times in /proc/<pid>/stat: 100 per second on every Linux that Go supports.
const tick = 10 * time.Millisecond

// stat contains the fields of /proc/<pid>/stat that this package uses.
type stat struct {
	parent int
	self   time.Duration // user and system time
	reaped time.Duration // user and system time of terminated children
}

// CPU returns the processor time that a process has used.
func CPU(pid int) (time.Duration, error) {
	s, err := readStat(pid)
	return s.self, err
}

// TreeCPU returns the processor time of a process and its children, running or terminated. It does not
// include running grandchildren.
func TreeCPU(pid int) (time.Duration, error) {
	root, err := readStat(pid)
	if err != nil {
		return 0, err
	}
	sum := root.self + root.reaped
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, fmt.Errorf("list the processes: %w", err)
	}
	for _, folder := range folders {
		child, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		s, err := readStat(child)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the process has terminated since it was listed
		}
		if err == nil && s.parent == pid {
			sum += s.self
		}
	}
	return sum, nil
}

// Parent returns the id of a process's parent process.
func Parent(pid int) (int, error) {
	s, err := readStat(pid)
	return s.parent, err
}

func readStat(pid int) (stat, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, fmt.Errorf("read the processor time of process %d: %w", pid, err)
	}
	// The second field is the name of the program in parentheses. It can contain spaces and
	// parentheses: "42 (a b) c) S 1 …".
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
	const parent, user, system, childUser, childSystem = 1, 11, 12, 13, 14 // indexes of the fields after the program name
	if len(fields) <= childSystem {
		return stat{}, fmt.Errorf("read the processor time of process %d: too few fields", pid)
	}
	var numbers [childSystem + 1]int64
	for _, i := range []int{parent, user, system, childUser, childSystem} {
		if numbers[i], err = strconv.ParseInt(string(fields[i]), 10, 64); err != nil {
			return stat{}, fmt.Errorf("read the processor time of process %d: %w", pid, err)
		}
	}
	return stat{
		parent: int(numbers[parent]),
		self:   time.Duration(numbers[user]+numbers[system]) * tick,
		reaped: time.Duration(numbers[childUser]+numbers[childSystem]) * tick,
	}, nil
}

// PeakMemory returns a process's peak resident memory, in bytes.
func PeakMemory(pid int) (int64, error) { return readMemory(pid, "VmHWM:") }

// Memory returns a process's resident memory, in bytes.
func Memory(pid int) (int64, error) { return readMemory(pid, "VmRSS:") }

func readMemory(pid int, field string) (int64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
	}
	for line := range bytes.Lines(raw) {
		fields := bytes.Fields(line) // example: VmHWM: 12345 kB
		if len(fields) == 3 && string(fields[0]) == field {
			kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("read the memory of process %d: /proc does not report it", pid)
}
