package measure

import "slices"

// Spec is the constant part of a row.
type Spec struct {
	Name string
	Unit string // unit of the value and of its floor
	Goal Goal
	Peer string // a figure for comparison, for example from another system; shown for information only
}

// Verdict states whether a row meets its goal.
type Verdict string

// Possible verdicts.
const (
	Pass   Verdict = "PASS"
	Fail   Verdict = "FAIL"  // missed by more than 15 %
	Noisy  Verdict = "NOISY" // the machine was too busy to decide
	NoGoal Verdict = "-"     // the row has no goal
)

// Row is a row of the table. Floor, Ours and Ratio are medians, and RatioMin and RatioMax are extremes, of the
// quiet rounds, or of all rounds if none was quiet.
type Row struct {
	Spec
	Floor    float64
	Ours     float64
	Ratio    float64 // median of the rounds' ratios
	RatioMin float64
	RatioMax float64
	Verdict  Verdict
	Pairs    []Pair // the pairs of all rounds
}

// NewRow summarises the pairs of a row, one for each round. Noisy pairs count only if there are no
// others. A row is noisy if at least half of its rounds are.
func NewRow(spec Spec, pairs []Pair) Row {
	quiet := slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return p.Noisy })
	noisy := 2*len(quiet) <= len(pairs)
	if len(quiet) == 0 {
		quiet = pairs
	}
	var ours, ratios []float64
	for _, p := range quiet {
		ours, ratios = append(ours, p.Ours), append(ratios, p.ratio())
	}
	row := Row{Spec: spec, Pairs: pairs, Floor: median(floors(quiet)), Ours: median(ours), Ratio: median(ratios)}
	row.RatioMin, row.RatioMax = row.Ratio, row.Ratio
	for _, r := range ratios {
		row.RatioMin, row.RatioMax = min(row.RatioMin, r), max(row.RatioMax, r)
	}
	row.Verdict = spec.Goal.judge(row.Ratio, noisy)
	return row
}

func (g Goal) judge(ratio float64, noisy bool) Verdict {
	switch {
	case g.isUnset():
		return NoGoal
	case noisy:
		return Noisy
	case g.isMet(ratio):
		return Pass
	}
	return Fail
}
