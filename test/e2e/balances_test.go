package e2e_test

import (
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
)

// balances contains the parties' token balances, in wei.
type balances map[string]*big.Int

func (w *world) balances() balances {
	w.t.Helper()
	p := make(balances)
	for who, address := range map[string]common.Address{
		"agent": w.net.Agent.Address(), "other agent": w.net.OtherAgent.Address(),
		"human": w.net.Human.Address(), "other human": w.net.OtherHuman.Address(),
		"treasury": w.net.Deployment.Treasury, "escrow": w.net.Deployment.Escrow, "stakes": w.net.Deployment.Staking,
	} {
		balance, _, err := w.net.Reader.Balances(w.ctx, address)
		w.must(err)
		p[who] = balance
	}
	return p
}

// gains contains the number of tokens that each party gains or, if negative, loses. The balances of
// parties that are not listed must not change.
type gains map[string]string

// wantGains compares the parties' balances with the earlier ones.
func (w *world) wantGains(before balances, want gains) {
	w.t.Helper()
	got := make(gains)
	for who, now := range w.balances() {
		if change := new(big.Int).Sub(now, before[who]); change.Sign() != 0 {
			got[who] = formatTokens(change)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("gains in tokens (-want +got):\n%s", diff)
	}
}

// formatTokens formats wei as tokens, exactly.
func formatTokens(wei *big.Int) string {
	text := new(big.Rat).SetFrac(wei, chaintest.Tokens(1)).FloatString(18)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Amounts for a task of ten tokens, with a fee of 5 % and a stake of 5 %.
var (
	paid     = gains{"agent": "-10", "human": "9.5", "treasury": "0.5"}
	refunded = gains{"human": "-0.5", "treasury": "0.5"}
	nothing  = gains{}
)
