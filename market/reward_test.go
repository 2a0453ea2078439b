package market_test

import (
	"math/big"
	"testing"
	"time"

	"taskmarket/market"
)

func TestClaimable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		karma                     int64
		fees, paid, pending, want int64
	}{
		"nothing earned":             {0, 1_000, 0, 0, 0},
		"limited by karma":           {3, 1_000, 0, 0, 30},
		"capped at half of the fees": {300, 1_001, 0, 0, 500},
		"partly paid":                {3, 1_000, 10, 0, 20},
		"partly pending":             {3, 1_000, 10, 15, 5},
		"all paid":                   {3, 1_000, 30, 0, 0},
		"karma fell after a claim":   {1, 1_000, 30, 0, 0},
		"negative karma":             {-3, 1_000, 0, 0, 0},
	} {
		got := market.Claimable(market.Standing{Karma: test.karma, Fees: big.NewInt(test.fees)}, big.NewInt(10),
			market.Rewards{Paid: big.NewInt(test.paid), Pending: big.NewInt(test.pending)})
		if got.Int64() != test.want {
			t.Errorf("%s: Claimable() = %s, want %d", name, got, test.want)
		}
	}
}

func TestClaimAmount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		claimable, budget, want int64
		kind                    market.Kind
	}{
		"below the budget":      {10, 100, 10, ""},
		"equal to the budget":   {10, 10, 10, ""},
		"limited by the budget": {10, 3, 3, ""},
		"nothing claimable":     {0, 100, 0, market.KindNothingToClaim},
		"budget used up":        {10, 0, 0, market.KindBudgetExhausted},
		"negative budget":       {10, -1, 0, market.KindBudgetExhausted},
	} {
		got, err := market.ClaimAmount(big.NewInt(test.claimable), big.NewInt(test.budget))
		if market.KindOf(err) != test.kind || err == nil && got.Int64() != test.want {
			t.Errorf("%s: ClaimAmount() = %s, %v, want %d, %q", name, got, err, test.want, test.kind)
		}
	}
}

func TestCheckClaim(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	for name, test := range map[string]struct {
		pending int64
		last    *time.Time
		kind    market.Kind
	}{
		"first claim":          {0, nil, ""},
		"a day after the last": {0, ago(24 * time.Hour), ""},
		"too soon":             {0, ago(24*time.Hour - time.Second), market.KindRateLimited},
		"pending claim":        {5, ago(48 * time.Hour), market.KindAlreadyExists},
	} {
		err := market.CheckClaim(market.Rewards{Paid: new(big.Int), Pending: big.NewInt(test.pending), LastAt: test.last}, now)
		if market.KindOf(err) != test.kind {
			t.Errorf("%s: CheckClaim() = %v, want %q", name, err, test.kind)
		}
	}
}

func TestCheckRotation(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	for name, test := range map[string]struct {
		last *time.Time
		kind market.Kind
	}{
		"first rotation":       {nil, ""},
		"a day after the last": {ago(24 * time.Hour), ""},
		"too soon":             {ago(24*time.Hour - time.Millisecond), market.KindRotationTooSoon},
	} {
		if err := market.CheckRotation(test.last, now); market.KindOf(err) != test.kind {
			t.Errorf("%s: CheckRotation() = %v, want %q", name, err, test.kind)
		}
	}
}
