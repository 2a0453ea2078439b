package measure_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"taskmarket/test/bench/measure"
)

// burn runs a busy loop for the duration.
func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func TestCPUGrowsWithWork(t *testing.T) {
	before, err := measure.CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	used := time.Duration(0)
	for used < 50*time.Millisecond { // takes longer on a busy machine
		burn(50 * time.Millisecond)
		after, err := measure.CPU(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if after < before {
			t.Fatalf("CPU() fell from %s to %s", before, after)
		}
		used = after - before
	}
}

func TestTreeCPUCountsChildren(t *testing.T) {
	own := os.Getpid()
	before, err := measure.TreeCPU(own)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("/bin/sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	parent, err := measure.Parent(child.Process.Pid)
	if err != nil || parent != own {
		t.Errorf("Parent() = %d, %v, want %d", parent, err, own)
	}
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	after, err := measure.TreeCPU(own)
	if err != nil {
		t.Fatal(err)
	}
	if used := child.ProcessState.UserTime(); after-before < used/2 {
		t.Errorf("TreeCPU() grew by %s while a child used %s", after-before, used)
	}
	if _, err := measure.CPU(child.Process.Pid); err == nil {
		t.Error("CPU() of a terminated process returned no error")
	}
}
