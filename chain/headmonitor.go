package chain

import (
	"context"
	"sync"
	"time"

	"taskmarket/market"
)

// HeadMonitor reads a chain's head in the background, so that a health check needs no call to a
// node. It is safe for concurrent use.
type HeadMonitor struct {
	reader   *Reader
	interval time.Duration

	mu   sync.Mutex
	head market.Block
	err  error // error of the last read; nil if it succeeded
}

// NewHeadMonitor returns a monitor. Run reads the head once per interval.
func NewHeadMonitor(reader *Reader, interval time.Duration) *HeadMonitor {
	return &HeadMonitor{reader: reader, interval: interval, err: market.ErrHeadUnread}
}

// Head returns the head as last read. It returns an error, and no head, if the last read failed, and
// market.ErrHeadUnread before the first read ends.
func (m *HeadMonitor) Head() (market.Block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.head, m.err
}

// Run reads until ctx ends.
func (m *HeadMonitor) Run(ctx context.Context) {
	for ctx.Err() == nil {
		m.read(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(m.interval):
		}
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
