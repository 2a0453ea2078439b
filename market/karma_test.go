package market_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// deal returns a deal that ended the given number of days after 1 January 2026.
func deal(counterparty int64, days float64, change func(*market.Deal)) market.Deal {
	d := market.Deal{
		Counterparty: common.BigToAddress(big.NewInt(counterparty)), Fee: market.DefaultKarmaFeeFloor(),
		EndedAt:  time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(days * 24 * float64(time.Hour))),
		Approved: true,
	}
	if change != nil {
		change(&d)
	}
	return d
}

func rated(rating int) func(*market.Deal) { return func(d *market.Deal) { d.Rating = rating } }

func lost(d *market.Deal) { d.Approved, d.Lost = false, true }

func rejected(d *market.Deal) { d.Approved = false }

func paid(d *market.Deal) { d.Paid = true }

// Completed and rejected tasks are counted by the same rules, so that their share describes one population.
func TestRejectionShare(t *testing.T) {
	t.Parallel()
	cheap := func(d *market.Deal) { d.Fee = new(big.Int) }
	for name, test := range map[string]struct {
		deals               []market.Deal
		completed, rejected int
		share               float64
	}{
		"no tasks":                     {nil, 0, 0, 0},
		"only paid":                    {[]market.Deal{deal(1, 0, paid), deal(2, 0, paid)}, 2, 0, 0},
		"only rejected":                {[]market.Deal{deal(1, 0, rejected)}, 0, 1, 1},
		"one of three":                 {[]market.Deal{deal(1, 0, rejected), deal(2, 0, paid), deal(3, 0, paid)}, 2, 1, 0.33},
		"below the floor":              {[]market.Deal{deal(1, 0, cheap), deal(2, 0, paid)}, 1, 0, 0},
		"twice with one counterparty":  {[]market.Deal{deal(1, 0, rejected), deal(1, 1, rejected), deal(1, 2, paid), deal(1, 3, paid)}, 1, 1, 0.5},
		"a payment hides no rejection": {[]market.Deal{deal(1, 0, paid), deal(1, 1, rejected)}, 1, 1, 0.5},
		"again after the interval":     {[]market.Deal{deal(1, 0, rejected), deal(1, 30, rejected)}, 0, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := market.StandingOf(test.deals, market.DefaultKarmaFeeFloor())
			if got.Completed != test.completed || got.Rejected != test.rejected || got.RejectionShare() != test.share {
				t.Errorf("StandingOf() = %d completed, %d rejected, share %v; want %d, %d, %v",
					got.Completed, got.Rejected, got.RejectionShare(), test.completed, test.rejected, test.share)
			}
		})
	}
}

func TestStandingOf(t *testing.T) {
	t.Parallel()
	cheap := func(d *market.Deal) { d.Fee = new(big.Int).Sub(market.DefaultKarmaFeeFloor(), big.NewInt(1)) }
	for name, test := range map[string]struct {
		deals []market.Deal
		karma int64
		fees  int64 // in multiples of the floor
	}{
		"no tasks":        {nil, 0, 0},
		"one task":        {[]market.Deal{deal(1, 0, nil)}, 10, 1},
		"five stars":      {[]market.Deal{deal(1, 0, rated(5))}, 14, 1},
		"three stars":     {[]market.Deal{deal(1, 0, rated(3))}, 10, 1},
		"one star":        {[]market.Deal{deal(1, 0, rated(1))}, 6, 1},
		"below the floor": {[]market.Deal{deal(1, 0, cheap)}, 0, 0},
		"a task below the floor does not start the interval": {[]market.Deal{deal(1, 0, cheap), deal(1, 1, nil)}, 10, 1},
		"paid without approval":                              {[]market.Deal{deal(1, 0, func(d *market.Deal) { d.Approved = false })}, 0, 0},
		"never negative":                                     {[]market.Deal{deal(1, 0, lost), deal(2, 0, lost)}, 0, 0},
		"a lost dispute":                                     {[]market.Deal{deal(1, 0, nil), deal(2, 0, nil), deal(3, 0, lost)}, 10, 2},
		"a gain does not hide a loss":                        {[]market.Deal{deal(1, 0, rated(5)), deal(1, 1, lost)}, 4, 1},
		"two counterparties":                                 {[]market.Deal{deal(1, 0, nil), deal(2, 0, nil)}, 20, 2},
		"the same counterparty":                              {[]market.Deal{deal(1, 0, nil), deal(1, 29.99, rated(5))}, 10, 1},
		"the same counterparty after 30 days":                {[]market.Deal{deal(1, 0, nil), deal(1, 30, rated(5))}, 24, 2},
		"30 days since the last counted task":                {[]market.Deal{deal(1, 0, nil), deal(1, 20, nil), deal(1, 40, nil)}, 20, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := market.StandingOf(test.deals, market.DefaultKarmaFeeFloor())
			fees := new(big.Int).Mul(big.NewInt(test.fees), market.DefaultKarmaFeeFloor())
			if got.Karma != test.karma || got.Fees.Cmp(fees) != 0 {
				t.Errorf("StandingOf() = %d karma, %s fees; want %d, %s", got.Karma, got.Fees, test.karma, fees)
			}
		})
	}
}

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
