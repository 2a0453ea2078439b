package watch_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/client/watch"
)

// openCursor opens the cursor in the file until the test ends.
func openCursor(t *testing.T, path string) *watch.Cursor {
	t.Helper()
	cursor, err := watch.OpenCursor(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cursor.Close() })
	return cursor
}

// resume starts a watch with the cursor in the file. The returned end function stops the stream and
// closes the cursor.
func (w *world) resume(t *testing.T, path string, o watch.Options, change ...func(*client.Options)) (s *stream, end func()) {
	t.Helper()
	cursor := openCursor(t, path)
	o.Cursor = cursor
	s = w.watch(t, o, change...)
	return s, func() {
		s.stop()
		<-s.ended
		if err := cursor.Close(); err != nil {
			t.Error(err)
		}
	}
}

// While no stream is running, a reorganisation moves one delivered event, drops another and adds a
// new one. After the restart, only the new event is delivered.
func TestWatchResumes(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "state", "cursor")
	s, end := w.resume(t, path, watch.Options{From: w.Head(t).Number + 1})
	kept, receipt := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	_, applied := w.Apply(t, w.Human, kept, chaintest.Tokens(1))
	w.Post(t, w.OtherAgent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 3)
	end()

	posting, application := w.raw(t, receipt.TxHash), w.raw(t, applied.TxHash)
	w.Reorg(t, 3, devnet.ForkTx{Raw: posting, Block: 1}, devnet.ForkTx{Raw: application, Block: 2})
	fresh, _ := w.Post(t, w.Agent, chaintest.Tokens(2), common.Hash{})
	s, end = w.resume(t, path, watch.Options{})
	if diff := cmp.Diff([]string{"TaskPosted " + strconv.FormatUint(fresh, 10)}, s.next(t, 1)); diff != "" {
		t.Error(diff)
	}
	s.quiet(t)
	end()
	s, _ = w.resume(t, path, watch.Options{})
	s.quiet(t)
}

// The first run delivers the events after its start, and the next run only later events. An event
// from before the first run is not delivered, even if a reorganisation mines it again.
func TestWatchNewCursorStartsNow(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "cursor")
	_, receipt := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s, end := w.resume(t, path, watch.Options{})
	w.untilWatching(t, s)
	end()
	raw := w.raw(t, receipt.TxHash)
	later, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s, _ = w.resume(t, path, watch.Options{})
	if diff := cmp.Diff([]string{"TaskPosted " + strconv.FormatUint(later, 10)}, s.next(t, 1)); diff != "" {
		t.Error(diff)
	}
	depth := int(w.Head(t).Number - receipt.BlockNumber.Uint64() + 1)
	w.Reorg(t, depth, devnet.ForkTx{Raw: raw, Block: 0}) // mines the earlier event again
	s.quiet(t)
}

func TestWatchRepeatsUnhandledEvent(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "cursor")
	from := w.Head(t).Number + 1
	var want []string
	for range 3 {
		id, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
		want = append(want, strconv.FormatUint(id, 10))
	}
	take := func(n int, o watch.Options) (got []string) {
		o.Cursor, o.Interval = openCursor(t, path), quick
		defer o.Cursor.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for event, err := range w.client(t).Watch(ctx, o) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, event.EscrowTaskID); len(got) == n {
				break // leaves the loop before the last event counts as delivered
			}
		}
		return got
	}
	if diff := cmp.Diff(want[:2], take(2, watch.Options{From: from})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], take(2, watch.Options{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, take(3, watch.Options{From: 1})); diff != "" {
		t.Errorf("from the first block: %s", diff)
	}
}

func TestWatchRejectsOtherCursors(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "cursor")
	s, end := w.resume(t, path, watch.Options{From: w.Head(t).Number, Agent: w.Agent.Address()})
	w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 1)
	if _, err := watch.OpenCursor(path); !errors.Is(err, watch.ErrCursorInUse) {
		t.Errorf("opened while in use: error %v", err)
	}
	end()
	s, end = w.resume(t, path, watch.Options{Agent: w.OtherAgent.Address()})
	if err := <-s.errors; !errors.Is(err, watch.ErrOtherCursor) {
		t.Errorf("another agent's cursor: error %v", err)
	}
	<-s.ended
	end()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		bad  bool
	}{
		"an incomplete last line": {text: string(whole) + `{"told":{"tx":"0x`},
		"not a cursor":            {text: `{"name":"value"}` + "\n", bad: true},
		"damaged":                 {text: string(whole[:len(whole)/2]) + "\n", bad: true},
		"empty":                   {text: ""},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cursor, err := watch.OpenCursor(path)
		if (err != nil) != c.bad {
			t.Errorf("%s: error %v", name, err)
		}
		if err == nil {
			_ = cursor.Close()
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the cursor's mode is %v, error %v", info.Mode(), err)
	}
}

// After a crash, a promise is still pending until it is resolved.
func TestCursorPromises(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "cursor")
	first, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	second, _ := w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	cursor := openCursor(t, path)
	for event, err := range w.client(t).Watch(t.Context(), watch.Options{From: 1, Cursor: cursor}) {
		if err := errors.Join(err, cursor.Promise(event, json.RawMessage(`"`+event.EscrowTaskID+`"`))); err != nil {
			t.Fatal(err)
		}
		if event.EscrowTaskID == strconv.FormatUint(second, 10) {
			break // leaves the loop, as after a crash
		}
	}
	_ = cursor.Close()
	cursor = openCursor(t, path)
	note, ok := cursor.Pending()
	if want := `"` + strconv.FormatUint(second, 10) + `"`; !ok || string(note) != want {
		t.Errorf("pending is %s, %v; want %s, after task %d was delivered", note, ok, want, first)
	}
	if err := cursor.MarkDelivered(); err != nil {
		t.Fatal(err)
	}
	_ = cursor.Close()
	s, _ := w.resume(t, path, watch.Options{})
	s.quiet(t)
}

// The cursor's file does not grow without limit.
func TestCursorIsPruned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cursor")
	w := newWorld(t)
	s, end := w.resume(t, path, watch.Options{From: 1})
	w.Post(t, w.Agent, chaintest.Tokens(1), common.Hash{})
	s.next(t, 1)
	end()
	cursor := openCursor(t, path)
	note := json.RawMessage(`"` + strings.Repeat("x", 400) + `"`)
	for range 10_000 {
		if err := cursor.Promise(watch.Event{}, note); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 4<<20 {
		t.Errorf("the file has %d bytes, error %v", info.Size(), err)
	}
	_ = cursor.Close()
	s, _ = w.resume(t, path, watch.Options{})
	s.quiet(t)
}
