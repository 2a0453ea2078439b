//go:build linux && !pipewatch

package process

import "runtime"

// startBound starts the child so that the kernel sends it the stop signal when its parent dies. The
// kernel regards the thread that created the child as the parent, not the process, so that thread
// is locked for the child's lifetime.
func startBound(p *Process) error {
	p.cmd.SysProcAttr.Pdeathsig = p.spec.StopSignal
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // not unlocked, so that the thread ends with this goroutine
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.wait()
		}
	}()
	return <-started
}
