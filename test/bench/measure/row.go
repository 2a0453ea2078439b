package measure

import "slices"

// Spec is the fixed part of a row.
type Spec struct {
	Name string
	Unit string // of both values
	Goal Goal
	Peer string // a comparable figure of others, for the reader
}

// Verdict is the result of a goal.
type Verdict string

// The verdicts.
const (
	Pass   Verdict = "PASS"
	Fail   Verdict = "FAIL"  // missed by more than 15 %
	Noisy  Verdict = "NOISY" // the machine was too busy for a verdict
	NoGoal Verdict = "-"     // without a goal
)

// Row is a line of the table: medians of its quiet rounds.
type Row struct {
	Spec
	Floor    float64
	Ours     float64
	Ratio    float64 // the median of the rounds' ratios
	RatioMin float64
	RatioMax float64
	Verdict  Verdict
	Pairs    []Pair // of all rounds
}

// NewRow summarises the pairs of a spec, one for each round. Noisy ones count only when there are
// no others; a row is noisy when most of its rounds are.
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
