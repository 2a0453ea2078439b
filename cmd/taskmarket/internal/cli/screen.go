package cli

import (
	"io"

	"taskmarket/client/visible"
)

// screen is an output stream that can be a terminal. It escapes characters that a terminal or an
// editor would interpret, so that third-party text can neither move the cursor nor reorder a line.
// Newlines and tabs are not escaped. Each call to Write makes one write to w.
type screen struct {
	w      io.Writer
	styled bool
	used   bool // set once something was, or may have been, written
}

// Write implements io.Writer.
func (s *screen) Write(p []byte) (int, error) {
	s.used = true
	if _, err := io.WriteString(s.w, visible.Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// heading writes a line, in bold if styled is set.
func (s *screen) heading(text string) error {
	text = OneLine(text)
	if s.styled {
		text = bold + text + plain
	}
	s.used = true
	_, err := io.WriteString(s.w, text+"\n")
	return err
}

// OneLine escapes text as screen does, and also escapes newlines and tabs.
func OneLine(text string) string { return visible.Line(text) }
