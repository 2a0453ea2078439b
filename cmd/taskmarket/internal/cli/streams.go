package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are the program's connections to who runs it.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Whether a person sits at each of them.
	InTerminal, OutTerminal, ErrTerminal bool
	// width of the terminal in columns; 0 when out is none.
	Width int
	// readSecret reads a line without showing it. Nil where nobody can be asked.
	ReadSecret func() ([]byte, error)
	// echoAgain makes the terminal as it was before a readSecret that was given up.
	RestoreEcho func()
}

// ProcessStreams returns the streams of the process.
func ProcessStreams() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTerminal: isTerminal(os.Stdin), OutTerminal: isTerminal(os.Stdout), ErrTerminal: isTerminal(os.Stderr),
	}
	if s.OutTerminal {
		s.Width, _, _ = term.GetSize(descriptor(os.Stdout)) // unknown: 0
	}
	if s.InTerminal {
		s.ReadSecret = func() ([]byte, error) { return term.ReadPassword(descriptor(os.Stdin)) }
		before, err := term.GetState(descriptor(os.Stdin))
		s.RestoreEcho = func() {
			if err == nil {
				_ = term.Restore(descriptor(os.Stdin), before) // the program ends; nothing more can be done
			}
		}
	}
	return s
}

func isTerminal(file *os.File) bool { return term.IsTerminal(descriptor(file)) }

// descriptor is the file's number as package term takes it.
func descriptor(file *os.File) int { return int(file.Fd()) }
