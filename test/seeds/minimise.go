package seeds

import (
	"fmt"
	"slices"
	"strings"
)

// Minimise removes steps as long as fails returns true: first half of them, then ever smaller
// parts.
func Minimise[S any](steps []S, fails func([]S) bool) []S {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for from := 0; from < len(steps); {
			fewer := slices.Delete(slices.Clone(steps), from, min(from+size, len(steps)))
			if fails(fewer) {
				steps = fewer
				continue
			}
			from += size
		}
	}
	return steps
}

// Describe formats a step of the named package as a Go literal.
func Describe(pkg string, step any) string {
	return strings.ReplaceAll(fmt.Sprintf("%#v", step), pkg+".", "")
}

// List formats steps as the elements of a Go slice.
func List[S any](pkg string, steps []S) string {
	var lines []string
	for _, step := range steps {
		lines = append(lines, "\t"+Describe(pkg, step)+",")
	}
	return strings.Join(lines, "\n")
}
