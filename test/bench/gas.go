package main

import (
	"fmt"
	"os"
	"path/filepath"

	"taskmarket/test/bench/measure"
	"taskmarket/test/process"
)

// gasRows reads the rows with a goal from the contracts' gas snapshot. The contracts' tests check
// that the snapshot is up to date.
func gasRows() ([]measure.Row, error) {
	root, err := process.ModuleRoot()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(root, "chain", "contracts", "gas.md"))
	if err != nil {
		return nil, fmt.Errorf("read the gas snapshot: %w", err)
	}
	lines, err := measure.ReadGas(string(raw))
	if err != nil {
		return nil, err
	}
	var rows []measure.Row
	for _, line := range lines {
		if line.Goal == 0 {
			continue
		}
		spec := measure.Spec{Name: "gas: " + line.Name, Goal: measure.Goal{Ratio: line.Goal}}
		if line.Peer != "" {
			spec.Peer = "floor: " + line.Peer
		}
		rows = append(rows, measure.NewRow(spec, []measure.Pair{{Floor: line.Floor, Ours: line.Gas}}))
	}
	return rows, nil
}
