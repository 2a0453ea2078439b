package spend

import (
	"context"
	"errors"
	"testing"

	"taskmarket/client"
)

// announced is a FlowStore that announces calls of Lock that have to wait.
type announced struct {
	client.FlowStore
	waits chan struct{}
}

func (f announced) Lock(ctx context.Context, key string) (func(), error) {
	if ctx.Err() == nil {
		f.waits <- struct{}{}
	}
	return f.FlowStore.Lock(ctx, key)
}

// Commands with the same arguments that run at the same time pay once: the second one continues what the first one
// left, or ends.
func TestChooseKey(t *testing.T) {
	flows := client.FileFlows(t.TempDir())
	first := &Command{Journal: flows}
	choose := func(s *Command, arguments ...any) (string, func()) {
		key, unlock, err := s.ChooseKey(t.Context(), arguments...)
		if err != nil {
			t.Fatal(err)
		}
		return key, unlock
	}
	key, unlock := choose(first, "hello", 1)
	for _, arguments := range [][]any{{"hello", 2}, {"hello"}, {1, "hello"}} {
		other, unlock := choose(first, arguments...)
		if other == key {
			t.Errorf("arguments %v have the key of others", arguments)
		}
		unlock()
	}
	waits := make(chan struct{})
	second := func() <-chan error {
		done := make(chan error, 1)
		go func() {
			again, unlock, err := (&Command{Journal: announced{flows, waits}}).ChooseKey(t.Context(), "hello", 1)
			if err == nil {
				unlock()
			}
			if err == nil && again != key {
				err = errors.New("another key")
			}
			done <- err
		}()
		<-waits
		return done
	}
	left := client.Flow{Task: &client.TaskRequest{Key: key}}
	left.Key = left.Task.FlowKey()
	waiting := second()
	if err := flows.Save(t.Context(), &left); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-waiting; err != nil {
		t.Errorf("after a run that was interrupted: %v", err)
	}
	if again, unlock := choose(first, "hello", 1); again != key {
		t.Error("a later run chose another key")
	} else {
		waiting = second()
		if err := flows.Remove(t.Context(), left.Key); err != nil {
			t.Fatal(err)
		}
		unlock()
	}
	if err := <-waiting; !errors.Is(err, client.ErrEnded) {
		t.Errorf("after a run that was finished: %v", err)
	}
	if next, unlock := choose(first, "hello", 1); next == key {
		t.Error("the command after a finished one has the same key")
	} else {
		unlock()
	}
}

// Only the keys that commands choose are forgotten, however much a user's key looks like one.
func TestOnlyChosenKeysAreForgotten(t *testing.T) {
	key, unlock, err := (&Command{Journal: client.FileFlows(t.TempDir())}).ChooseKey(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if own := (client.TaskRequest{Key: key}).FlowKey(); !chosenKey.MatchString(own) {
		t.Errorf("%q does not match", own)
	}
	for _, users := range []string{"command 1", "command ", "my " + key, key + " again", client.TaskRequest{Key: key}.FlowKey(), ""} {
		if chosenKey.MatchString(client.TaskRequest{Key: users}.FlowKey()) {
			t.Errorf("%q matches", users)
		}
	}
}
