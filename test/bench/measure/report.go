package measure

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteTable writes a heading and one line for each row, in columns aligned with spaces.
func WriteTable(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "name\t| floor\t| ours\t| ratio (min to max)\t| goal\t| peer\t|")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\n",
			r.Name, amount(r.Floor, r.Unit), amount(r.Ours, r.Unit), r.ratios(), r.Goal, r.Peer, r.Verdict)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

func (r Row) ratios() string {
	text := strconv.FormatFloat(r.Ratio, 'f', 2, 64)
	if len(r.Pairs) > 1 {
		text += fmt.Sprintf(" (%.2f to %.2f)", r.RatioMin, r.RatioMax)
	}
	return text
}

// String formats the goal for the table. It returns "" if there is no goal.
func (g Goal) String() string {
	switch {
	case g.isUnset():
		return ""
	case g.AtLeast:
		return fmt.Sprintf("≥ %.2f", g.Ratio)
	}
	return fmt.Sprintf("≤ %.2f", g.Ratio)
}

// amount formats a value with three significant digits, or as a whole number if it is at least 1,000.
func amount(value float64, unit string) string {
	text := strconv.FormatFloat(value, 'f', max(0, 2-digitsBefore(value)), 64)
	return strings.TrimSpace(text + " " + unit)
}

// digitsBefore returns the decimal exponent of the first digit: 0 for 1 to 9, 1 for 10 to 99.
func digitsBefore(value float64) int {
	if value <= 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return 0
	}
	return int(math.Floor(math.Log10(value)))
}
