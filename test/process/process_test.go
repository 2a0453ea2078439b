//go:build unix

package process_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"taskmarket/test/process"
)

// parentEnv makes this test binary run as a parent that starts one child and waits to be killed.
const parentEnv = "PROCESS_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(parentEnv) != "" {
		p, err := process.Start(process.Spec{Path: "/bin/sleep", Args: []string{"600"}})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(p.PID())
		<-p.Done()
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, spec process.Spec, script string) *process.Process {
	t.Helper()
	spec.Path, spec.Args = "/bin/sh", []string{"-c", script}
	spec.Log = filepath.Join(t.TempDir(), "log")
	p, err := process.Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Kill() })
	return p
}

func awaitLog(t *testing.T, p *process.Process, want string) {
	t.Helper()
	await(t, fmt.Sprintf("%q in the log", want), func() bool { return strings.Contains(p.LogTail(), want) })
}

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited 10 s for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestStopSendsSignalFirst(t *testing.T) {
	p := start(t, process.Spec{}, `trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.05; done`)
	awaitLog(t, p, "up")
	if err := p.Stop(); err != nil {
		t.Fatalf("Stop() = %v, want nil", err)
	}
	awaitLog(t, p, "asked")
	if err := p.Err(); err != nil {
		t.Errorf("Err() = %v, want nil after exit code 0", err)
	}
	if err := p.Stop(); err != nil {
		t.Errorf("second Stop() = %v, want nil", err)
	}
}

func TestStopKillsUnresponsiveGroup(t *testing.T) {
	spec := process.Spec{Grace: 50 * time.Millisecond}
	p := start(t, spec, `trap '' TERM; sleep 600 & echo "grandchild $!"; echo up; while :; do sleep 0.05; done`)
	awaitLog(t, p, "up")
	var grandchild int
	if _, err := fmt.Sscanf(p.LogTail(), "grandchild %d", &grandchild); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("Stop() = %v, want an error about the kill", err)
	}
	await(t, "the end of the grandchild", func() bool { return !alive(grandchild) })
}

func TestDoneAndErrReportExit(t *testing.T) {
	p := start(t, process.Spec{}, `echo broken >&2; exit 3`)
	select {
	case <-p.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("Done was not closed")
	}
	if p.Err() == nil || p.LogTail() != "broken\n" {
		t.Errorf("Err() = %v, LogTail() = %q, want exit code 3 and what the child wrote", p.Err(), p.LogTail())
	}
}

func TestStartReturnsMissingProgram(t *testing.T) {
	_, err := process.Start(process.Spec{Name: "anvil", Path: "/nowhere/anvil"})
	if err == nil || !strings.Contains(err.Error(), "start anvil") {
		t.Errorf("Start() = %v, want an error that names anvil", err)
	}
}

func TestChildEndsWithKilledParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentEnv+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the parent wrote %q, want the child's id", line)
	}
	if !alive(child) {
		t.Fatal("the child ended before its parent")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	await(t, "the end of the child", func() bool { return !alive(child) })
	_ = parent.Wait()
}

// alive reports whether the process runs; it is false for a zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

func TestPorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	taken, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.CheckPort(taken); err == nil || !strings.Contains(err.Error(), "is taken") {
		t.Errorf("CheckPort(taken) = %v, want an error about the port", err)
	}
	free, err := process.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	if free == taken {
		t.Errorf("FreePort() = %d, which is taken", free)
	}
	if err := process.CheckPort(free); err != nil {
		t.Errorf("CheckPort(free) = %v, want nil", err)
	}
	socket, err := net.ListenPacket("udp", net.JoinHostPort("127.0.0.1", strconv.Itoa(free)))
	if err == nil {
		_ = socket.Close()
		t.Errorf("port %d is not reserved, so another process can choose it too", free)
	}
}
