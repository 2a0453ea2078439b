package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams contains the standard streams of the program.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// InTerminal, OutTerminal and ErrTerminal report whether each stream is a terminal.
	InTerminal, OutTerminal, ErrTerminal bool
	// Width is the number of columns of the terminal, or 0 if Out is not a terminal.
	Width int
	// ReadSecret reads a line without echo. It is nil if In is not a terminal.
	ReadSecret func() ([]byte, error)
	// RestoreEcho restores the terminal after an interrupted ReadSecret.
	RestoreEcho func()
}

// ProcessStreams returns the streams of the process.
func ProcessStreams() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTerminal: isTerminal(os.Stdin), OutTerminal: isTerminal(os.Stdout), ErrTerminal: isTerminal(os.Stderr),
	}
	if s.OutTerminal {
		s.Width, _, _ = term.GetSize(descriptor(os.Stdout)) // on an error, Width stays 0, which means unknown
	}
	if s.InTerminal {
		s.ReadSecret = func() ([]byte, error) { return term.ReadPassword(descriptor(os.Stdin)) }
		before, err := term.GetState(descriptor(os.Stdin))
		s.RestoreEcho = func() {
			if err == nil {
				_ = term.Restore(descriptor(os.Stdin), before) // an error is ignored, because the program is ending
			}
		}
	}
	return s
}

func isTerminal(file *os.File) bool { return term.IsTerminal(descriptor(file)) }

// descriptor returns the file descriptor with the type that package term expects.
func descriptor(file *os.File) int { return int(file.Fd()) }
