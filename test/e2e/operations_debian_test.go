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

// debian is a program that tools/debian/fetch.sh has downloaded, with a port that it listens on.
type debian struct {
	program string
	args    []string
	env     []string
	port    int
	user    *process.User // nil for the current user
	log     string
	proc    *process.Process
}

// start starts the program, which stops after the test, and waits until it accepts connections.
func (d *debian) start(tb testing.TB) {
	tb.Helper()
	root, err := process.ModuleRoot()
	if err != nil {
		tb.Fatal(err)
	}
	usr := filepath.Join(root, ".dev", "debian", "usr")
	d.proc, err = process.Start(process.Spec{
		Name: d.program, Path: filepath.Join(usr, "sbin", d.program), Args: d.args, User: d.user, Dir: "/", Log: d.log,
		Env: append(d.env, "LD_LIBRARY_PATH="+filepath.Join(usr, "lib", "x86_64-linux-gnu")),
	})
	if err != nil {
		tb.Fatalf("%v: `make operations-deep` downloads it", err)
	}
	tb.Cleanup(func() { _ = d.proc.Kill() })
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address(d.port))
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(end) || d.proc.Err() != nil {
			tb.Fatalf("start %s: %v: %v: %s", d.program, err, d.proc.Err(), d.proc.LogTail())
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
