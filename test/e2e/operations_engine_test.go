//go:build operations

package e2e_test

import (
	"net"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"taskmarket/test/process"
)

// engine is a program that `make operations-deep` has downloaded or built, with a port that it
// listens on.
type engine struct {
	path string // below .dev
	args []string
	env  []string
	port int
	user *process.User // nil for the current user
	log  string
	proc *process.Process
}

// start starts the program, which stops after the test, and waits until it accepts connections.
func (e *engine) start(tb testing.TB) {
	tb.Helper()
	root, err := process.ModuleRoot()
	if err != nil {
		tb.Fatal(err)
	}
	dev := filepath.Join(root, ".dev")
	e.proc, err = process.Start(process.Spec{
		Name: filepath.Base(e.path), Path: filepath.Join(dev, e.path), Args: e.args, User: e.user, Dir: "/", Log: e.log,
		Env: append(e.env, "LD_LIBRARY_PATH="+filepath.Join(dev, "debian", "usr", "lib", "x86_64-linux-gnu")),
	})
	if err != nil {
		tb.Fatalf("%v: `make operations-deep` provides it", err)
	}
	tb.Cleanup(func() { _ = e.proc.Kill() })
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address(e.port))
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(end) || e.proc.Err() != nil {
			tb.Fatalf("start %s: %v: %v: %s", e.path, err, e.proc.Err(), e.proc.LogTail())
		}
	}
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func freePort(tb testing.TB) int {
	tb.Helper()
	port, err := process.FreePort()
	if err != nil {
		tb.Fatal(err)
	}
	return port
}
