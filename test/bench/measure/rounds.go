package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Target is a measurement that is repeated in rounds.
type Target struct {
	Name string
	// Rows are the rows that a round measures, in order. The floor of the first one indicates
	// whether the machine was quiet.
	Rows []Spec
	// Round measures the floor and the service once, in random order, and returns a pair for each
	// row.
	Round func(ctx context.Context, random *rand.Rand) ([]Pair, error)
}

// Run measures the targets in rounds, each in a random order. A target's round whose floor deviates
// from the median by more than 25 % is repeated once, and marked as noisy if it still deviates.
func Run(ctx context.Context, targets []Target, rounds int, random *rand.Rand) ([]Row, error) {
	measured := make([][][]Pair, len(targets)) // pairs by target, round and row
	for range rounds {
		for _, i := range random.Perm(len(targets)) {
			pairs, err := targets[i].round(ctx, random)
			if err != nil {
				return nil, err
			}
			measured[i] = append(measured[i], pairs)
		}
	}
	var rows []Row
	for i, target := range targets {
		if err := target.repeat(ctx, measured[i], random); err != nil {
			return nil, err
		}
		for n, spec := range target.Rows {
			rows = append(rows, NewRow(spec, column(measured[i], n)))
		}
	}
	return rows, nil
}

func (t Target) round(ctx context.Context, random *rand.Rand) ([]Pair, error) {
	pairs, err := t.Round(ctx, random)
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", t.Name, err)
	}
	if len(pairs) != len(t.Rows) {
		return nil, fmt.Errorf("measure %s: %d pairs for %d rows", t.Name, len(pairs), len(t.Rows))
	}
	return pairs, nil
}

// repeat measures the target again for each round that is an outlier, and marks the rounds that
// remain outliers.
func (t Target) repeat(ctx context.Context, rounds [][]Pair, random *rand.Rand) error {
	for _, i := range off(column(rounds, 0)) {
		var err error
		if rounds[i], err = t.round(ctx, random); err != nil {
			return err
		}
	}
	for _, i := range off(column(rounds, 0)) {
		for row := range rounds[i] {
			rounds[i][row].Noisy = true
		}
	}
	return nil
}

// column returns the pairs of one row in all rounds.
func column(rounds [][]Pair, row int) []Pair {
	pairs := make([]Pair, len(rounds))
	for i, round := range rounds {
		pairs[i] = round[row]
	}
	return pairs
}

// RunInRandomOrder runs the functions in random order until one returns an error.
func RunInRandomOrder(random *rand.Rand, functions ...func() error) error {
	for _, i := range random.Perm(len(functions)) {
		if err := functions[i](); err != nil {
			return err
		}
	}
	return nil
}
