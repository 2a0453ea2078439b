package content

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Scanner searches files for malware.
type Scanner interface {
	// Scan reads the whole file and reports whether it contains malware. After an error the file is
	// unchecked.
	Scan(ctx context.Context, file io.Reader) (found bool, err error)
}

// scanTimeout limits the scan of one file.
const scanTimeout = 30 * time.Second

// ParseScanner returns the scanner at the address: tcp://host:port or unix:///path of a service with the
// INSTREAM command of clamd, or exec:///path of a program. The program reads the file from standard
// input, and exits with 0 if it is clean and with 1 if it contains malware, like clamdscan.
func ParseScanner(address string) (Scanner, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not tcp://host:port, unix:///path or exec:///path", address)
	}
	plain := u.User == nil && u.RawQuery == "" && u.Fragment == ""
	switch {
	case plain && u.Scheme == "tcp" && u.Port() != "" && u.Path == "":
		return daemon{network: "tcp", address: u.Host}, nil
	case plain && u.Scheme == "unix" && u.Host == "" && filepath.IsAbs(u.Path):
		return daemon{network: "unix", address: u.Path}, nil
	case plain && u.Scheme == "exec" && u.Host == "" && filepath.IsAbs(u.Path):
		return program{path: u.Path}, nil
	}
	return nil, fmt.Errorf("%q is not tcp://host:port, unix:///path or exec:///path", address)
}

// daemon is a service with the INSTREAM command of clamd.
type daemon struct{ network, address string }

// Scan sends the file in chunks, each preceded by its length in four bytes, and an empty chunk at the end.
func (d daemon) Scan(ctx context.Context, file io.Reader) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, d.network, d.address)
	if err != nil {
		return false, fmt.Errorf("connect to the scanner: %w", err)
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	sent := sendFile(connection, file)
	reply, err := io.ReadAll(io.LimitReader(connection, maxAnswer))
	if err = errors.Join(sent, err); err != nil && len(reply) == 0 {
		return false, fmt.Errorf("send the file to the scanner or read its answer: %w", err)
	}
	// A scanner that refuses the file can answer before it has read the whole file, so sending can fail.
	switch text := strings.TrimRight(string(reply), "\x00\n"); {
	case sent == nil && text == "stream: OK":
		return false, nil
	case strings.HasPrefix(text, "stream: ") && strings.HasSuffix(text, " FOUND"):
		return true, nil
	default:
		return false, fmt.Errorf("the scanner answered %q", text)
	}
}

// maxAnswer is the maximum length of a scanner's answer in bytes.
const maxAnswer = 4 << 10

func sendFile(to io.Writer, file io.Reader) error {
	if _, err := io.WriteString(to, "zINSTREAM\x00"); err != nil {
		return err
	}
	chunk := make([]byte, 4+64<<10)
	for {
		n, err := io.ReadFull(file, chunk[4:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		binary.BigEndian.PutUint32(chunk, uint32(n)) //nolint:gosec // at most the length of the chunk
		if _, err := to.Write(chunk[:4+n]); err != nil || n == 0 {
			return err
		}
	}
}

// program is a scanner that runs for each file.
type program struct{ path string }

// malwareExit is the exit status of a program that has found malware.
const malwareExit = 1

// Scan runs the program with the file as its standard input.
func (p program) Scan(ctx context.Context, file io.Reader) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, p.path) //nolint:gosec // the operator configures the path
	command.Stdin = &wholeReader{file: file}
	command.WaitDelay = time.Second
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == malwareExit {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("run the scanner: %w", err)
	}
	if whole := command.Stdin.(*wholeReader); !whole.ended { //nolint:errcheck,forcetypeassert // set above
		return false, errors.New("the scanner exited before it had read the whole file")
	}
	return false, nil
}

// wholeReader records whether the file was read to its end.
type wholeReader struct {
	file  io.Reader
	ended bool
}

// Read implements io.Reader.
func (r *wholeReader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	r.ended = r.ended || errors.Is(err, io.EOF)
	return n, err
}
