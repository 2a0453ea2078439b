//go:build linux

package main

import (
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"taskmarket/market"
)

// TestMain runs a measured server if the test binary was started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == serveArgument || os.Args[1] == bareArgument) {
		main()
		return
	}
	os.Exit(m.Run())
}

// The complete benchmark runs once with very little data, but with more postings than an agent's quota
// allows. The figures are meaningless, but the SQL must fit the current schema, and each row is printed.
func TestBenchmarkRunsOnce(t *testing.T) {
	tiny := size{agents: 30, tasks: 200, activities: 25, postings: market.MaxUnfundedTasks + 10, rounds: 1, window: 50 * time.Millisecond}
	var out strings.Builder
	rows, err := printed(t.Context(), tiny, io.MultiWriter(&out, t.Output()))
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*len(endpoints) + 3; len(rows) != want {
		t.Errorf("measured %d rows, want %d", len(rows), want)
	}
	_, table, _ := strings.Cut(out.String(), "\n\n")
	for _, row := range rows {
		if !strings.Contains(table, "\n"+row.Name+" ") {
			t.Errorf("the table has no row %q", row.Name)
		}
		// Processor time is counted in ticks of 10 ms, so a short measurement can be zero.
		if row.Unit != "µs" && (math.IsInf(row.Ratio, 0) || math.IsNaN(row.Ratio) || row.Ratio <= 0) {
			t.Errorf("%s: ratio %v of %+v", row.Name, row.Ratio, row.Pairs)
		}
	}
}
