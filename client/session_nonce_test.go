package client_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"taskmarket/client"
)

// The journal contains a payment that was never sent. The wallet's next command, in another
// process, sends that payment before it makes its own.
func TestWalletIsSharedByCommands(t *testing.T) {
	w := newWorld(t)
	first, second := request("left behind"), request("the next")
	w.unsent(t, func(c *client.Client) error {
		_, err := c.CreateTask(t.Context(), first)
		return err
	})
	if _, err := w.client(t).CreateTask(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
	before := w.nonce(t)
	w.finish(t, first, "left behind")
	if w.nonce(t) != before {
		t.Error("the task was paid again")
	}
}

// Programs that act concurrently for one wallet never choose the same transaction nonce or permit
// nonce, however long a block takes.
func TestWalletIsSharedInParallel(t *testing.T) {
	w := newWorld(t)
	const programs = 4
	var tasks [programs]client.Task
	for i := range tasks {
		tasks[i], _ = w.created(t, fmt.Sprint("shared ", i))
	}
	before := w.nonce(t)
	defer w.mineSlowly(t)()
	var wait sync.WaitGroup
	for i, task := range tasks {
		c := w.client(t, func(o *client.Options) { o.MineTimeout = time.Minute })
		wait.Go(func() {
			if _, err := c.Cancel(t.Context(), task.ID); err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() {
			if _, err := c.CreateTask(t.Context(), request(fmt.Sprint("another ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if sent := w.nonce(t) - before; sent != 2*programs {
		t.Errorf("%d transactions were sent", sent)
	}
}

// mineSlowly mines blocks at a fixed interval, instead of one per transaction, until end is called.
func (w *world) mineSlowly(t *testing.T) (end func()) {
	t.Helper()
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			if err := w.Dev.Mine(ctx, 1); err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
