// Package gate simulates a failing network or a restarting server in tests: it cuts, shuts and
// opens TCP connections between two parties.
package gate

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
)

// Gate forwards connections to a target. It is safe for concurrent use.
type Gate struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	shut  bool
	edits []edit
	pairs map[net.Conn]net.Conn // maps each accepted connection to its connection to the target

	paused sync.RWMutex // write-locked while nothing from the target is forwarded

	sending   sync.Mutex
	sent      int  // bytes sent to the target
	suspended bool // whether nothing is sent to the target after limit
	limit     int
}

// edit is a replacement in the bytes that are sent to the target.
type edit struct{ old, new []byte }

// New opens a gate to the target, which is host:port, until the test ends.
func New(tb testing.TB, target string) *Gate {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("open a gate: %v", err)
	}
	g := &Gate{listener: listener, target: target, pairs: make(map[net.Conn]net.Conn)}
	tb.Cleanup(func() {
		_ = listener.Close()
		g.Shut()
	})
	go g.accept()
	return g
}

// Addr returns the gate's address, host:port.
func (g *Gate) Addr() string { return g.listener.Addr().String() }

// Cut closes all connections. New ones are forwarded.
func (g *Gate) Cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for inbound, outbound := range g.pairs {
		_, _ = inbound.Close(), outbound.Close()
	}
	clear(g.pairs)
}

// Shut closes all connections, and closes new ones immediately until Open is called.
func (g *Gate) Shut() {
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
	g.Cut()
}

// Open forwards new connections again.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
}

// Replace changes text in everything that is sent to the target from now on. Both texts must have the
// same length, so that messages stay well-formed. Text that arrives in two parts is not changed.
func (g *Gate) Replace(old, replacement string) {
	if len(old) != len(replacement) {
		panic("the texts differ in length: " + old)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.edits = append(g.edits, edit{[]byte(old), []byte(replacement)})
}

// Hold delays everything that the target sends until release is called. Calling release again has no
// effect.
func (g *Gate) Hold() (release func()) {
	g.paused.Lock()
	return sync.OnceFunc(g.paused.Unlock)
}

// Suspend sends n more bytes to the target and then nothing, while all connections remain open, as if the
// process that uses the gate were suspended.
func (g *Gate) Suspend(n int) {
	g.sending.Lock()
	defer g.sending.Unlock()
	g.suspended, g.limit = true, g.sent+n
}

// Sent returns the number of bytes that were sent to the target.
func (g *Gate) Sent() int {
	g.sending.Lock()
	defer g.sending.Unlock()
	return g.sent
}

// count returns the part of the text that is sent to the target.
func (g *Gate) count(text []byte) []byte {
	g.sending.Lock()
	defer g.sending.Unlock()
	if g.suspended {
		text = text[:min(len(text), g.limit-g.sent)]
	}
	g.sent += len(text)
	return text
}

func (g *Gate) accept() {
	for {
		inbound, err := g.listener.Accept()
		if err != nil {
			return
		}
		outbound, err := net.Dial("tcp", g.target)
		if err != nil {
			_ = inbound.Close()
			continue
		}
		if !g.keep(inbound, outbound) {
			_, _ = inbound.Close(), outbound.Close()
			continue
		}
		go g.pass(inbound, holding{inbound, g}, outbound)
		go g.pass(inbound, edited{outbound, g}, inbound)
	}
}

// holding waits before it writes to a connection while the gate holds what the target sends.
type holding struct {
	net.Conn
	gate *Gate
}

// Write implements io.Writer.
func (h holding) Write(text []byte) (int, error) {
	h.gate.paused.RLock()
	defer h.gate.paused.RUnlock()
	return h.Conn.Write(text)
}

// edited applies the gate's edits to what is written to a connection.
type edited struct {
	net.Conn
	gate *Gate
}

// Write implements io.Writer.
func (e edited) Write(text []byte) (int, error) {
	e.gate.mu.Lock()
	edits := e.gate.edits
	e.gate.mu.Unlock()
	for _, r := range edits {
		text = bytes.ReplaceAll(text, r.old, r.new)
	}
	if _, err := e.Conn.Write(e.gate.count(text)); err != nil {
		return 0, err
	}
	return len(text), nil // a suspended gate accepts the rest, too
}

func (g *Gate) keep(inbound, outbound net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		g.pairs[inbound] = outbound
	}
	return !g.shut
}

// pass copies in one direction, and closes both connections when one ends. came is the accepted one.
func (g *Gate) pass(came, to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = to.Close(), from.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pairs, came)
}
