package measure

import (
	"encoding/json"
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

// Report is the result of a run, for comparison with later runs.
type Report struct {
	Started string // start time in RFC 3339
	CPUs    int
	Go      string
	Full    bool // whether BENCH_FULL was 1
	Rounds  int
	Rows    []Row
}

// WriteJSON writes the report with the pairs of all rounds.
func WriteJSON(w io.Writer, report Report) error {
	type line struct {
		Name    string  `json:"name"`
		Unit    string  `json:"unit"`
		Floor   float64 `json:"floor"`
		Ours    float64 `json:"ours"`
		Ratio   float64 `json:"ratio"`
		Min     float64 `json:"ratio_min"`
		Max     float64 `json:"ratio_max"`
		Goal    string  `json:"goal"`
		Peer    string  `json:"peer"`
		Verdict Verdict `json:"verdict"`
		Rounds  []Pair  `json:"rounds"`
	}
	lines := make([]line, 0, len(report.Rows))
	for _, r := range report.Rows {
		lines = append(lines, line{
			r.Name, r.Unit, r.Floor, r.Ours, r.Ratio, r.RatioMin, r.RatioMax, r.Goal.String(), r.Peer, r.Verdict, r.Pairs,
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(map[string]any{
		"started": report.Started, "cpus": report.CPUs, "go": report.Go, "full": report.Full, "rounds": report.Rounds, "rows": lines,
	})
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
