package measure

// Spec is what is known of a row before anything is measured.
type Spec struct {
	Name string
	Unit string // of floor and ours
	Goal Goal
	Peer string // what others reach, for the reader
}

// Verdict is what became of a goal.
type Verdict string

// The verdicts.
const (
	Pass  Verdict = "PASS"
	Fail  Verdict = "FAIL"  // missed by more than 15 %
	Noisy Verdict = "NOISY" // the machine was too busy to tell
	Told  Verdict = "-"     // there is no goal
)

// Row is a line of the table: medians of its rounds.
type Row struct {
	Spec
	Floor    float64
	Ours     float64
	Ratio    float64 // the median of the rounds' ratios
	RatioMin float64
	RatioMax float64
	Verdict  Verdict
	Pairs    []Pair
}

// NewRow sums up the pairs of a spec, which must not be empty. A noisy row is
// judged by nobody.
func NewRow(spec Spec, pairs []Pair, noisy bool) Row {
	row := Row{Spec: spec, Pairs: pairs, Floor: median(floors(pairs)), Verdict: Fail}
	var ours, ratios []float64
	for _, p := range pairs {
		ours, ratios = append(ours, p.Ours), append(ratios, p.ratio())
	}
	row.Ours, row.Ratio = median(ours), median(ratios)
	row.RatioMin, row.RatioMax = row.Ratio, row.Ratio
	for _, r := range ratios {
		row.RatioMin, row.RatioMax = min(row.RatioMin, r), max(row.RatioMax, r)
	}
	switch {
	case spec.Goal.none():
		row.Verdict = Told
	case noisy:
		row.Verdict = Noisy
	case spec.Goal.met(row.Ratio):
		row.Verdict = Pass
	}
	return row
}
