package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// Gas is a row of the contracts' gas snapshot. It compares a flow with its floor, or a path of
// several flows with the gas that another platform uses for the same path.
type Gas struct {
	Name  string
	Gas   float64
	Floor float64
	Goal  float64 // maximum ratio of Gas to Floor; 0 for no goal
	Peer  string  // the platform whose gas is the floor; empty for flows
}

// Indexes of the cells in a table row. Cell 0 is the empty one before the first bar. Both tables
// have the columns name, gas, floor, ratio, goal and met. In the table of paths, the next column is
// the peer.
const (
	gasName, gasUsed, gasFloor, gasGoal, gasPeer = 1, 2, 3, 5, 7

	flowsHeader, pathsHeader = "flow", "path"
)

// ReadGas reads the two tables in the snapshot.
func ReadGas(snapshot string) ([]Gas, error) {
	var lines []Gas
	paths := false
	for line := range strings.Lines(snapshot) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) <= gasPeer {
			continue
		}
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(cell)
		}
		switch name := cells[gasName]; {
		case name == flowsHeader, name == pathsHeader:
			paths = name == pathsHeader
			continue
		case strings.Trim(name, "-:") == "":
			continue
		}
		read, err := readGasLine(cells)
		if err != nil {
			return nil, err
		}
		if paths {
			read.Peer = cells[gasPeer]
		}
		lines = append(lines, read)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("read the gas snapshot: it contains no table")
	}
	return lines, nil
}

func readGasLine(cells []string) (Gas, error) {
	read := Gas{Name: cells[gasName]}
	numbers := map[int]*float64{gasUsed: &read.Gas, gasFloor: &read.Floor}
	if cells[gasGoal] != "" {
		numbers[gasGoal] = &read.Goal
	}
	for column, number := range numbers {
		value, err := strconv.ParseFloat(cells[column], 64)
		if err != nil {
			return Gas{}, fmt.Errorf("read the gas of %q: %w", read.Name, err)
		}
		*number = value
	}
	return read, nil
}
