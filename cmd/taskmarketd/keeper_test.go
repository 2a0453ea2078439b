package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/client/signer"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/web3signer"
)

// settlement contains a chain with a task that is due for settlement, a database that has followed
// the chain, and a keeper. The test triggers each of their steps explicitly.
type settlement struct {
	t       *testing.T
	net     *chaintest.Net
	records *store.Store // the same database as store, opened by storetest
	store   *store.Store
	watcher *follow.Watcher
	keeper  *keeper.Keeper
	task    uint64
	before  *big.Int // the human's balance before the settlement
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
	s.watcher = follow.NewWatcher(s.net.Node, s.store.Journal, s.net.Contracts, follow.WatcherOptions{}, log)
	s.keeper = s.newKeeper(s.net.Node, s.net.Keeper)
	s.task = s.net.Submitted(t, common.Hash{1}, common.Hash{2})
	s.net.Approve(t, s.net.Agent, s.task)
	s.net.Warp(t, market.ApprovedReview)
	s.before = s.tokens()
	s.follow()
	return s
}

// newKeeper returns a keeper that uses the key, as if it ran in a separate process.
func (s *settlement) newKeeper(node *rpc.Node, key chain.Signer) *keeper.Keeper {
	return keeper.New(node, key, s.net.Contracts, s.store.Outbox,
		keeper.Options{ReplaceAfter: time.Millisecond, Poll: time.Millisecond}, slog.New(slog.NewTextHandler(s.t.Output(), nil)))
}

// wantProblems fails the test unless a replica that uses this database, with or without a keeper,
// soon reports exactly these problems.
func (s *settlement) wantProblems(want ...market.HealthReason) {
	s.t.Helper()
	replica := &service{store: s.store}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		got := replica.keeperProblems(s.t.Context())
		if slices.Equal(got, want) {
			return
		}
		if time.Now().After(end) {
			s.t.Errorf("keeperProblems() = %v, want %v", got, want)
			return
		}
	}
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

// awaitPaid repeats step until the human has been paid on the chain.
func (s *settlement) awaitPaid(step func()) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); !s.paid(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("the human was not paid")
		}
		step()
	}
}

// ready makes postponed jobs due immediately, even if the database's clock then steps back.
func (s *settlement) ready() {
	s.t.Helper()
	_, err := storetest.DB(s.t, s.records).ExecContext(s.t.Context(), `UPDATE outbox SET run_at = now() - interval '1 minute' WHERE state = 'pending'`)
	s.must(err)
}

// A reorganisation drops the settlement after the keeper has read its receipt, but before the
// watcher has followed it: the keeper sends it again.
func TestDroppedSettlementIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.awaitPaid(s.keep)
	s.keep() // the keeper reads the receipt in this step
	s.net.Reorg(t, 1)
	if s.paid() {
		t.Fatal("the reorganisation did not drop the settlement")
	}
	s.awaitPaid(func() { s.follow(); s.keep() })
}

// A reorganisation drops a settlement that the watcher has already followed: the keeper sends it
// again.
func TestFollowedSettlementThatIsDroppedIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.awaitPaid(s.keep)
	s.keep()
	s.follow()
	s.net.Reorg(t, 1)
	s.awaitPaid(func() { s.follow(); s.keep() })
}

// Another account settles first, and a reorganisation drops its transaction before the watcher has
// followed it: the keeper then sends its own settlement.
func TestDroppedSettlementOfAnotherSenderIsReplaced(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.net.Send(t, s.net.OtherHuman, s.net.Contracts.Settle(s.net.Deployment.Escrow, s.task))
	s.keep() // the contract rejects the keeper's settlement, because the task is already settled
	s.net.Reorg(t, 1)
	if s.paid() {
		t.Fatal("the reorganisation did not drop the settlement")
	}
	s.awaitPaid(func() { s.ready(); s.follow(); s.keep() })
}

// One replica follows the chain without a keeper key, and another replica has the key but does not
// follow the chain. Payments are still made.
func TestKeeperNeedsNoLeadingWatcher(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	standby := follow.NewWatcher(s.net.Node, s.store.Journal, s.net.Contracts, follow.WatcherOptions{Holder: "with a key"}, slog.New(slog.DiscardHandler))
	outcome, err := standby.CatchUp(t.Context())
	s.must(err)
	if outcome.Progress != follow.Standby {
		t.Fatalf("the watcher of the keeper's process is %s, want %s", outcome.Progress, follow.Standby)
	}
	s.awaitPaid(s.keep)
}

