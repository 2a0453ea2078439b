package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// streams are the program's connections to who runs it.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// Whether a person sits at each of them.
	inTerminal, outTerminal, errTerminal bool
	// width of the terminal in columns; 0 when out is none.
	width int
	// readSecret reads a line without showing it. Nil where nobody can be asked.
	readSecret func() ([]byte, error)
	// echoAgain makes the terminal as it was before a readSecret that was given up.
	echoAgain func()
}

func processStreams() streams {
	s := streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTerminal: isTerminal(os.Stdin), outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr),
	}
	if s.outTerminal {
		s.width, _, _ = term.GetSize(descriptor(os.Stdout)) // unknown: 0
	}
	if s.inTerminal {
		s.readSecret = func() ([]byte, error) { return term.ReadPassword(descriptor(os.Stdin)) }
		before, err := term.GetState(descriptor(os.Stdin))
		s.echoAgain = func() {
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
