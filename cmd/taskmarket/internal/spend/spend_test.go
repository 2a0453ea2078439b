package spend

import (
	"math/big"
	"testing"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

// Without a configured gas price, a replacement may cost 8 times as much as planned, but not more
// than the default price allows.
func TestGasTextIsLimitedByDefaultPrice(t *testing.T) {
	const gas = 100_000
	s := &Command{App: &cli.App{Loaded: &cli.Settings{}}}
	for gwei, want := range map[int64]string{
		1:  "at most 0.0001 ETH; up to 8 times that if gas rises",
		50: "at most 0.005 ETH; up to 0.01 ETH if gas rises",
	} {
		cost := big.NewInt(gwei * gas * 1_000_000_000)
		if got := s.gasText(client.Plan{GasCost: cost, Transaction: &client.PlannedTransaction{Gas: gas}}); got != want {
			t.Errorf("at %d gwei: %q, want %q", gwei, got, want)
		}
	}
}