// Two processes have keeper keys, either the same or different ones. The second process sends
// nothing while the first has the lease, and acquires the lease as soon as the first stops.
func TestKeepersTakeTurns(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with one key", "with two keys"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSettlement(t)
			key := s.net.Keeper
			if name == "with two keys" {
				key = s.net.OtherHuman
			}
			first, second := s.newKeeper(s.net.Node, s.net.Keeper), s.newKeeper(s.net.Node, key)
			s.must(s.net.Dev.SetMining(t.Context(), false))
			s.must(first.Step(t.Context()))
			s.must(second.Step(t.Context()))
			s.wantSent(s.net.Keeper.Address())
			stopped, cancel := context.WithCancel(t.Context())
			cancel()
			s.must(first.Run(stopped))
			s.must(second.Step(t.Context()))
			s.wantSent(s.net.Keeper.Address())
			s.net.Mine(t, 1)
			s.awaitPaid(func() { s.must(second.Step(t.Context())) })
			s.must(first.Step(t.Context())) // does nothing while the other keeper has the lease
			s.wantSent(s.net.Keeper.Address())
			s.follow()
			s.wantSent()
		})
	}
}

// wantSent fails the test unless exactly these accounts have signed the transactions of the due
// jobs. The zero address stands for a job without a transaction.
func (s *settlement) wantSent(accounts ...common.Address) {
	s.t.Helper()
	jobs, err := s.store.Outbox.OpenJobs(s.t.Context(), 10)
	s.must(err)
	var got []common.Address
	for _, job := range jobs {
		got = append(got, job.Sender)
	}
	if !slices.Equal(got, accounts) {
		s.t.Errorf("transactions of %v are open, want %v", got, accounts)
	}
}

// If no process runs a keeper, the health check of every replica reports it.
func TestAbsentKeeperIsReported(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.wantProblems(market.ReasonKeeperAbsent)
	s.keep()
	s.wantProblems()
	_, err := storetest.DB(t, s.records).ExecContext(t.Context(), `UPDATE keeper_lease SET lease_until = now() - interval '2 minutes'`)
	s.must(err)
	s.wantProblems(market.ReasonKeeperAbsent)
	s.must(s.newKeeper(s.net.Node, s.net.Keeper).Step(t.Context()))
	s.wantProblems()
}

// A faulty node returns a gas estimate that is too high. The keeper signs nothing, and every
// replica reports first the reached limit and then the overdue settlement. Both reports disappear
// once the node returns correct estimates.
func TestLimitAndOverdueSettlementAreReported(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	liar := chaintest.NewProxy(t, s.net.Dev.URL())
	liar.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == "eth_estimateGas" {
				call.Result = json.RawMessage(`"0x2255100"`) // 36 million gas
			}
		}
		return true
	})
	s.keeper = s.newKeeper(chaintest.Dial(t, liar.URL), s.net.Keeper)
	s.keep()
	s.wantSent() // no transaction: the job is postponed
	s.wantProblems(market.ReasonKeeperLimit)
	s.net.Warp(t, 9*time.Minute)
	s.follow()
	s.wantProblems(market.ReasonKeeperLimit)
	s.net.Warp(t, 2*time.Minute)
	s.follow()
	s.wantProblems(market.ReasonKeeperLimit, market.ReasonSettlementOverdue)
	var log strings.Builder
	replica := &service{store: s.store, log: slog.New(slog.NewTextHandler(&log, nil))}
	s.must(replica.checkKeeper(t.Context()))
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "not settled") {
		t.Errorf("the log is %q, want an error about the settlement", log.String())
	}
	liar.Misbehave(nil)
	s.ready()
	s.awaitPaid(s.keep)
	s.follow()
	_, err := storetest.DB(t, s.records).ExecContext(t.Context(), `UPDATE keeper_lease SET limited_at = limited_at - interval '6 minutes'`)
	s.must(err)
	s.wantProblems()
}

// The daily limit applies to all keepers together and across restarts, because the spending is
// stored in the database.
func TestDailyLimitSurvivesARestart(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.awaitPaid(s.keep)
	spent, err := s.store.Outbox.KeeperSpent(t.Context(), common.Address{}, 0)
	s.must(err)
	if spent.Sign() == 0 {
		t.Fatal("nothing is recorded as spent")
	}
	s.follow()
	s.task = s.net.Submitted(t, common.Hash{3}, common.Hash{4})
	s.net.Approve(t, s.net.Agent, s.task)
	s.net.Warp(t, market.ApprovedReview)
	s.before = s.tokens()
	s.follow()
	s.keeper = keeper.New(s.net.Node, s.net.OtherHuman, s.net.Contracts, s.store.Outbox,
		keeper.Options{Limits: keeper.Limits{Daily: spent}}, slog.New(slog.DiscardHandler))
	_, err = storetest.DB(t, s.records).ExecContext(t.Context(), `UPDATE keeper_lease SET lease_until = now() - interval '1 minute'`)
	s.must(err)
	s.keep()
	s.wantSent(common.Address{})
	s.wantProblems(market.ReasonKeeperLimit)
	_, err = storetest.DB(t, s.records).ExecContext(t.Context(), `UPDATE keeper_spending SET signed_at = now() - interval '25 hours'`)
	s.must(err)
	s.awaitPaid(s.keep)
}

