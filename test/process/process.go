// Package process supervises the programs that development and tests start: PostgreSQL, anvil and
// the server. A child can write its output to a log file. It runs in a separate process group, so
// that Ctrl-C in a terminal reaches only its parent, and it ends when that parent ends, even if the
// parent is killed. On systems other than Unix the package only compiles: Start returns an error.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	defaultGrace = 8 * time.Second
	logTailBytes = 2 << 10
)

// User is the account that a child runs as. Only root can choose an account other than its own.
type User struct {
	UID, GID uint32
}

// Spec specifies a child and how to stop it.
type Spec struct {
	Name string // name used in messages; Path if empty
	Path string
	Args []string
	Dir  string   // working directory; the parent's if empty
	Env  []string // environment variables; the parent's if nil
	Log  string   // file for stdout and stderr, truncated at the start; none if empty
	User *User    // account to run as; the parent's if nil

	StopSignal syscall.Signal // signal that stops the child; SIGTERM if zero
	Grace      time.Duration  // time from StopSignal to SIGKILL; 8 s if zero

	// Detached lets the child outlive its parent. The caller must ensure that it is stopped.
	Detached bool
}

// Process is a started child. It is safe for concurrent use.
type Process struct {
	spec Spec
	cmd  *exec.Cmd
	done chan struct{}
	err  error // result of waiting; set before done is closed
}

// Start starts the child. It returns once the program runs, possibly before it is ready.
func Start(spec Spec) (*Process, error) {
	if spec.Name == "" {
		spec.Name = spec.Path
	}
	if spec.StopSignal == 0 {
		spec.StopSignal = syscall.SIGTERM
	}
	if spec.Grace == 0 {
		spec.Grace = defaultGrace
	}
	p := &Process{spec: spec, cmd: exec.Command(spec.Path, spec.Args...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = spec.Dir, spec.Env
	p.cmd.SysProcAttr = attributes(spec.User)
	if spec.Log != "" {
		log, err := os.Create(spec.Log)
		if err != nil {
			return nil, fmt.Errorf("open the log of %s: %w", spec.Name, err)
		}
		defer log.Close()
		p.cmd.Stdout, p.cmd.Stderr = log, log
	}
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Name, err)
	}
	return p, nil
}

func (p *Process) start() error {
	if errUnsupported != nil {
		return errUnsupported
	}
	if !p.spec.Detached {
		return startBound(p)
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go p.wait()
	return nil
}

// wait reaps the child and closes the done channel.
func (p *Process) wait() {
	p.err = p.cmd.Wait()
	close(p.done)
}

// PID returns the child's process id, which is also the id of its process group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the child has ended, for any reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns the child's exit error: nil for exit code 0, and nil while it still runs.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Stop signals the child to end and waits for it. If the child has not ended after its grace period,
// Stop kills its whole process group and returns an error. Stop does nothing if the child has
// already ended.
func (p *Process) Stop() error {
	if err := p.Signal(p.spec.StopSignal); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(p.spec.Grace):
	}
	if err := p.Kill(); err != nil {
		return err
	}
	return fmt.Errorf("stop %s: killed, because it had not ended %s after %s", p.spec.Name, p.spec.Grace, p.spec.StopSignal)
}

// Kill kills the child and its process group without a warning, like a power failure, and waits for the
// child to end.
func (p *Process) Kill() error {
	if p.ended() {
		return nil
	}
	if err := killGroup(p.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s: %w", p.spec.Name, err)
	}
	<-p.done
	return nil
}

// Signal sends sig only to the child: for example, SIGSTOP makes it appear hung, and SIGCONT
// resumes it. Signalling a child that has already ended is not an error.
func (p *Process) Signal(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("send %s to %s: %w", sig, p.spec.Name, err)
	}
	return nil
}

func (p *Process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// LogTail returns the end of the child's log, for error messages.
func (p *Process) LogTail() string {
	raw, err := os.ReadFile(p.spec.Log)
	if err != nil {
		return ""
	}
	return string(raw[max(0, len(raw)-logTailBytes):])
}
