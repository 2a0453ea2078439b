package hire

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/client/watch"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// A line that a killed watch had written in part is completed by the next run. A line that it had
// not started to write is printed again when the stream delivers its event again.
func TestSinkCompletesPartialLine(t *testing.T) {
	t.Parallel()
	event := watch.Event{Type: watch.EventTask, EscrowTaskID: "7", EventName: "TaskPosted", BlockNumber: "9"}
	const line = `{"type":"task_event","escrowTaskId":"7","eventName":"TaskPosted","blockNumber":"9"}` + "\n"
	for name, c := range map[string]struct {
		after   string // text that the killed watch appended to the file
		other   bool   // the next run writes to a different file
		want    string
		pending bool
	}{
		"nothing":                 {pending: true},
		"a part":                  {after: line[:20], want: line},
		"all but the newline":     {after: line[:len(line)-1], want: line},
		"all":                     {after: line, want: line},
		"the line and another":    {after: line + "and more\n", want: line + "and more\n", pending: true},
		"a part, in another file": {after: line[:20], other: true, want: line[:20], pending: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, cursorPath := filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "cursor")
			const before = "from an earlier run\n"
			clitest.Must(t, os.WriteFile(path, []byte(before), 0o600))
			first := openTestSink(t, path, cursorPath)
			clitest.Must(t, first.promise(event, []byte(line)))
			_, err := first.file.WriteString(c.after)
			clitest.Must(t, err)
			clitest.Must(t, first.cursor.Close())
			if c.other {
				clitest.Must(t, os.Rename(path, path+".old"))
				clitest.Must(t, os.WriteFile(path, []byte(before+c.after), 0o600))
			}
			second := openTestSink(t, path, cursorPath)
			clitest.Must(t, second.finish())
			got, err := os.ReadFile(path)
			clitest.Must(t, err)
			if string(got) != before+c.want {
				t.Errorf("the file contains %q, want %q", got, before+c.want)
			}
			if _, pending := second.cursor.Pending(); pending != c.pending {
				t.Errorf("pending is %t, want %t", pending, c.pending)
			}
		})
	}
}

func openTestSink(t *testing.T, path, cursorPath string) *sink {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	clitest.Must(t, err)
	cursor, err := watch.OpenCursor(cursorPath)
	clitest.Must(t, err)
	_, s := openSink(t.Context(), file, cursor)
	t.Cleanup(func() {
		s.close()
		file.Close()
		_ = cursor.Close()
	})
	return s
}

// If a signal arrives while the pipe is full, the watch ends without writing a partial line.
func TestSinkWritesWholeLines(t *testing.T) {
	t.Parallel()
	write := unread(t)
	cursor, err := watch.OpenCursor(filepath.Join(t.TempDir(), "cursor"))
	clitest.Must(t, err)
	defer cursor.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	ctx, s := openSink(ctx, write, cursor)
	defer s.close()
	if err := s.print(ctx, watch.Event{}, watch.Event{Type: watch.EventTask}); err == nil {
		t.Error("a line was written to a pipe without room")
	}
}

// unread returns the write end of a full pipe from which nothing is read.
func unread(t *testing.T) *os.File {
	t.Helper()
	read, write, err := os.Pipe()
	clitest.Must(t, err)
	t.Cleanup(func() { read.Close(); write.Close() })
	for block, n := []byte(strings.Repeat("x", 512)), 1; n > 0; {
		// A new deadline for each block: a slow machine may need a while to fill the pipe.
		clitest.Must(t, write.SetWriteDeadline(time.Now().Add(time.Second)))
		n, err = write.Write(block)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("fill the pipe: %v", err)
	}
	clitest.Must(t, write.SetWriteDeadline(time.Time{}))
	return write
}
