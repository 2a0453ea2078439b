package main

import (
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// settlement is a chain with a task whose settlement is due, a database that
// has followed it, and a keeper. The test decides when each of them steps.
type settlement struct {
	t       *testing.T
	net     *chaintest.Net
	records *store.Store // as storetest opened it
	store   *store.Store
	watcher *chain.Watcher
	keeper  *chain.Keeper
	task    uint64
	before  *big.Int // the human's tokens
}

func newSettlement(t *testing.T) *settlement {
	t.Helper()
	s := &settlement{t: t, net: chaintest.New(t)}
	s.records = storetest.New(t)
	var err error
	s.store, err = store.Open(t.Context(), storetest.URL(t, s.records), s.net.Deployment)
	s.must(err)
	t.Cleanup(func() { _ = s.store.Close() })
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	s.watcher = chain.NewWatcher(s.net.Node, s.store, s.net.Contracts, chain.WatcherOptions{}, log)
	s.keeper = chain.NewKeeper(s.net.Node, s.net.Keeper, s.net.Contracts, s.store,
		chain.KeeperOptions{ReplaceAfter: time.Millisecond}, log)
	s.task = s.net.Submitted(t, common.Hash{1}, common.Hash{2})
	s.net.Approve(t, s.net.Agent, s.task)
	s.net.Warp(t, market.ApprovedReview)
	s.before = s.tokens()
	s.follow()
	return s
}

func (s *settlement) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *settlement) follow() {
	s.t.Helper()
	_, err := s.watcher.CatchUp(s.t.Context())
	s.must(err)
}

func (s *settlement) keep() {
	s.t.Helper()
	s.must(s.keeper.Step(s.t.Context()))
}

func (s *settlement) tokens() *big.Int {
	s.t.Helper()
	tokens, _, err := s.net.Reader.Balances(s.t.Context(), s.net.Human.Address())
	s.must(err)
	return tokens
}

func (s *settlement) paid() bool {
	s.t.Helper()
	return s.tokens().Cmp(s.before) > 0
}

// awaitPaid waits until the chain has paid the human.
func (s *settlement) awaitPaid(step func()) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); !s.paid(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("the human was not paid")
		}
		step()
	}
}

// ready makes jobs that wait for another attempt due.
func (s *settlement) ready() {
	s.t.Helper()
	_, err := storetest.DB(s.t, s.records).ExecContext(s.t.Context(), `UPDATE outbox SET run_at = now() WHERE state = 'pending'`)
	s.must(err)
}

// A reorganisation drops the settlement after its receipt and before the watcher
// has followed it: it is sent again.
func TestDroppedSettlementIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.awaitPaid(s.keep)
	s.keep() // reads the receipt
	s.net.Reorg(t, 1)
	if s.paid() {
		t.Fatal("the reorganisation did not drop the settlement")
	}
	s.awaitPaid(func() { s.follow(); s.keep() })
}

// The same for a settlement that the watcher has followed.
func TestFollowedSettlementThatIsDroppedIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.awaitPaid(s.keep)
	s.keep()
	s.follow()
	s.net.Reorg(t, 1)
	s.awaitPaid(func() { s.follow(); s.keep() })
}

// Another account settles first, and a reorganisation drops its transaction
// before the watcher has followed it: the keeper settles.
func TestDroppedSettlementOfAnotherSenderIsReplaced(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.net.Send(t, s.net.OtherHuman, s.net.Contracts.Settle(s.net.Deployment.Escrow, s.task))
	s.keep() // the contract refuses a second settlement
	s.net.Reorg(t, 1)
	if s.paid() {
		t.Fatal("the reorganisation did not drop the settlement")
	}
	s.awaitPaid(func() { s.ready(); s.follow(); s.keep() })
}
