package spend

import (
	"math/big"
	"testing"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

func TestSamePlan(t *testing.T) {
	agreed := client.Plan{ID: "one"}
	if err := samePlan(agreed, agreed); err != nil {
		t.Errorf("the confirmed plan: %v", err)
	}
	if code := cli.ExitCode(t.Context(), samePlan(agreed, client.Plan{ID: "other"})); code != cli.ExitChain {
		t.Errorf("another plan: exit code %d, want %d", code, cli.ExitChain)
	}
	if code := cli.ExitCode(t.Context(), samePlan(client.Plan{}, agreed)); code != cli.ExitChain {
		t.Errorf("a plan that was not confirmed: exit code %d, want %d", code, cli.ExitChain)
	}
	for _, nothing := range []client.Plan{{ID: "one", Resumes: true}, {ID: "one", Done: true}} {
		if code := cli.ExitCode(t.Context(), samePlan(nothing, agreed)); code != cli.ExitChain {
			t.Errorf("nothing new was to be signed: exit code %d, want %d", code, cli.ExitChain)
		}
	}
}

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
