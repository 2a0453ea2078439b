package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// Gas is a line of the contracts' gas snapshot.
type Gas struct {
	Flow  string
	Gas   float64
	Floor float64 // 0 for sums, which have none
}

// ReadGas reads the table in the snapshot: | flow | gas | floor | … |.
func ReadGas(snapshot string) ([]Gas, error) {
	var lines []Gas
	for line := range strings.Lines(snapshot) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 4 {
			continue
		}
		flow, used := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		if flow == "flow" || strings.Trim(flow, "-: ") == "" {
			continue
		}
		gas, err := strconv.ParseFloat(used, 64)
		if err != nil {
			return nil, fmt.Errorf("read the gas of %q: %w", flow, err)
		}
		read := Gas{Flow: flow, Gas: gas}
		if text := strings.TrimSpace(cells[3]); text != "" {
			if read.Floor, err = strconv.ParseFloat(text, 64); err != nil {
				return nil, fmt.Errorf("read the gas floor of %q: %w", flow, err)
			}
		}
		lines = append(lines, read)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("read the gas snapshot: it holds no table")
	}
	return lines, nil
}
