package chain

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// mostPages is how many pages are in memory at once: one that is committed,
// and those read ahead.
const mostPages = 3

// page is a range of blocks behind finality with its logs, read on its own
// goroutine. Its other members are set when done is closed.
type prefetch struct {
	provider *provider
	from, to uint64
	cancel   context.CancelFunc
	done     chan struct{}

	parent  common.Hash // of the first block
	blocks  []market.Block
	logs    []market.Log
	end     uint64 // the last block read: before to, where there are many logs
	err     error  // the provider's: fewer blocks may help
	unknown error  // a log that cannot be read, which fewer blocks do not change
}

// open begins to read a page of the next blocks, up to end, and puts it in line.
func (w *Watcher) open(ctx context.Context, p *provider, from, end uint64) *prefetch {
	// Reading outlasts the step that begins it; every request has a deadline.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	page := &prefetch{provider: p, from: from, to: min(from+w.span-1, end), cancel: cancel, done: make(chan struct{})}
	w.ahead = append(w.ahead, page)
	go func() {
		defer close(page.done)
		defer cancel()
		w.readPage(ctx, page)
	}()
	return page
}

func (w *Watcher) readPage(ctx context.Context, page *prefetch) {
	r, err := w.readRange(ctx, page.provider, page.from, page.to, w.options.Logs)
	if err != nil {
		page.err = err
		return
	}
	page.parent = r.headers[0].ParentHash
	logs := r.byBlock()
	for i, h := range r.headers {
		// Behind finality the journal keeps the blocks with logs and the last.
		if i == len(r.headers)-1 || len(logs[h.Hash()]) > 0 {
			page.blocks = append(page.blocks, blockOf(h))
		}
	}
	page.end = page.blocks[len(page.blocks)-1].Number
	page.logs, page.unknown = w.read(r.logs, page.blocks)
	if page.unknown == nil {
		page.err = page.provider.nameCallers(ctx, page.logs)
	}
}

// wait returns once the page is read, or ctx ends.
func (g *prefetch) wait(ctx context.Context) error {
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller's own end
	}
}

// resize tells for how many blocks to ask after the page: a quarter more, or as
// many as would have held a fifth of what a page may hold. That is enough for a
// commit's own cost not to count, and leaves room for blocks with more.
func (w *Watcher) resize(last *prefetch) {
	fair, n := uint64(max(0, w.options.Logs)/5), uint64(len(last.logs))
	if n > fair {
		w.span = max((last.end-last.from+1)*fair/n, 2)
		return
	}
	w.span = min(w.span+w.span/4+1, w.options.Range)
}

// readAhead keeps pages in line after the one that is committed.
func (w *Watcher) readAhead(ctx context.Context, p *provider, from, end uint64) {
	if n := len(w.ahead); n > 0 {
		from = w.ahead[n-1].to + 1
	}
	for len(w.ahead) < mostPages-1 && from < end {
		from = w.open(ctx, p, from, end).to + 1
	}
}

// pages are read ahead, in the order of their blocks.
type prefetches []*prefetch

// first returns the page to follow next. When that is not the one in line, the
// cursor or the provider has changed and all of them are dropped.
func (l *prefetches) first(p *provider, from uint64) *prefetch {
	if len(*l) > 0 && (*l)[0].provider == p && (*l)[0].from == from {
		return (*l)[0]
	}
	l.drop()
	return nil
}

func (l *prefetches) pop() { *l = (*l)[1:] }

// drop gives up what was read ahead.
func (l *prefetches) drop() {
	for _, page := range *l {
		page.cancel()
	}
	*l = nil
}
