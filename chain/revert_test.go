package chain_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"

	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// The table of explanations covers exactly the contracts' errors.
func TestRefusalsCoverTheContractsErrors(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, meta := range []*bind.MetaData{
		&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData,
		&contracts.TreasuryMetaData, &contracts.RewardDistributorMetaData, &contracts.SignatureCheckMetaData,
	} {
		contract, err := meta.ParseABI()
		must(t, err)
		for name := range contract.Errors {
			known[name] = true
			if _, ok := market.Refusals()[name]; !ok {
				t.Errorf("the contracts' error %s has no entry in refusals.json", name)
			}
		}
	}
	var sentences []string
	for name, refusal := range market.Refusals() {
		if !known[name] {
			t.Errorf("refusals.json has an entry for %s, which is not an error of the contracts", name)
		}
		for _, text := range []string{refusal.Sentence, refusal.Next} {
			if text == "" || strings.HasSuffix(text, ".") || unicode.IsUpper([]rune(text)[0]) {
				t.Errorf("%s: %q must not be empty, start with a capital letter or end with a period", name, text)
			}
		}
		if slices.Contains(sentences, refusal.Sentence) {
			t.Errorf("%s: two errors have the same sentence", name)
		}
		sentences = append(sentences, refusal.Sentence)
	}
}
