package cli

import (
	"io"

	"taskmarket/client/visible"
)

// screen is a stream that a terminal may show. Whatever is written to it comes
// out without characters that a terminal or an editor acts on instead of showing
// them: a stranger's text can neither move the cursor nor reorder the line.
// Newlines and tabs pass. Each Write is one Write below.
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

// heading writes a line in bold where the terminal shows it.
func (s *screen) heading(text string) error {
	text = OneLine(text)
	if s.styled {
		text = bold + text + plain
	}
	s.used = true
	_, err := io.WriteString(s.w, text+"\n")
	return err
}

// OneLine is what the screen does, for a text that must stay in its line and its
// column.
func OneLine(text string) string { return visible.Line(text) }
