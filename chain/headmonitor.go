package chain

import (
	"context"
	"errors"
	"sync"
	"time"

	"taskmarket/market"
)

// HeadMonitor reads a chain's head in the background, so that a health check
// costs no call to a node. It is safe for concurrent use.
type HeadMonitor struct {
	reader   *Reader
	interval time.Duration

	mu   sync.Mutex
	head market.Block
	err  error // of the last read
}

var errHeadUnread = errors.New("the head was not read yet")

// NewHeadMonitor returns a monitor that reads the head at every interval while
// Run runs.
func NewHeadMonitor(reader *Reader, interval time.Duration) *HeadMonitor {
	return &HeadMonitor{reader: reader, interval: interval, err: errHeadUnread}
}

// Head returns the head as it was last read. It returns an error, and no head,
// when the last read failed: no provider answered within the node's options.
func (m *HeadMonitor) Head() (market.Block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.head, m.err
}

// Run reads until ctx ends.
func (m *HeadMonitor) Run(ctx context.Context) {
	for ctx.Err() == nil {
		m.read(ctx)
		_ = sleep(ctx, m.interval)
	}
}

func (m *HeadMonitor) read(ctx context.Context) {
	head, err := m.reader.Head(ctx)
	if ctx.Err() != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.head, m.err = head, err
}
