// Package metricstest provides an example of every metric, and checks the labels of metrics.
package metricstest

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/audit"
	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/store/journal"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

// Scrape returns the value of each exported series.
func Scrape(tb testing.TB, m *metrics.Metrics) (lines map[string]string) {
	tb.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(tb.Context(), http.MethodGet, "/metrics", nil))
	if recorder.Code != http.StatusOK {
		tb.Fatalf("GET /metrics = %d %s", recorder.Code, recorder.Body)
	}
	lines = make(map[string]string)
	for line := range strings.Lines(recorder.Body.String()) {
		if i := strings.LastIndexByte(line, ' '); i > 0 && !strings.HasPrefix(line, "#") {
			lines[line[:i]] = strings.TrimSpace(line[i+1:])
		}
	}
	return lines
}

var minute = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// State returns the state of a leading replica with a transaction behind a nonce gap.
func State() *metrics.State {
	return &metrics.State{
		Head: func() (market.Block, error) {
			return market.Block{Number: 100, Time: minute.Add(60 * time.Second)}, nil
		},
		Providers: func() []rpc.ProviderStatus {
			return []rpc.ProviderStatus{{Provider: "a.example", Current: true}, {Provider: "b.example", Failures: 3, Resting: true}}
		},
		Watcher: func() follow.Status { return follow.Status{Leading: true, Epoch: 4, Since: time.Now(), At: time.Now()} },
		Auditor: func() audit.Status { return audit.Status{At: time.Now(), Err: errors.New("no answer")} },
		Keeper: func() keeper.Status {
			return keeper.Status{Account: common.Address{1}, Leading: true, Since: time.Now(), Balance: big.NewInt(900), UsedNonces: 5, Replacements: 2, ForeignAt: time.Now()}
		},
		Operations: func(context.Context) (operators.Operations, error) {
			return operators.Operations{
				Followed: operators.Level{Number: 99, Time: minute.Add(58 * time.Second)}, Safe: operators.Level{Number: 70, Time: minute},
				Finalized:     operators.Level{Number: 40, Time: minute.Add(-3 * time.Minute)},
				Watcher:       operators.LeaseState{Holder: "host/1", Epoch: 4, Left: 10 * time.Second},
				KeeperAccount: common.Address{1}, KeeperSpent: big.NewInt(300), Findings: 1,
				Jobs: []outbox.Backlog{
					{Kind: market.OutboxSettle, Sent: true, Count: 2, Oldest: time.Minute, Nonce: new(uint64(7))},
					{Kind: market.OutboxVerdicts, Sent: true, Count: 1, Oldest: time.Second, Nonce: new(uint64(8))},
					{Kind: market.OutboxClaim, Sent: true, Count: 1, Oldest: time.Second}, // of another account
				},
			}, nil
		},
		Holdings: func(context.Context) (journal.Holdings, error) {
			return journal.Holdings{
				Block: market.Block{Number: 99, Hash: common.Hash{9}},
				Tasks: []journal.Holding{{Status: "Posted", Count: 2, Amount: big.NewInt(20)}, {Status: "Submitted", Count: 1, Amount: big.NewInt(5)}},
			}, nil
		},
		Held: func(context.Context, common.Hash) (escrow, staking *big.Int, err error) {
			return big.NewInt(27), big.NewInt(0), nil
		},
		StandbyAge: func(context.Context) (time.Duration, bool) { return 1500 * time.Millisecond, true },
		Moderation: func(context.Context) (moderation.Backlog, error) {
			return moderation.Backlog{
				Held: 3, Overdue: 1, Reports: 4, Appeals: 2, OldestHeld: time.Hour, OldestReport: 2 * time.Hour, OldestAppeal: 3 * time.Hour,
			}, nil
		},
		Stale: func() bool { return true },
		Reasons: func(context.Context) []market.HealthReason {
			return []market.HealthReason{market.ReasonAuditMismatch}
		},
	}
}
