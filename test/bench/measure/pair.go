// Package measure compares measurements with their floors, even on a machine with other load: it
// measures the targets in random order, calculates every ratio within one round, and repeats rounds
// whose floor is an outlier.
package measure

import (
	"math"
	"slices"
)

// Pair is a measurement and its floor, measured one immediately after the other.
type Pair struct {
	Floor float64
	Ours  float64
	Noisy bool // the floor was an outlier twice: the machine had other load
}

func (p Pair) ratio() float64 { return p.Ours / p.Floor }

// Goal is a bound for a ratio. The zero Goal means no goal.
type Goal struct {
	Ratio   float64
	AtLeast bool // true: lower bound; false: upper bound
}

// slack is the tolerance for missing a goal: 1.15 is 15 %.
const slack = 1.15

func (g Goal) isUnset() bool { return g.Ratio == 0 }

func (g Goal) isMet(ratio float64) bool {
	switch {
	case math.IsNaN(ratio):
		return false
	case g.AtLeast:
		return ratio*slack >= g.Ratio
	}
	return ratio <= g.Ratio*slack
}

// tolerance is the maximum deviation of a round's floor from the median of all rounds, as a
// fraction of the median.
const tolerance = 0.25

// off returns the indexes of the pairs whose floor deviates too much from the median.
func off(pairs []Pair) []int {
	usual := median(floors(pairs))
	var found []int
	for i, p := range pairs {
		if math.Abs(p.Floor-usual) > tolerance*usual {
			found = append(found, i)
		}
	}
	return found
}

func floors(pairs []Pair) []float64 {
	values := make([]float64, len(pairs))
	for i, p := range pairs {
		values[i] = p.Floor
	}
	return values
}

// median returns the median of the values: the mean of the middle two for an even count, and NaN
// for no values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
