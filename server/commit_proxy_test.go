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

// A commitProxy is a proxy in front of PostgreSQL that cuts connections around a COMMIT: in some cases
// the COMMIT is lost, in as many its answer.
type commitProxy struct {
	upstream string
	mu       sync.Mutex
	random   *rand.Rand
	before   int // COMMITs that were lost
	after    int // answers to one that were lost
}

// lostOf: one of this many COMMITs is lost, and one of this many answers.
const lostOf = 8

// lostSeed makes a failure repeatable, as far as a race with a client allows.
const lostSeed = 39

// newCommitProxy starts a proxy before the database and returns the URL to reach
// the database through it.
func newCommitProxy(tb testing.TB, database string) (*commitProxy, string) {
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
	c := &commitProxy{upstream: u.Host, random: rand.New(rand.NewPCG(lostSeed, lostSeed))}
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

// serve forwards one connection until it ends or is cut.
func (c *commitProxy) serve(client net.Conn) {
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

// choose decides the fate of a COMMIT: 0 nothing, 1 lost, 2 its answer lost.
func (c *commitProxy) choose() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	choice := c.random.IntN(lostOf)
	switch choice {
	case 1:
		c.before++
	case 2:
		c.after++
	}
	return choice
}

func (c *commitProxy) cuts() (before, after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before, c.after
}

// startup forwards the first message, which has no type.
func startup(client io.Reader, upstream io.Writer) error {
	message, err := next(client, 0)
	if err != nil {
		return err
	}
	_, err = upstream.Write(message)
	return err
}

// next reads a message of PostgreSQL's protocol: a type of the given number of bytes, then a
// length, which includes itself, and the rest.
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

// valve forwards bytes until it is shut; the next ones then end the connection.
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
