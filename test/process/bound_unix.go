//go:build unix && (!linux || pipewatch)

package process

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
)

// watch waits for the end of its standard input, then sends signal $1 to process $2.
const watch = `cat >/dev/null; kill -"$1" "$2"`

// startBound starts the child and a shell that reads from a pipe to which only this process can
// write. When this process dies, the pipe closes and the shell stops the child. The build tag
// pipewatch selects this method on Linux too, so that it can be tested there.
func startBound(p *Process) error {
	if err := p.cmd.Start(); err != nil {
		return err
	}
	watcher := exec.Command("/bin/sh", "-c", watch, "sh", strconv.Itoa(int(p.spec.StopSignal)), strconv.Itoa(p.PID()))
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := watcher.StdinPipe()
	if err == nil {
		err = watcher.Start()
	}
	go p.wait()
	if err != nil {
		return errors.Join(fmt.Errorf("start the shell that detects the end of the parent: %w", err), p.Kill())
	}
	go func() {
		<-p.done
		// Kill the watcher before closing the pipe. Otherwise it would send its signal to the
		// child's process ID, which another process may have by then.
		_ = syscall.Kill(-watcher.Process.Pid, syscall.SIGKILL)
		_ = pipe.Close()
		_ = watcher.Wait()
	}()
	return nil
}
