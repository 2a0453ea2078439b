package cli

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"taskmarket/client"
	"taskmarket/market"
)

// amountPattern matches a number with an optional fraction and an optional unit.
var amountPattern = regexp.MustCompile(`^([0-9]{1,78})(?:\.([0-9]{1,18}))?(?:\s*([A-Za-z][A-Za-z0-9]*))?$`)

// ParseAmount parses an amount and returns it in wei. The text is either a number of tokens
// followed by the token's symbol in any case ("10 TASK", "0.5 TASK"), or a whole number of wei.
func ParseAmount(text, symbol string) (*big.Int, error) {
	parts := amountPattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, UsageError("%q is not an amount, such as 10 %s, 0.5 %s (with up to %d decimal places), or a whole number of wei", text, symbol, symbol, market.TokenDecimals)
	}
	whole, fraction, name := parts[1], parts[2], parts[3]
	switch {
	case strings.EqualFold(name, symbol):
		whole += fraction + strings.Repeat("0", market.TokenDecimals-len(fraction))
	case name != "" && !strings.EqualFold(name, "wei"):
		return nil, UsageError("%q is in %s, but tasks are paid in %s", text, name, symbol)
	case fraction != "":
		return nil, UsageError("%q: an amount in wei must be a whole number; did you mean %s.%s %s?", text, whole, fraction, symbol)
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	amount, err := market.ParseWei(whole)
	if err != nil {
		return nil, UsageError("%q: the amount is too large", text)
	}
	return amount, nil
}

// gwei is the unit of gas prices: 10^9 wei.
var gwei = new(big.Int).Exp(big.NewInt(10), big.NewInt(gweiDecimals), nil)

const (
	gweiDecimals  = 9
	defaultMaxFee = 100 // default fee cap in gwei per unit of gas
)

// parseGasPrice parses a price per unit of gas and returns it in wei. The text must contain a unit,
// because programs interpret a bare number differently: some as wei, others as gwei.
func parseGasPrice(text string) (*big.Int, error) {
	parts := amountPattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, fmt.Errorf("%q, not a gas price with a unit, such as 30 gwei, 0.5 gwei or 500000000 wei", text)
	}
	whole, fraction, name := parts[1], parts[2], strings.ToLower(parts[3])
	switch {
	case name == "gwei" && len(fraction) <= gweiDecimals:
		whole += fraction + strings.Repeat("0", gweiDecimals-len(fraction))
	case name != "wei" || fraction != "":
		return nil, fmt.Errorf("%q, not a gas price with a unit, such as 30 gwei, 0.5 gwei or 500000000 wei", text)
	}
	price, ok := new(big.Int).SetString(whole, 10)
	if !ok || price.Sign() == 0 {
		return nil, fmt.Errorf("%q, but it must be positive", text)
	}
	return price, nil
}

// FormatWei formats an amount from an API response, which is in wei.
func FormatWei(wei, symbol string) string {
	n, err := market.ParseWei(wei)
	if err != nil {
		return wei
	}
	return market.FormatAmount(n, symbol)
}

// Symbol returns the token's symbol from the configuration, or from the API if it is not
// configured.
func (a *App) Symbol(ctx context.Context, c *client.Client) (string, error) {
	s, err := a.Settings()
	if err != nil {
		return "", err
	}
	if symbol := s.Text(SettingTokenSymbol); symbol != "" {
		return symbol, nil
	}
	config, err := c.Config(ctx)
	if err != nil {
		return "", err
	}
	return config.Token.Symbol, nil
}
