package server_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"testing"
)

// A cutter stands before PostgreSQL and cuts connections around a COMMIT: some
// are lost on their way there, of as many the answer is lost on its way back.
type cutter struct {
	upstream string
	mu       sync.Mutex
	random   *rand.Rand
	before   int // COMMITs that were lost
	after    int // answers to one that were lost
}

// cutOf is of how many COMMITs one is lost, and of how many an answer.
const cutOf = 8

// cutSeed makes a failure repeatable, as far as a race with a client can be.
const cutSeed = 39

// newCutter starts a cutter before the database and returns the URL to reach
// the database through it.
func newCutter(tb testing.TB, database string) (*cutter, string) {
	tb.Helper()
	u, err := url.Parse(database)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = listener.Close() })
	c := &cutter{upstream: u.Host, random: rand.New(rand.NewPCG(cutSeed, cutSeed))}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	u.Host = listener.Addr().String()
	return c, u.String()
}

// serve passes one connection on until it ends or is cut.
func (c *cutter) serve(client net.Conn) {
	defer client.Close()
	upstream, err := net.Dial("tcp", c.upstream)
	if err != nil {
		return
	}
	defer upstream.Close()
	answers := &valve{to: client}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer client.Close()
		_, _ = io.Copy(answers, upstream)
	}()
	defer func() { <-done }()
	defer upstream.Close()
	if err := startup(client, upstream); err != nil {
		return
	}
	for {
		message, err := next(client, 1)
		if err != nil {
			return
		}
		if bytes.HasPrefix(message[5:], []byte("COMMIT")) && message[0] == 'Q' {
			switch c.choose() {
			case 1:
				return
			case 2:
				answers.shut()
			}
		}
		if _, err := upstream.Write(message); err != nil {
			return
		}
	}
}

// choose says what becomes of a COMMIT: 0 nothing, 1 lost, 2 its answer lost.
func (c *cutter) choose() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	choice := c.random.IntN(cutOf)
	switch choice {
	case 1:
		c.before++
	case 2:
		c.after++
	}
	return choice
}

func (c *cutter) cuts() (before, after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before, c.after
}

// startup passes the first message on, which has no type.
func startup(client io.Reader, upstream io.Writer) error {
	message, err := next(client, 0)
	if err != nil {
		return err
	}
	_, err = upstream.Write(message)
	return err
}

// next reads a message of PostgreSQL's protocol: a type of so many bytes, then
// a length, which counts itself, and the rest.
func next(from io.Reader, typed int) ([]byte, error) {
	const lengthSize = 4
	head := make([]byte, typed+lengthSize)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	message := make([]byte, typed+int(binary.BigEndian.Uint32(head[typed:])))
	copy(message, head)
	_, err := io.ReadFull(from, message[len(head):])
	return message, err
}

// valve passes bytes on until it is shut; the next ones then end the connection.
type valve struct {
	to     io.Writer
	mu     sync.Mutex
	closed bool
}

func (g *valve) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// Write implements io.Writer.
func (g *valve) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, io.ErrClosedPipe
	}
	return g.to.Write(p)
}
