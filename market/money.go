package market

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var weiPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,77})$`)

// ParseWei parses a decimal amount in wei. It accepts only digits, without a sign or leading zeros,
// and values below 2^256, whereas big.Int also accepts "+1", "-1" and "0001". Errors are
// KindInvalid and do not name a request field.
func ParseWei(s string) (*big.Int, error) {
	if !weiPattern.MatchString(s) {
		return nil, Errorf(KindInvalid, "an amount must be a whole number of wei in decimal digits, like 10000000000000000")
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.BitLen() > 256 {
		return nil, Errorf(KindInvalid, "an amount must be below 2^256 wei")
	}
	return n, nil
}

// TokenDecimals is the number of decimals of the platform token and of the chain's native coin: 1
// token is 10^18 wei.
const TokenDecimals = 18

var tokenUnit = new(big.Int).Exp(big.NewInt(10), big.NewInt(TokenDecimals), nil)

// ChainCoin is the symbol of the chain's native coin. It is a constant because no contract returns
// it.
const ChainCoin = "ETH"

// FormatAmount formats wei as tokens without rounding: 9500000000000000000 is "9.5 TASK".
func FormatAmount(wei *big.Int, symbol string) string {
	text := new(big.Rat).SetFrac(wei, tokenUnit).FloatString(TokenDecimals)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " " + symbol
}

// Fee returns the platform's share of a released amount, which is floor(amount · bps / 10,000).
func Fee(amount *big.Int, basisPoints uint16) *big.Int {
	fee := new(big.Int).Mul(amount, big.NewInt(int64(basisPoints)))
	return fee.Quo(fee, big.NewInt(10_000))
}

// Payout returns the human's share of a released amount, which is the amount minus the fee.
func Payout(amount *big.Int, basisPoints uint16) *big.Int {
	return new(big.Int).Sub(amount, Fee(amount, basisPoints))
}

// FeePercent formats basis points as a percentage without trailing zeros. For example, 500 becomes
// "5", 250 becomes "2.5", and 1 becomes "0.01".
func FeePercent(basisPoints uint16) string {
	whole, part := basisPoints/100, basisPoints%100
	if part == 0 {
		return strconv.Itoa(int(whole))
	}
	digits := strconv.Itoa(int(part) + 100)[1:]
	return strconv.Itoa(int(whole)) + "." + strings.TrimRight(digits, "0")
}

// RequiredStake returns the stake that an applicant must lock for a task with the given amount. It
// is 5% of the amount, but at least 0.001 and at most 10 tokens.
func RequiredStake(amount *big.Int) *big.Int {
	stake := new(big.Int).Quo(amount, big.NewInt(20))
	if minimum := big.NewInt(1_000_000_000_000_000); stake.Cmp(minimum) < 0 {
		return minimum
	}
	if maximum := new(big.Int).Mul(big.NewInt(10), big.NewInt(1_000_000_000_000_000_000)); stake.Cmp(maximum) > 0 {
		return maximum
	}
	return stake
}
