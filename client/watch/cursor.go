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
	// ErrCursorInUse is returned when another stream has the cursor.
	ErrCursorInUse = errors.New("another watch uses this cursor")
	// ErrOtherCursor ends a stream whose cursor is a place among other events:
	// of another chain, of other contracts, or of another agent.
	ErrOtherCursor = errors.New("the cursor belongs to other events")
	// ErrCursorLost ends a stream that cannot remember what it has told.
	ErrCursorLost = errors.New("the cursor cannot be written")
)

// Cursor remembers across restarts and crashes which events a stream has
// told and how far it has come. One stream uses it at a time.
//
// An event counts as told when the body of the loop over Watch has returned for
// it. A process that ends at that very moment finds the event untold and tells
// it again: so each event is told at least once, and at most the last one twice.
// Whoever can find out afterwards what became of an event tells each exactly
// once with Promise and Pending.
//
// Killing the process loses nothing. After a power cut the cursor may be some
// seconds old, and events since then are told again.
type Cursor struct {
	path string   // empty: in memory only
	lock *os.File // held while the cursor is open
	file *os.File // appended to

	state   state
	entries int  // in the file
	held    bool // entries wait
	waiting []entry
}

// OpenCursor opens the cursor in the file and makes it when there is none.
// It answers ErrCursorInUse while another process, or another stream of this
// one, has it open. The directory is made, readable by this user only.
func OpenCursor(path string) (*Cursor, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make directory for cursor: %w", err)
	}
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock of cursor: %w", err)
	}
	c := &Cursor{path: path, lock: lock}
	held, err := durable.TryLock(lock)
	if err == nil && !held {
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

// load reads the file and writes it anew, without what is not needed.
func (c *Cursor) load() error {
	text, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// What follows the last line's end was cut off by the end of a process.
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if e == (entry{}) {
			return fmt.Errorf("line %d: this file is no cursor", i+1)
		}
		c.state.apply(e)
	}
	return c.compact()
}

// Close lets others use the cursor.
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

// Promise writes down, before anything is done with the event, what is about
// to be done. It is forgotten when the event counts as told.
func (c *Cursor) Promise(event Event, note json.RawMessage) error {
	return c.record(entry{Promise: &promise{telling{event.sighting(), event.block}, note}})
}

// Pending returns the note of a promise of which this cursor does not know
// whether it was kept: the process ended in between.
func (c *Cursor) Pending() (note json.RawMessage, ok bool) {
	if c.state.pending == nil {
		return nil, false
	}
	return c.state.pending.Note, true
}

// Settle makes the event of a pending promise count as told.
func (c *Cursor) Settle() error {
	if c.state.pending == nil {
		return nil
	}
	return c.record(entry{Told: &c.state.pending.telling})
}

// hold lets entries wait until release, which writes all of them or none.
func (c *Cursor) hold() { c.held = true }

func (c *Cursor) release() error {
	c.held = false
	waiting := c.waiting
	c.waiting = nil
	return c.append(waiting)
}

// record follows a change and writes it down.
func (c *Cursor) record(e entry) error {
	c.state.apply(e)
	if c.held {
		c.waiting = append(c.waiting, e)
		return nil
	}
	return c.append([]entry{e})
}

// append writes the entries in one piece, and now and then the whole file anew.
func (c *Cursor) append(entries []entry) error {
	c.entries += len(entries)
	if c.entries > fewEntries+2*len(c.state.told) {
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

// compact forgets what is not needed any more and writes the rest as a new file.
func (c *Cursor) compact() error {
	c.state.forget()
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

// encode writes entries as lines.
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
