package main

import (
	"fmt"
	"os"
	"path/filepath"

	"taskmarket/test/bench/measure"
	"taskmarket/test/process"
)

// Goals of the flows: each beside its own floor, the whole beside what others
// need for as much.
const (
	gasGoal      = 1.06
	peerGasGoal  = 0.6
	erc8183Gas   = 578_404 // the reference implementation, seven transactions
	threeVoteGas = 237_515 // three validators voting on the chain, one transaction each
)

// gasRows reads the contracts' snapshot, which their own tests hold exact.
func gasRows() ([]measure.Row, error) {
	root, err := process.ModuleRoot()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(root, "chain", "contracts", "gas.md"))
	if err != nil {
		return nil, fmt.Errorf("read the gas snapshot: %w", err)
	}
	flows, err := measure.ReadGas(string(raw))
	if err != nil {
		return nil, err
	}
	var rows []measure.Row
	for _, flow := range flows {
		spec := measure.Spec{Name: "gas: " + flow.Flow, Goal: measure.Goal{Ratio: gasGoal}}
		floor := flow.Floor
		if floor == 0 { // the sum of the happy path
			floor, spec = erc8183Gas, measure.Spec{
				Name: "gas: from post to release", Goal: measure.Goal{Ratio: peerGasGoal}, Peer: "floor: ERC-8183 reference",
			}
		}
		rows = append(rows, exact(spec, floor, flow.Gas))
		if flow.Flow == "release by 3 verdicts" {
			spec := measure.Spec{
				Name: "gas: 3 verdicts and the payout", Goal: measure.Goal{Ratio: peerGasGoal}, Peer: "floor: 3 votes on the chain",
			}
			rows = append(rows, exact(spec, threeVoteGas, flow.Gas))
		}
	}
	return rows, nil
}

func exact(spec measure.Spec, floor, gas float64) measure.Row {
	return measure.NewRow(spec, []measure.Pair{{Floor: floor, Ours: gas}})
}