// Limits that are not configured are set to the defaults for the chain.
func TestConfigurationShowsTheKeepersLimits(t *testing.T) {
	for _, line := range valid() {
		key, value, _ := strings.Cut(line, "=")
		t.Setenv(key, value)
	}
	var out strings.Builder
	root := command()
	root.SetArgs([]string{"config"})
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{"KEEPER_MAX_FEE=10000000000\n", "KEEPER_DAILY_LIMIT=50000000000000000\n"} {
		if !strings.Contains(out.String(), prefix+shown) {
			t.Errorf("the output lacks %s:\n%s", shown, out.String())
		}
	}
}

// remoteSigner makes the settlement's keeper use an external signer that has the keeper's key. The test
// can make the signer faulty.
func (s *settlement) remoteSigner(timeout time.Duration) *web3signer.Server {
	s.t.Helper()
	web3 := web3signer.New(s.net.Keeper, s.net.Deployment.ChainID)
	server := httptest.NewServer(web3)
	s.t.Cleanup(server.Close)
	s.keeper = s.newKeeper(s.net.Node, s.serviceAt(server.URL, timeout))
	return web3
}

func (s *settlement) serviceAt(url string, timeout time.Duration) chain.Signer {
	s.t.Helper()
	service, err := signer.NewService(url, s.net.Keeper.Address(), timeout, signer.Options{})
	s.must(err)
	s.t.Cleanup(service.Close)
	return service
}

// sent returns the number of transactions of the keeper's account, including pending ones.
func (s *settlement) sent() uint64 {
	s.t.Helper()
	n, err := s.net.Dev.Client().PendingNonceAt(s.t.Context(), s.net.Keeper.Address())
	s.must(err)
	return n
}

// jobError returns the recorded error of the only open job.
func (s *settlement) jobError() (text string) {
	s.t.Helper()
	s.must(storetest.DB(s.t, s.records).GetContext(s.t.Context(), &text, `SELECT error FROM outbox WHERE state IN ('pending', 'sent')`))
	return text
}

func TestKeeperSettlesWithAnExternalSigner(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	web3 := s.remoteSigner(5 * time.Second)
	s.awaitPaid(s.keep)
	s.follow()
	s.wantSent()
	if n := len(web3.Signed()); n != 1 || s.sent() != 1 {
		t.Errorf("%d signatures and %d transactions, want one of each", n, s.sent())
	}
}

// noAnswer waits until the client hangs up, which a server notices only after it has read the body.
func noAnswer(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// While the signer is faulty, malicious, slow or down, nothing is broadcast and the cause is recorded.
// When the signer works again, the keeper sends the transaction once.
func TestKeeperSendsNothingThatItDidNotRequest(t *testing.T) {
	t.Parallel()
	alter := func(change func(*types.DynamicFeeTx)) func(*web3signer.Server) {
		return func(web3 *web3signer.Server) { web3.Alter(change) }
	}
	answer := func(do http.HandlerFunc) func(*web3signer.Server) {
		return func(web3 *web3signer.Server) {
			web3.SetAnswer(func(w http.ResponseWriter, r *http.Request, method string) bool {
				if method == "eth_accounts" {
					return false // respond normally, so that the keeper can connect
				}
				do(w, r)
				return true
			})
		}
	}
	const mismatch, late = "does not match the request", "deadline exceeded"
	for name, fault := range map[string]struct {
		begin func(*web3signer.Server)
		want  string // text of the recorded error
	}{
		"another nonce":     {alter(func(tx *types.DynamicFeeTx) { tx.Nonce++ }), mismatch},
		"a refusal":         {answer(rpcAnswer(`"error":{"code":-32000,"message":"Request denied"}`)), "declined"},
		"no answer in time": {answer(noAnswer), late},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSettlement(t)
			timeout := 5 * time.Second
			if fault.want == late {
				timeout = 500 * time.Millisecond
			}
			web3 := s.remoteSigner(timeout)
			s.wantRefused(web3, fault.begin, fault.want)
			web3.Alter(nil)
			web3.SetAnswer(nil)
			// On a slow machine, the signer can miss a short timeout once more.
			s.awaitPaid(func() { s.ready(); _ = s.keeper.Step(t.Context()) })
			if s.keeper.Status().SignerFailing {
				t.Error("SignerFailing after a signature")
			}
			s.follow()
			s.wantSent()
			if s.sent() != 1 {
				t.Errorf("%d transactions, want 1", s.sent())
			}
		})
	}
}

