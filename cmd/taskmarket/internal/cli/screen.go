package cli

import (
	"io"

	"taskmarket/client/visible"
)

// screen is a stream that may be a terminal. It escapes characters that a terminal or an editor
// would interpret, so that third-party text can neither move the cursor nor reorder the line.
// Newlines and tabs are not escaped. Each Write causes one Write of w.
type screen struct {
	w      io.Writer
	styled bool
	used   bool // something was written, or may have been
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

// heading writes a line, in bold on a terminal.
func (s *screen) heading(text string) error {
	text = OneLine(text)
	if s.styled {
		text = bold + text + plain
	}
	s.used = true
	_, err := io.WriteString(s.w, text+"\n")
	return err
}

// OneLine escapes a text like screen, and also escapes newlines and tabs.
func OneLine(text string) string { return visible.Line(text) }
