package main

import (
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"taskmarket/chain"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/keeper"
	"taskmarket/client/signer"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/web3signer"
)

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
		"another nonce":          {alter(func(tx *types.DynamicFeeTx) { tx.Nonce++ }), mismatch},
		"another recipient":      {alter(func(tx *types.DynamicFeeTx) { tx.To = &common.Address{1} }), mismatch},
		"other data":             {alter(func(tx *types.DynamicFeeTx) { tx.Data[35]++ }), mismatch},
		"a value":                {alter(func(tx *types.DynamicFeeTx) { tx.Value = big.NewInt(1) }), mismatch},
		"more gas":               {alter(func(tx *types.DynamicFeeTx) { tx.Gas++ }), mismatch},
		"a higher fee":           {alter(func(tx *types.DynamicFeeTx) { tx.GasFeeCap = new(big.Int).Lsh(tx.GasFeeCap, 1) }), mismatch},
		"a higher tip":           {alter(func(tx *types.DynamicFeeTx) { tx.GasTipCap = new(big.Int).Lsh(tx.GasTipCap, 1) }), mismatch},
		"another chain":          {alter(func(tx *types.DynamicFeeTx) { tx.ChainID = big.NewInt(1) }), mismatch},
		"a refusal":              {answer(rpcAnswer(`"error":{"code":-32000,"message":"Request denied"}`)), "declined"},
		"garbage":                {answer(rpcAnswer(`"result":"0x02c0"`)), mismatch},
		"an answer without JSON": {answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }), "invalid character"},
		"no answer in time":      {answer(noAnswer), late},
		"a server that is down":  {answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }), "status 502"},
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
	t.Run("the signature of another account", func(t *testing.T) {
		s := newSettlement(t)
		web3 := s.remoteSigner(5 * time.Second)
		signed, err := s.net.Agent.SignTx(t.Context(), types.NewTx(&types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(s.net.Deployment.ChainID), To: &s.net.Deployment.Escrow, Gas: 100_000, GasFeeCap: big.NewInt(1e10), GasTipCap: big.NewInt(1),
		}), s.net.Deployment.ChainID)
		s.must(err)
		raw, err := signed.MarshalBinary()
		s.must(err)
		s.wantRefused(web3, answer(rpcAnswer(`"result":"`+hexutil.Encode(raw)+`"`)), mismatch)
	})
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
	first := keeper.New(s.net.Node, s.serviceAt(server.URL, time.Minute), s.net.Contracts, s.store,
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
	state, err := s.store.Operations(s.t.Context())
	s.must(err)
	s.must(s.store.ReleaseKeeper(s.t.Context(), state.Keeper.Epoch))
}

// anotherLeads waits until the lease expires, and lets another keeper acquire and release it.
func anotherLeads(t *testing.T, s *settlement) {
	t.Helper()
	lease, err := s.store.LeadKeeper(t.Context(), "another", common.Address{9}, time.Minute)
	for end := time.Now().Add(10 * time.Second); errors.Is(err, market.ErrNotLeader) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		lease, err = s.store.LeadKeeper(t.Context(), "another", common.Address{9}, time.Minute)
	}
	if err == nil {
		err = s.store.ReleaseKeeper(t.Context(), lease.Epoch)
	}
	if err != nil {
		t.Error(err)
	}
}
