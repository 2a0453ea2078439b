package market_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"taskmarket/market"
)

func token(hundredths int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(hundredths), big.NewInt(10_000_000_000_000_000))
}

func TestParseWeiRejects(t *testing.T) {
	tests := []string{
		"", " ", "-1", "+1", "0001", "00", "1e18", "0x10", "1_000", "١٢", "１２", " 1", "1 ", "1.0", "1,0", "NaN",
		"Infinity", "1\x00", "0b1", "0o7", strings.Repeat("9", 78), strings.Repeat("1", 79), strings.Repeat("1", 1_000_000),
		new(big.Int).Lsh(big.NewInt(1), 256).String(),
	}
	for _, s := range tests {
		if n, err := market.ParseWei(s); market.KindOf(err) != market.KindInvalid {
			t.Errorf("ParseWei(%.20q) = %v, %v, want an error", s, n, err)
		}
	}
}

func TestFormatAmount(t *testing.T) {
	for wei, want := range map[string]string{
		"0": "0 TASK", "1": "0.000000000000000001 TASK", "9500000000000000000": "9.5 TASK", "100000000000000000000": "100 TASK",
	} {
		n, err := market.ParseWei(wei)
		if err != nil {
			t.Fatal(err)
		}
		if got := market.FormatAmount(n, "TASK"); got != want {
			t.Errorf("FormatAmount(%s) = %q, want %q", wei, got, want)
		}
	}
}

func TestParseWeiRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "n"))
		got, err := market.ParseWei(n.String())
		if err != nil || got.Cmp(n) != 0 {
			t.Fatalf("ParseWei(%s) = %v, %v", n, got, err)
		}
	})
}

func TestFeeAndPayoutAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "amount"))
		bps := rapid.Uint16Range(0, market.MaxFeeBasisPoints).Draw(t, "bps")
		fee, payout := market.Fee(amount, bps), market.Payout(amount, bps)
		if new(big.Int).Add(fee, payout).Cmp(amount) != 0 || fee.Sign() < 0 || payout.Sign() < 0 {
			t.Fatalf("fee %s + payout %s of %s at %d", fee, payout, amount, bps)
		}
		if new(big.Int).Mul(fee, big.NewInt(10_000)).Cmp(new(big.Int).Mul(amount, big.NewInt(int64(bps)))) > 0 {
			t.Fatalf("fee %s is more than %d basis points of %s", fee, bps, amount)
		}
	})
}

func TestFeePercent(t *testing.T) {
	for bps, want := range map[uint16]string{0: "0", 1: "0.01", 10: "0.1", 100: "1", 250: "2.5", 500: "5", 1005: "10.05", 2000: "20"} {
		if got := market.FeePercent(bps); got != want {
			t.Errorf("FeePercent(%d) = %q, want %q", bps, got, want)
		}
	}
}

func TestRequiredStake(t *testing.T) {
	tests := map[string]struct{ amount, want *big.Int }{
		"minimum of 0.001 token": {token(1), big.NewInt(1_000_000_000_000_000)},
		"exactly the minimum":    {token(2), big.NewInt(1_000_000_000_000_000)},
		"five percent":           {token(1000), token(50)},
		"maximum of ten tokens":  {token(20_001), token(1000)},
		"a huge amount":          {token(1 << 40), token(1000)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := market.RequiredStake(test.amount); got.Cmp(test.want) != 0 {
				t.Errorf("RequiredStake(%s) = %s, want %s", test.amount, got, test.want)
			}
		})
	}
}
