package localpg

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// postmaster is the information that a running server writes into its data folder.
type postmaster struct {
	pid, port int
}

// postmaster reads this information. It returns false if there is none or if the server no longer
// runs: a killed server leaves its file.
func (s server) postmaster() (postmaster, bool) {
	raw, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return postmaster{}, false
	}
	lines := strings.Split(string(raw), "\n") // pid, data folder, start time, port, …
	if len(lines) < 4 {
		return postmaster{}, false
	}
	pid, errPID := strconv.Atoi(strings.TrimSpace(lines[0]))
	port, errPort := strconv.Atoi(strings.TrimSpace(lines[3]))
	if errors.Join(errPID, errPort) != nil || pid <= 1 || !commandContains(pid, s.data()) {
		return postmaster{}, false
	}
	return postmaster{pid: pid, port: port}, true
}

// commandContains distinguishes the process from a later one with the same id.
func commandContains(pid int, text string) bool {
	command, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil { // no such process, or a system without /proc
		command, err = exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	}
	return err == nil && bytes.Contains(command, []byte(text))
}

// stopOrphan stops a server whose parent process has ended. The caller holds the lock, so no other
// process uses the server.
func (s server) stopOrphan() error {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} { // fast, then immediate
		pm, running := s.postmaster()
		if !running {
			return nil
		}
		left, err := os.FindProcess(pm.pid)
		if err == nil {
			err = left.Signal(sig)
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop the PostgreSQL that was left in %s: %w", s.data(), err)
		}
		for deadline := time.Now().Add(10 * time.Second); running && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
			_, running = s.postmaster()
		}
	}
	if pm, running := s.postmaster(); running {
		return fmt.Errorf("the PostgreSQL that was left in %s, process %d, does not stop: kill it", s.data(), pm.pid)
	}
	return nil
}