// rpcAnswer returns a handler that responds with the JSON member, which is a result or an error.
func rpcAnswer(member string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,` + member + `}`))
	}
}

// wantRefused makes the signer faulty with begin, and fails the test unless the keeper then broadcasts
// nothing and records the cause.
func (s *settlement) wantRefused(web3 *web3signer.Server, begin func(*web3signer.Server), want string) {
	s.t.Helper()
	begin(web3)
	if err := s.keeper.Step(s.t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		s.t.Errorf("Step() = %v, want %q", err, want)
	}
	if got := s.jobError(); !strings.Contains(got, "not signed") || !strings.Contains(got, want) {
		s.t.Errorf("the recorded error is %q, want %q", got, want)
	}
	s.wantSentIn(0)
	if !s.keeper.Status().SignerFailing {
		s.t.Error("SignerFailing is false")
	}
}

func (s *settlement) wantSentIn(n uint64) {
	s.t.Helper()
	if got := s.sent(); got != n {
		s.t.Errorf("%d transactions of the keeper were broadcast, want %d", got, n)
	}
}

// If the signer fails when a stuck transaction needs higher fees, the old transaction is broadcast
// again. It is replaced when the signer works again.
func TestSignerFailsAtAReplacement(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	web3 := s.remoteSigner(5 * time.Second)
	s.must(s.net.Dev.SetMining(t.Context(), false))
	s.keep()
	s.must(s.net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", hexutil.EncodeBig(big.NewInt(900_000_000_000))))
	s.net.Mine(t, 1)
	web3.Alter(func(tx *types.DynamicFeeTx) { tx.Nonce++ })
	if err := s.keeper.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("Step() = %v, want the signer's fault", err)
	}
	s.wantSent(s.net.Keeper.Address())
	web3.Alter(nil)
	s.awaitPaid(func() { _ = s.keeper.Step(t.Context()); s.net.Mine(t, 1) })
	s.wantSentIn(1)
}

// Another keeper leads and stops while this keeper waits for its signer. The other keeper may have used
// the nonce, so the signature is discarded.
func TestLateSignatureIsDiscarded(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	web3 := web3signer.New(s.net.Keeper, s.net.Deployment.ChainID)
	server := httptest.NewServer(web3)
	t.Cleanup(server.Close)
	first := keeper.New(s.net.Node, s.serviceAt(server.URL, time.Minute), s.net.Contracts, s.store.Outbox,
		keeper.Options{ReplaceAfter: time.Millisecond, Lease: 100 * time.Millisecond}, slog.New(slog.DiscardHandler))
	s.must(s.net.Dev.SetMining(t.Context(), false))
	web3.Alter(func(*types.DynamicFeeTx) {
		anotherLeads(t, s) // in the middle of the first keeper's request
	})
	s.must(first.Step(t.Context()))
	s.wantSent(common.Address{})
	s.wantSentIn(0)
	web3.Alter(nil)
	s.releaseLease()
	s.keep()
	s.wantSent(s.net.Keeper.Address())
	s.wantSentIn(1)
}

// releaseLease ends the lease of the settlement's former keeper.
func (s *settlement) releaseLease() {
	s.t.Helper()
	state, err := s.store.Operators.Operations(s.t.Context())
	s.must(err)
	s.must(s.store.Outbox.ReleaseKeeper(s.t.Context(), state.Keeper.Epoch))
}

// anotherLeads waits until the lease expires, and lets another keeper acquire and release it.
func anotherLeads(t *testing.T, s *settlement) {
	t.Helper()
	lease, err := s.store.Outbox.LeadKeeper(t.Context(), "another", common.Address{9}, time.Minute)
	for end := time.Now().Add(10 * time.Second); errors.Is(err, market.ErrNotLeader) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		lease, err = s.store.Outbox.LeadKeeper(t.Context(), "another", common.Address{9}, time.Minute)
	}
	if err == nil {
		err = s.store.Outbox.ReleaseKeeper(t.Context(), lease.Epoch)
	}
	if err != nil {
		t.Error(err)
	}
}
