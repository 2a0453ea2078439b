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

// postmaster is the information about a running server from the file postmaster.pid in its data
// directory.
type postmaster struct {
	pid, port int
}

// postmaster reads postmaster.pid. It returns false if the file does not exist or the server is no
// longer running. A killed server does not remove the file.
func (s server) postmaster() (postmaster, bool) {
	raw, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return postmaster{}, false
	}
	lines := strings.Split(string(raw), "\n") // pid, data directory, start time, port, …
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

// commandContains reports whether the command line of the process contains the text. This
// distinguishes the process from a later one that reuses its id.
func commandContains(pid int, text string) bool {
	command, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err != nil { // the process does not exist, or the system has no /proc
		command, err = exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	}
	return err == nil && bytes.Contains(command, []byte(text))
}

// stopOrphan stops a server whose parent process has ended. The caller must hold the lock, which
// ensures that no other process uses the server.
func (s server) stopOrphan() error {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} { // PostgreSQL's fast shutdown, then its immediate shutdown
		pm, running := s.postmaster()
		if !running {
			return nil
		}
		left, err := os.FindProcess(pm.pid)
		if err == nil {
			err = left.Signal(sig)
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop the orphaned PostgreSQL server in %s: %w", s.data(), err)
		}
		for deadline := time.Now().Add(10 * time.Second); running && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
			_, running = s.postmaster()
		}
	}
	if pm, running := s.postmaster(); running {
		return fmt.Errorf("the orphaned PostgreSQL server in %s (process %d) does not stop: kill it", s.data(), pm.pid)
	}
	return nil
}
