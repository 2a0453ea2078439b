package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"taskmarket/client/internal/durable"
)

var (
	// ErrCursorInUse is returned when another stream has opened the cursor.
	ErrCursorInUse = errors.New("another watch has this cursor open")
	// ErrOtherCursor ends a stream whose cursor is from another one.
	ErrOtherCursor = errors.New("the cursor is for another agent, other contracts or another chain")
	// ErrCursorLost ends a stream that cannot save its position.
	ErrCursorLost = errors.New("the cursor cannot be written")
)

// Cursor stores, across restarts and crashes, which events a stream has delivered and how far it
// has read. Only one stream can use it at a time.
//
// An event counts as delivered when the loop body has ended for it and the cursor has recorded
// this. If the process ends before that, the event is delivered again after a restart. Each event
// is therefore delivered at least once, and only the last one can be repeated. A caller that can
// check afterwards whether it has handled an event can use Promise and Pending to handle each event
// exactly once.
//
// Killing the process loses nothing. After a power failure, the last few seconds of the cursor can
// be missing, and the events delivered in that time are delivered again.
type Cursor struct {
	path string   // path of the file; empty if the cursor is only in memory
	lock *os.File // file whose lock is held while the cursor is open
	file *os.File // file to which entries are appended

	state     state
	entries   int  // number of entries in the file
	buffering bool // entries are collected in memory until flush is called
	waiting   []entry
}

// OpenCursor opens the cursor in the file and creates it if it does not exist. It returns
// ErrCursorInUse while another stream, in this or another process, has it open. A missing directory
// is created, accessible only to this user.
func OpenCursor(path string) (*Cursor, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create directory for cursor: %w", err)
	}
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock of cursor: %w", err)
	}
	c := &Cursor{path: path, lock: lock}
	locked, err := durable.TryLock(lock)
	if err == nil && !locked {
		err = ErrCursorInUse
	}
	if err == nil {
		err = c.load()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open cursor %s: %w", path, err), c.Close())
	}
	return c, nil
}

// load reads and compacts the file.
func (c *Cursor) load() error {
	text, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// The part after the last newline is ignored, because the process ended while writing that entry.
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if e == (entry{}) {
			return fmt.Errorf("line %d is not a cursor entry", i+1)
		}
		c.state.apply(e)
	}
	return c.compact()
}

// Close closes the cursor, so that another stream can open it.
func (c *Cursor) Close() error {
	var failed error
	if c.file != nil {
		failed = errors.Join(c.file.Sync(), c.file.Close())
		c.file = nil
	}
	if c.lock != nil {
		failed = errors.Join(failed, c.lock.Close())
		c.lock = nil
	}
	return failed
}

// Promise saves a note about what the caller is about to do with the event. The note is removed
// when the event counts as delivered.
func (c *Cursor) Promise(event Event, note json.RawMessage) error {
	return c.record(entry{Promise: &promise{deliveredEvent{event.key(), event.block}, note}})
}

// Pending returns the note from a promise if the process ended before the event counted as
// delivered. The promised work may or may not have been done.
func (c *Cursor) Pending() (note json.RawMessage, ok bool) {
	if c.state.pending == nil {
		return nil, false
	}
	return c.state.pending.Note, true
}

// MarkDelivered marks the event of a pending promise as delivered.
func (c *Cursor) MarkDelivered() error {
	if c.state.pending == nil {
		return nil
	}
	return c.record(entry{Delivered: &c.state.pending.deliveredEvent})
}

// buffer collects entries until flush, which writes them all at once.
func (c *Cursor) buffer() { c.buffering = true }

func (c *Cursor) flush() error {
	c.buffering = false
	waiting := c.waiting
	c.waiting = nil
	return c.append(waiting)
}

// record applies an entry to the state and writes it to the file.
func (c *Cursor) record(e entry) error {
	c.state.apply(e)
	if c.buffering {
		c.waiting = append(c.waiting, e)
		return nil
	}
	return c.append([]entry{e})
}

// append writes all entries at once. It compacts the file when it has become too large.
func (c *Cursor) append(entries []entry) error {
	c.entries += len(entries)
	if c.entries > compactAfter+2*len(c.state.delivered) {
		return c.compact()
	}
	if c.file == nil {
		return nil
	}
	text, err := encode(entries)
	if err == nil {
		_, err = c.file.Write(text)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCursorLost, err)
	}
	return nil
}

// compact removes old state and writes the rest to a new file.
func (c *Cursor) compact() error {
	c.state.prune()
	entries := c.state.entries()
	c.entries = len(entries)
	if c.path == "" {
		return nil
	}
	text, err := encode(entries)
	if err == nil {
		err = durable.Replace(c.path, text)
	}
	if err == nil {
		err = c.reopen()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCursorLost, err)
	}
	return nil
}

func (c *Cursor) reopen() error {
	file, err := os.OpenFile(c.path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if c.file != nil {
		c.file.Close()
	}
	c.file = file
	return nil
}

// encode encodes each entry as a line.
func encode(entries []entry) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, e := range entries {
		if err := encoder.Encode(e); err != nil {
			return nil, fmt.Errorf("encode cursor: %w", err)
		}
	}
	return text.Bytes(), nil
}
