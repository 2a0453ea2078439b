package server

import (
	"context"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

const (
	// freshBalance is how long a balance is reused. It is shorter than the block time.
	freshBalance = time.Second
	// maxBalances limits the memory that balances use.
	maxBalances = 10_000
	// balanceTimeout limits a read, with all attempts: GET /agents/me must not wait longer for the node.
	balanceTimeout = 5 * time.Second
)

// balances reads the balances of wallets. All requests within freshBalance share one successful read per
// wallet, until the service sees a new block. Nothing is reused while the head is unknown.
type balances struct {
	reader Reader
	head   func() (market.Block, error)

	mu    sync.Mutex
	block common.Hash // head for which the entries were read
	held  map[common.Address]*balance
}

// balance is the result of a read. token, gas and err are set before done is closed.
type balance struct {
	since      time.Time
	done       chan struct{}
	token, gas *big.Int
	err        error
}

func newBalances(reader Reader, head func() (market.Block, error)) *balances {
	return &balances{reader: reader, head: head, held: map[common.Address]*balance{}}
}

// of returns the wallet's balances of platform tokens and native coin, in wei.
func (b *balances) of(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error) {
	read, first := b.entry(wallet)
	if first {
		// Other requests can wait for this read, so it continues if this request is cancelled.
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), balanceTimeout)
		defer cancel()
		read.token, read.gas, read.err = b.reader.Balances(reading, wallet)
		if read.err != nil {
			b.drop(wallet, read)
		}
		close(read.done)
	}
	select {
	case <-read.done:
		return read.token, read.gas, read.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// entry returns the wallet's entry. If first is true, the entry is new, and the caller must read the balance.
func (b *balances) entry(wallet common.Address) (read *balance, first bool) {
	head, err := b.head()
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil || head.Hash != b.block || len(b.held) >= maxBalances {
		b.block, b.held = head.Hash, map[common.Address]*balance{}
	}
	if read, ok := b.held[wallet]; ok && time.Since(read.since) < freshBalance {
		return read, false
	}
	read = &balance{since: time.Now(), done: make(chan struct{})}
	b.held[wallet] = read
	return read, true
}

// drop removes a failed read, so that the next request repeats it.
func (b *balances) drop(wallet common.Address, failed *balance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held[wallet] == failed {
		delete(b.held, wallet)
	}
}
