package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/client"
)

func TestFileFlows(t *testing.T) {
	ctx, directory := t.Context(), filepath.Join(t.TempDir(), "state")
	flows := client.FileFlows(directory)
	unlock, err := flows.Lock(ctx, "a/../key")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if got, err := flows.Load(ctx, "a/../key"); got != nil || err != nil {
		t.Fatalf("got %v, error %v before anything was saved", got, err)
	}
	want := &client.Flow{Key: "a/../key", IdempotencyKey: "i"}
	id := uuid.New()
	for _, change := range []func(){
		func() {},
		func() { want.TaskID = &id },
		func() { want.Transactions = append(want.Transactions, []byte{1, 2}) },
		func() { want.Done = true },
	} {
		change()
		if err := flows.Save(ctx, want); err != nil {
			t.Fatal(err)
		}
		got, err := client.FileFlows(directory).Load(ctx, "a/../key")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if err := flows.Remove(ctx, "a/../key"); err != nil {
		t.Fatal(err)
	}
	if got, err := flows.Load(ctx, "a/../key"); got != nil || err != nil {
		t.Errorf("got %v, error %v after it was removed", got, err)
	}
}

func TestFileFlowsPermissions(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	flows := client.FileFlows(directory)
	unlock, err := flows.Lock(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := flows.Save(t.Context(), &client.Flow{Key: "k"}); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(directory, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) != 2 { // the file with the flow and its lock file
		t.Errorf("got %v, error %v", entries, err)
	}
}

func TestFileFlowsLock(t *testing.T) {
	directory := t.TempDir()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			unlock, err := client.FileFlows(directory).Lock(t.Context(), "k")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if !mu.TryLock() {
				t.Error("two goroutines hold the lock")
				return
			}
			time.Sleep(time.Millisecond) // lets another goroutine run
			mu.Unlock()
		})
	}
	wait.Wait()

	unlock, err := client.FileFlows(directory).Lock(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := client.FileFlows(directory).Lock(ctx, "k"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v for a lock that is held", err)
	}
	other, err := client.FileFlows(directory).Lock(ctx, "another")
	if err != nil {
		t.Fatalf("another flow's lock: %v", err)
	}
	other()
}
