package follow

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// maxPrefetches is the number of ranges in memory at once: the one being committed and those read
// ahead.
const maxPrefetches = 3

// The first range is small, because a provider returns all logs of a range even if there are more than one
// step commits, and because the first commit waits for it.
const (
	firstRange = 16 // number of blocks
	growth     = 8  // a range is at most this many times as large as the one before
)

// prefetch is a range of finalized blocks that is read, with its logs, in its own goroutine. The
// fields after done are set once done is closed.
type prefetch struct {
	provider *rpc.Provider
	from, to uint64
	cancel   context.CancelFunc
	done     chan struct{}

	parent  common.Hash // parent hash of the first block
	blocks  []market.Block
	logs    []market.Log
	end     uint64 // the last block read; less than to if there are many logs
	err     error  // error of the provider; a smaller range may succeed
	unknown error  // error for a log that cannot be decoded; a smaller range does not help
}

// open starts to read a range of the next blocks, up to end, and appends it to the queue.
func (w *Watcher) open(ctx context.Context, p *rpc.Provider, from, end uint64) *prefetch {
	// Reading continues after the step that started it; every request has its own deadline.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	fetched := &prefetch{provider: p, from: from, to: min(from+w.rangeSize-1, end), cancel: cancel, done: make(chan struct{})}
	w.prefetched = append(w.prefetched, fetched)
	go func() {
		defer close(fetched.done)
		defer cancel()
		w.readPrefetch(ctx, fetched)
	}()
	return fetched
}

func (w *Watcher) readPrefetch(ctx context.Context, fetched *prefetch) {
	r, err := w.readRange(ctx, fetched.provider, fetched.from, fetched.to, w.options.Logs)
	if err != nil {
		fetched.err = err
		return
	}
	fetched.parent = r.headers[0].ParentHash
	logs := r.byBlock()
	for i, h := range r.headers {
		// Of finalized blocks, the journal stores only those with logs and the last of each range.
		if i == len(r.headers)-1 || len(logs[h.Hash()]) > 0 {
			fetched.blocks = append(fetched.blocks, rpc.BlockOf(h))
		}
	}
	fetched.end = fetched.blocks[len(fetched.blocks)-1].Number
	fetched.logs, fetched.unknown = w.read(r.logs, fetched.blocks)
	if fetched.unknown == nil {
		fetched.err = setCallers(ctx, fetched.provider, fetched.logs)
	}
}

// wait returns when the range is read or ctx ends.
func (f *prefetch) wait(ctx context.Context) error {
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller's own cancellation
	}
}

// resize sets the number of blocks of the next range: as many as would have held half of the log limit, but
// at most growth times the current number, or a quarter more once a range could not be read. Half of the limit
// is enough, because a range is committed while the next ones are read, and the fixed cost of a commit is then
// a few percent. The other half is a reserve for blocks with more logs: a range that exceeds the limit ends
// early, and the ranges after it, which are already being read, are discarded.
//
// Example: with a limit of 2,000 logs, a range of 16 blocks without logs is followed by one of 128. If that one
// contains 4,000 logs, it ends early, after about 64 blocks. The next one has 32.
func (w *Watcher) resize(last *prefetch) {
	size := w.rangeSize * growth
	if w.cautious {
		size = w.rangeSize + w.rangeSize/4 + 1
	}
	if n := uint64(len(last.logs)); n > 0 {
		fair := uint64(max(0, w.options.Logs) / 2)
		size = max(min(size, (last.end-last.from+1)*fair/n), 2)
	}
	w.rangeSize = min(size, w.options.Range)
}

// readAhead fills the queue with the ranges after the one being committed.
func (w *Watcher) readAhead(ctx context.Context, p *rpc.Provider, from, end uint64) {
	if n := len(w.prefetched); n > 0 {
		from = w.prefetched[n-1].to + 1
	}
	for len(w.prefetched) < maxPrefetches-1 && from < end {
		from = w.open(ctx, p, from, end).to + 1
	}
}

// prefetches are the ranges being read ahead, in the order of their blocks.
type prefetches []*prefetch

// first returns the range to follow next. If the head of the queue is another range, the cursor or
// the provider has changed and the queue is dropped.
func (l *prefetches) first(p *rpc.Provider, from uint64) *prefetch {
	if len(*l) > 0 && (*l)[0].provider == p && (*l)[0].from == from {
		return (*l)[0]
	}
	l.drop()
	return nil
}

func (l *prefetches) pop() { *l = (*l)[1:] }

// drop cancels and discards all ranges.
func (l *prefetches) drop() {
	for _, fetched := range *l {
		fetched.cancel()
	}
	*l = nil
}
