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
