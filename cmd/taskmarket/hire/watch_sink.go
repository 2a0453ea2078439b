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

// errReaderGone says that nobody reads stdout any more.
var errReaderGone = errors.New("stdout was closed by its reader")

// sink writes lines so that each is written whole, and can be told from one that
// was not written when the process is killed.
type sink struct {
	out    io.Writer
	file   *os.File // out, if it is one
	cursor *watch.Cursor
	stop   context.CancelCauseFunc
	reader sync.WaitGroup // looks whether somebody still reads
}

// written is the note that goes before a line to a file: where the file ended.
type written struct {
	Line string `json:"line"`
	At   spot   `json:"at"`
}

// spot is the end of a file.
type spot struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Size   int64  `json:"size"`
}

// openSink returns a sink, and a context that also ends when its reader is gone.
func openSink(ctx context.Context, out io.Writer, cursor *watch.Cursor) (context.Context, *sink) {
	ctx, stop := context.WithCancelCause(ctx)
	s := &sink{out: out, cursor: cursor, stop: stop}
	s.file, _ = out.(*os.File)
	if s.file != nil {
		surviveReader()
		s.reader.Go(func() {
			if awaitReaderGone(ctx, s.file) {
				stop(errReaderGone)
			}
		})
	}
	return ctx, s
}

// close returns when nothing of the sink uses the file any more.
func (s *sink) close() {
	s.stop(nil)
	s.reader.Wait()
}

// finish completes the line that the run before was writing when it was killed.
// A line of which nothing was written is left to the stream.
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
	return s.cursor.Settle()
}

// print writes the event's line. When it fails the line was not written, or not
// whole, which the next run finds out.
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

// promise notes what is about to be written, where it can be checked afterwards.
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
