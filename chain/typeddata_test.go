package chain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

func TestVerdictDigestMatchesTheContract(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	work := common.Hash{2}
	id := net.Submitted(t, common.Hash{1}, work)
	net.Dispute(t, net.Agent, id)
	signatures := func(round uint8, approved bool) [][]byte {
		packed, err := chain.SignaturesOf(net.Deployment.Escrow, net.Deployment.ChainID, id, net.Verdicts(t, id, work, round, approved, 2))
		chaintest.Must(t, err)
		return packed
	}
	from, escrow := net.Keeper.Address(), net.Deployment.Escrow
	chaintest.Must(t, net.Reader.Simulate(t.Context(), from, net.Contracts.ApproveSubmission(escrow, id, signatures(1, true))))
	chaintest.Must(t, net.Reader.Simulate(t.Context(), from, net.Contracts.RejectSubmission(escrow, id, signatures(1, false))))
	for name, call := range map[string]chain.Call{
		"another round":     net.Contracts.ApproveSubmission(escrow, id, signatures(0, true)),
		"the other verdict": net.Contracts.ApproveSubmission(escrow, id, signatures(1, false)),
	} {
		if err := net.Reader.Simulate(t.Context(), from, call); market.KindOf(err) != market.KindWouldRevert {
			t.Errorf("%s: Simulate() = %v, want kind %q", name, err, market.KindWouldRevert)
		}
	}
}
