package measure_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/test/bench/measure"
)

func pairs(values ...float64) []measure.Pair {
	var out []measure.Pair
	for i := 0; i < len(values); i += 2 {
		out = append(out, measure.Pair{Floor: values[i], Ours: values[i+1]})
	}
	return out
}

// noisy marks the pairs in the given rounds as noisy.
func noisy(pairs []measure.Pair, rounds ...int) []measure.Pair {
	for _, i := range rounds {
		pairs[i].Noisy = true
	}
	return pairs
}

func TestNewRow(t *testing.T) {
	tests := map[string]struct {
		goal  measure.Goal
		pairs []measure.Pair
		ratio float64
		want  measure.Verdict
	}{
		"met":                                 {measure.Goal{Ratio: 2}, pairs(10, 20), 2, measure.Pass},
		"missed within the slack":             {measure.Goal{Ratio: 2}, pairs(10, 22.9), 2.29, measure.Pass},
		"missed":                              {measure.Goal{Ratio: 2}, pairs(10, 23.1), 2.31, measure.Fail},
		"lower bound met":                     {measure.Goal{Ratio: 0.5, AtLeast: true}, pairs(10, 5), 0.5, measure.Pass},
		"lower bound missed within the slack": {measure.Goal{Ratio: 0.5, AtLeast: true}, pairs(100, 44), 0.44, measure.Pass},
		"lower bound missed":                  {measure.Goal{Ratio: 0.5, AtLeast: true}, pairs(100, 43), 0.43, measure.Fail},
		"one bad round of three":              {measure.Goal{Ratio: 2}, pairs(10, 20, 10, 90, 10, 15), 2, measure.Pass},
		"ratios within the rounds":            {measure.Goal{Ratio: 2}, pairs(10, 15, 20, 30, 30, 45), 1.5, measure.Pass},
		"noisy round ignored":                 {measure.Goal{Ratio: 2}, noisy(pairs(10, 90, 10, 20, 10, 20), 0), 2, measure.Pass},
		"mostly noisy":                        {measure.Goal{Ratio: 2}, noisy(pairs(10, 10, 10, 10, 10, 50), 0, 1), 5, measure.Noisy},
		"only noisy rounds":                   {measure.Goal{Ratio: 2}, noisy(pairs(10, 50), 0), 5, measure.Noisy},
		"no goal":                             {measure.Goal{}, noisy(pairs(10, 50), 0), 5, measure.NoGoal},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			row := measure.NewRow(measure.Spec{Goal: test.goal}, test.pairs)
			if row.Ratio != test.ratio || row.Verdict != test.want {
				t.Errorf("ratio %v is %s, want %v %s", row.Ratio, row.Verdict, test.ratio, test.want)
			}
		})
	}
}

// scripted returns a target that measures the given floors, one per round, with a ratio of 2. It
// also returns a counter of the rounds.
func scripted(floors ...float64) (measure.Target, *int) {
	used := 0
	return measure.Target{
		Name: "scripted", Rows: []measure.Spec{{Name: "scripted", Goal: measure.Goal{Ratio: 2}}},
		Round: func(context.Context, *rand.Rand) ([]measure.Pair, error) {
			floor := floors[used]
			used++
			return []measure.Pair{{Floor: floor, Ours: 2 * floor}}, nil
		},
	}, &used
}

func TestRunRepeatsNoisyRounds(t *testing.T) {
	tests := map[string]struct {
		floors []float64 // floors of three rounds and of their repetitions
		noisy  int       // number of noisy rounds
	}{
		"quiet":                             {[]float64{10, 12, 8}, 0},
		"one outlier, quiet when repeated":  {[]float64{10, 13, 10, 11}, 0},
		"one outlier, also when repeated":   {[]float64{10, 30, 10, 31}, 1},
		"fast outlier":                      {[]float64{10, 7, 10, 7}, 1},
		"two outliers, quiet when repeated": {[]float64{10, 20, 40, 20, 20}, 0},
		"two outliers, also when repeated":  {[]float64{10, 20, 40, 10, 40}, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			target, used := scripted(test.floors...)
			rows, err := measure.Run(t.Context(), []measure.Target{target}, 3, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, pair := range rows[0].Pairs {
				if pair.Noisy {
					found++
				}
			}
			if found != test.noisy {
				t.Errorf("%d rounds are noisy, want %d: %+v", found, test.noisy, rows[0].Pairs)
			}
			if *used != len(test.floors) {
				t.Errorf("measured %d times, want %d", *used, len(test.floors))
			}
		})
	}
}

func TestRunStopsAtAnError(t *testing.T) {
	broken := errors.New("broken")
	target := measure.Target{Name: "x", Round: func(context.Context, *rand.Rand) ([]measure.Pair, error) { return nil, broken }}
	if _, err := measure.Run(t.Context(), []measure.Target{target}, 1, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, broken) {
		t.Errorf("Run() error = %v, want %v", err, broken)
	}
	short := measure.Target{Rows: make([]measure.Spec, 2), Round: func(context.Context, *rand.Rand) ([]measure.Pair, error) {
		return pairs(1, 1), nil
	}}
	if _, err := measure.Run(t.Context(), []measure.Target{short}, 1, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("Run() accepted a round with too few pairs")
	}
}

func TestWriteTable(t *testing.T) {
	rows := []measure.Row{
		measure.NewRow(measure.Spec{Name: "task", Unit: "µs", Goal: measure.Goal{Ratio: 2.4}, Peer: "pREST 5.7"}, pairs(100, 200, 100, 210, 100, 190)),
		measure.NewRow(measure.Spec{Name: "gas", Goal: measure.Goal{Ratio: 0.5, AtLeast: true}}, pairs(61198, 59128)),
	}
	var out bytes.Buffer
	if err := measure.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	want := "name | floor  | ours   | ratio (min to max)  | goal   | peer      |\n" +
		"task | 100 µs | 200 µs | 2.00 (1.90 to 2.10) | ≤ 2.40 | pREST 5.7 | PASS\n" +
		"gas  | 61198  | 59128  | 0.97                | ≥ 0.50 |           | PASS\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
