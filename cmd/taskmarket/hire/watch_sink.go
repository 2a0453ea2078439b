package hire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"taskmarket/client/watch"
	"taskmarket/cmd/taskmarket/internal/cli"
)

// errReaderGone is returned when the reader of stdout has closed the pipe.
var errReaderGone = errors.New("stdout was closed by its reader")

// sink writes only complete lines to stdout. If stdout is a file and the process is killed during a
// write, the next run completes the line.
type sink struct {
	out    io.Writer
	file   *os.File // out if it is an *os.File, which can be a pipe or a terminal; otherwise nil
	cursor *watch.Cursor
	stop   context.CancelCauseFunc
	reader sync.WaitGroup // done when the goroutine that detects a closed pipe has ended
}

// written is the record that is stored before a line is written to a file. It contains the line and
// the end of the file before the write.
type written struct {
	Line string `json:"line"`
	At   spot   `json:"at"`
}

// spot identifies a file and the position of its end.
type spot struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Size   int64  `json:"size"`
}

// openSink returns a sink and a context that is also cancelled when the reader closes the pipe.
func openSink(ctx context.Context, out io.Writer, cursor *watch.Cursor) (context.Context, *sink) {
	ctx, stop := context.WithCancelCause(ctx)
	s := &sink{out: out, cursor: cursor, stop: stop}
	s.file, _ = out.(*os.File)
	if s.file != nil {
		ignoreSIGPIPE()
		s.reader.Go(func() {
			if awaitReaderGone(ctx, s.file) {
				stop(errReaderGone)
			}
		})
	}
	return ctx, s
}

// close stops the sink's goroutine and waits until it has ended.
func (s *sink) close() {
	s.stop(nil)
	s.reader.Wait()
}

// finish completes a line that the previous run had written in part when it was killed. If the
// previous run had not started to write the line, the stream delivers its event again.
func (s *sink) finish() error {
	note, pending := s.cursor.Pending()
	if !pending || s.file == nil {
		return nil
	}
	var before written
	if err := json.Unmarshal(note, &before); err != nil {
		return fmt.Errorf("read the position in the cursor: %w", err)
	}
	now, ok := endOf(s.file)
	done := now.Size - before.At.Size
	if !ok || now.Device != before.At.Device || now.Inode != before.At.Inode || done <= 0 || done > int64(len(before.Line)) {
		return nil
	}
	if _, err := io.WriteString(s.out, before.Line[done:]); err != nil {
		return fmt.Errorf("write to stdout: %w", err)
	}
	return s.cursor.MarkDelivered()
}

// print writes the line for an event. If the write to a file fails, the next run checks whether the
// line is complete.
func (s *sink) print(ctx context.Context, event watch.Event, line any) error {
	text, err := cli.EncodeJSON(line, "")
	if err != nil {
		return err
	}
	if err := s.promise(event, text); err != nil {
		return err
	}
	if s.file != nil && !awaitRoom(ctx, s.file) {
		return context.Cause(ctx)
	}
	_, err = s.out.Write(text)
	switch {
	case isReaderGone(err):
		return errReaderGone
	case err != nil:
		return fmt.Errorf("write to stdout: %w", err)
	}
	return nil
}

// promise records the line that is about to be written, so that the next run can check whether the
// write was completed.
func (s *sink) promise(event watch.Event, line []byte) error {
	if s.file == nil {
		return nil
	}
	end, ok := endOf(s.file)
	if !ok {
		return nil
	}
	note, err := json.Marshal(written{Line: string(line), At: end})
	if err != nil {
		return fmt.Errorf("encode the position for the cursor: %w", err)
	}
	return s.cursor.Promise(event, note)
}
