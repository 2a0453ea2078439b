// Package tmpfs mounts small file systems that tests can fill.
package tmpfs

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// New returns the root folder of an empty file system in memory, of the given size in bytes. A child
// process mounts it in its own namespaces, which does not require root if the kernel permits user
// namespaces, and the test reaches it through /proc/PID/root. The child ends when its input is closed,
// which unmounts the file system.
func New(tb testing.TB, size int) (folder string) {
	tb.Helper()
	place := tb.TempDir()
	child := exec.Command("sh", "-ec", `mount -t tmpfs -o size="$1" none "$2"; echo mounted; exec cat`, "sh", strconv.Itoa(size), place)
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe() // cat ends when it is closed
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := child.Start(); err != nil {
		tb.Fatalf("create a user namespace, which the kernel must permit (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns): %v", err)
	}
	tb.Cleanup(func() {
		stdin.Close()
		if err := child.Wait(); err != nil {
			tb.Errorf("unmount the small file system: %v", err)
		}
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		tb.Fatalf("mount a small file system: %q, %v", line, err)
	}
	return filepath.Join(fmt.Sprintf("/proc/%d/root", child.Process.Pid), place)
}

// NewOpen is like New, but other users can enter the folder too. Programs that refuse to run as root,
// such as PostgreSQL, need this, because they cannot enter /proc/PID/root of root's processes. If the
// test runs as root, it therefore mounts the file system for the whole machine, until the test ends.
func NewOpen(tb testing.TB, size int) (folder string) {
	tb.Helper()
	if os.Geteuid() != 0 {
		return New(tb, size)
	}
	place, err := os.MkdirTemp("", "taskmarket-tmpfs-")
	if err != nil {
		tb.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=0755,size="+strconv.Itoa(size), "none", place).CombinedOutput(); err != nil {
		tb.Fatalf("mount a small file system: %v: %s", err, out)
	}
	tb.Cleanup(func() {
		if out, err := exec.Command("umount", "--lazy", place).CombinedOutput(); err != nil {
			tb.Errorf("unmount the small file system: %v: %s", err, out)
		}
		os.Remove(place)
	})
	return place
}
