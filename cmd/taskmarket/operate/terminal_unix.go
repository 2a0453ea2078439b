//go:build unix

package operate

import (
	"os"
	"os/signal"
	"syscall"
)

// openTerminal opens the controlling terminal of the process. A process in the background then gets an
// error when it reads, instead of being stopped.
func openTerminal() (in, out *os.File, err error) {
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	return terminal, terminal, err
}
