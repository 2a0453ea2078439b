package chain

import (
	"context"

	"taskmarket/market"
)

const (
	// mostLogs bounds what one range may bring into memory and into one commit.
	mostLogs = 10_000
	// fairLogs is what a page should hold: enough that a commit's own cost does
	// not count, little enough that the next page is read meanwhile.
	fairLogs = 2_000
	// mostPages is how many pages are in memory at once: one that is committed,
	// and those read ahead.
	mostPages = 3
)

// page is a range of blocks behind finality with its logs, read on its own
// goroutine. Its other members are set when done is closed.
type page struct {
	provider *provider
	from, to uint64
	cancel   context.CancelFunc
	done     chan struct{}

	blocks  []market.Block
	logs    []market.Log
	err     error // the provider's, or too many logs: fewer blocks may help
	unknown error // a log that cannot be read, which fewer blocks do not change
}

// open begins to read a page of the next blocks, up to end, and puts it in line.
func (w *Watcher) open(ctx context.Context, p *provider, from, end uint64) *page {
	// Reading outlasts the step that begins it; every request has a deadline.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	page := &page{provider: p, from: from, to: min(from+w.span-1, end), cancel: cancel, done: make(chan struct{})}
	w.ahead = append(w.ahead, page)
	go func() {
		defer close(page.done)
		defer cancel()
		w.readPage(ctx, page)
	}()
	return page
}

func (w *Watcher) readPage(ctx context.Context, page *page) {
	logs, headers, err := page.provider.logsIn(ctx, page.from, page.to, w.addresses)
	if err != nil {
		page.err = err
		return
	}
	if len(logs) > mostLogs && page.from < page.to {
		page.err = page.provider.errorf("blocks %d to %d hold %d logs, more than are taken at once", page.from, page.to, len(logs))
		return
	}
	for _, h := range headers {
		page.blocks = append(page.blocks, blockOf(h))
	}
	page.logs, page.unknown = w.read(logs, page.blocks)
}

// wait returns once the page is read, or ctx ends.
func (g *page) wait(ctx context.Context) error {
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller's own end
	}
}

// nextSpan returns for how many blocks to ask after this page: a quarter more,
// or as many as would have held a fair number of logs.
func (g *page) nextSpan(span, most uint64) uint64 {
	if n := uint64(len(g.logs)); n > fairLogs {
		return max((g.to-g.from+1)*fairLogs/n, 2)
	}
	return min(span+span/4+1, most)
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
type pages []*page

// first returns the page to follow next. When that is not the one in line, the
// cursor or the provider has changed and all of them are dropped.
func (l *pages) first(p *provider, from uint64) *page {
	if len(*l) > 0 && (*l)[0].provider == p && (*l)[0].from == from {
		return (*l)[0]
	}
	l.drop()
	return nil
}

func (l *pages) pop() { *l = (*l)[1:] }

// drop gives up what was read ahead.
func (l *pages) drop() {
	for _, page := range *l {
		page.cancel()
	}
	*l = nil
}
