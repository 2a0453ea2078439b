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

// commitProxy is a proxy in front of PostgreSQL that sometimes closes a connection at a COMMIT.
// It drops the COMMIT or its response, with equal probability.
type commitProxy struct {
	upstream string
	mu       sync.Mutex
	random   *rand.Rand
	before   int // number of dropped COMMITs
	after    int // number of dropped responses to a COMMIT
}

// lostOf sets the loss rate: on average, the proxy drops one in lostOf COMMITs and one in lostOf responses.
const lostOf = 8

// lostSeed seeds the choice of dropped messages, so that a failing run can usually be reproduced.
const lostSeed = 39

// newCommitProxy starts a proxy in front of the database and returns the database URL through it.
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

// serve forwards one connection until it ends or is closed on purpose.
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

// choose returns 1 to drop a COMMIT, 2 to drop its response, and any other number to forward both.
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

// startup forwards the startup message, which has no type byte.
func startup(client io.Reader, upstream io.Writer) error {
	message, err := next(client, 0)
	if err != nil {
		return err
	}
	_, err = upstream.Write(message)
	return err
}

// next reads a message of the PostgreSQL protocol: typed bytes of message type (0 or 1), the
// length, which includes its own four bytes, and the content.
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

// valve forwards bytes until it is shut. Writes then fail, which closes the connection.
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
